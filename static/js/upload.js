/* Files dropped on the file field are its files: the browser does that, also without this script. The script shows where
   they can be dropped; a file dropped next to the field changes nothing, where the browser would open it. */
(() => {
  const field = document.querySelector('form input[type=file]');
  if (!field) return;
  const show = over => field.classList.toggle('field__input--over', over);
  const hasFiles = event => event.dataTransfer?.types.includes('Files');
  document.addEventListener('dragover', event => {
    if (!hasFiles(event)) return;
    show(event.target === field);
    if (event.target === field) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'none';
  });
  document.addEventListener('dragleave', event => { if (!event.relatedTarget) show(false); });
  document.addEventListener('drop', event => {
    show(false);
    if (hasFiles(event) && event.target !== field) event.preventDefault();
  });
})();
