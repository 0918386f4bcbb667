/* Light or dark colours by choice instead of the system's. The choice is kept in this browser and is never sent.
   In the head, before the style sheet: the colours are set before the page is shown. */
(() => {
  const root = document.documentElement;
  const apply = theme => theme === 'light' || theme === 'dark' ? root.dataset.theme = theme : delete root.dataset.theme;
  let chosen = '';
  try {  // a browser may refuse to store: then the choice lasts as long as the page
    chosen = localStorage.getItem('theme') ?? '';
  } catch { /* the system's colours */ }
  apply(chosen);
  const show = () => document.querySelectorAll('#theme input').forEach(input => input.checked = input.value === (root.dataset.theme ?? ''));
  addEventListener('DOMContentLoaded', () => {
    const choices = document.getElementById('theme');
    if (!choices) return;
    show();
    choices.hidden = false;
    choices.addEventListener('change', event => {
      apply(event.target.value);
      try {
        if (event.target.value) localStorage.setItem('theme', event.target.value);
        else localStorage.removeItem('theme');
      } catch { /* as above */ }
    });
  });
  addEventListener('storage', event => {  // chosen in another window
    if (event.key !== 'theme') return;
    apply(event.newValue);
    show();
  });
})();
