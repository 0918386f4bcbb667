/* Swagger UI on the OpenAPI file. Its validator at another site is not asked. */
addEventListener('DOMContentLoaded', () => {
  const place = document.getElementById('swagger');
  const root = document.documentElement;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const colours = () => root.classList.toggle('dark-mode', root.dataset.theme ? root.dataset.theme === 'dark' : dark.matches);
  colours();
  dark.addEventListener('change', colours);
  new MutationObserver(colours).observe(root, {attributeFilter: ['data-theme']});
  SwaggerUIBundle({domNode: place, url: place.dataset.schema, validatorUrl: null, deepLinking: true, docExpansion: 'list'});
});
