/* Closes the open menu of a row: by Escape, with the focus back on its button, or by a click outside.
   Without this script its button closes it. */
(() => {
  const opened = () => document.querySelector('.row-menu[open]');
  document.addEventListener('keydown', event => {
    const menu = opened();
    if (event.key !== 'Escape' || !menu) return;
    if (menu.contains(document.activeElement)) menu.querySelector('summary').focus();
    menu.open = false;
  });
  document.addEventListener('click', event => {
    const menu = opened();
    if (menu && !menu.contains(event.target)) menu.open = false;
  });
})();
