/* The colours that a reader chose, kept in this browser alone: the page is the same for all and needs no cookie.
   Loaded before the page is painted. Without this script the colours follow the system and the choice is not shown. */
(() => {
  const root = document.documentElement;
  const kept = () => { try { return localStorage.getItem('theme') || ''; } catch { return ''; } };
  const show = theme => { if (theme) root.dataset.theme = theme; else delete root.dataset.theme; };
  show(kept());
  addEventListener('DOMContentLoaded', () => {
    const choice = document.querySelector('#theme');
    if (!choice) return;
    choice.value = kept();
    choice.closest('[hidden]').hidden = false;
    choice.addEventListener('change', () => {
      try { localStorage.setItem('theme', choice.value); } catch { /* then it holds for this page */ }
      show(choice.value);
    });
  });
  addEventListener('storage', event => {  // chosen in another window
    if (event.key !== 'theme') return;
    show(event.newValue);
    const choice = document.querySelector('#theme');
    if (choice) choice.value = event.newValue || '';
  });
})();
