/* A select with many options (data-search) is searched by typing: a field with the options as suggestions sets it. Without
   this script the select itself is shown. What fits no option, or several, is refused with the sentence of data-search. */
(() => {
  const lists = new Map();

  function listOf(options) {
    const texts = options.map(option => option.text).join('\n');
    if (!lists.has(texts)) {
      const list = document.createElement('datalist');
      list.id = `search-${lists.size + 1}`;
      list.append(...options.map(option => new Option('', option.text)));
      document.body.append(list);
      lists.set(texts, list.id);
    }
    return lists.get(texts);
  }

  for (const select of document.querySelectorAll('select[data-search]')) {
    const options = [...select.options].filter(option => option.value), none = [...select.options].find(option => !option.value);
    const field = document.createElement('input');
    for (const { name, value } of select.attributes)
      if (/^(id|class|aria-.*)$/.test(name)) field.setAttribute(name, value);
    field.setAttribute('list', listOf(options));
    field.autocomplete = 'off';
    field.placeholder = none?.text ?? '';
    field.disabled = select.matches(':disabled');
    const show = () => { field.value = select.value && select.selectedOptions[0].text; };
    const find = text => {
      const fits = options.filter(option => option.text.toLowerCase().includes(text));
      return options.find(option => [option.value, option.text].some(each => each.toLowerCase() === text)) ?? (fits.length === 1 ? fits[0] : undefined);
    };
    field.addEventListener('focus', () => field.select());
    field.addEventListener('input', () => field.setCustomValidity(''));
    field.addEventListener('change', () => {
      const text = field.value.trim().toLowerCase(), chosen = text ? find(text) : none ?? select.selectedOptions[0];
      field.setCustomValidity(chosen ? '' : select.dataset.search);
      if (!chosen) return;
      select.value = chosen.value;
      show();
    });
    field.addEventListener('invalid', () => field.closest('details')?.setAttribute('open', ''));
    select.removeAttribute('id');
    select.hidden = true;
    select.before(field);
    show();
  }
})();
