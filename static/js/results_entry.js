/* Results entry by keyboard. Without this script the same forms are typed, saved and checked on the server.

   A form with data-results-entry (players, rows of games, or columns of rounds) has rows (data-row) of fields. Enter goes to the next field that is not complete, by rows
   or, in a crosstable ("columns"), by rounds; arrows go to the neighbours. Names appear beside numbers, in a crosstable
   the cell of the opponent follows, and a table pasted into a field fills the fields from there on. */
(() => {
  const form = document.querySelector('form[data-results-entry]');
  if (!form) return;
  const words = form.dataset;
  const isCrosstable = words.resultsEntry === 'columns', isRound = words.resultsEntry === 'rows';
  const rows = [...form.querySelectorAll('[data-row]')];
  const fields = rows.map(row => [...row.querySelectorAll('input:not([type=hidden]), select')]);
  const places = new Map(fields.flatMap((line, y) => line.map((field, x) => [field, [x, y]])));
  const reading = form.querySelector('[data-reading]');
  const namesOnPage = document.getElementById('player-names');
  const names = namesOnPage ? JSON.parse(namesOnPage.textContent)
    : Object.fromEntries(rows.map(row => [row.dataset.row, row.querySelector('[data-name]')?.textContent]));
  const lineOf = new Map(rows.map((row, y) => [row.dataset.row, y]));
  const complement = words.scale === '1-0.5-0' ? { 1: '0', 0: '1', '½': '½', 0.5: '½' } : { 2: '0', 1: '1', 0: '2' };

  const isOpen = field => isCrosstable ? !/[0-9½x]$|pause$/i.test(field.value.trim()) : !field.value.trim();
  // What does not have to be typed: the other side of a pause, what the register knows of a player with a number, places.
  const isKnown = field => {
    const line = fields[places.get(field)[1]];
    if (isRound) return line[2].value === 'pause';
    return !isCrosstable && (field === line.at(-1) || (field !== line[0] && Boolean(line[0].value.trim())));
  };
  const isNeeded = field => isOpen(field) && !isKnown(field);
  const inOrder = () => isCrosstable ? fields[0].flatMap((_, x) => fields.map(line => line[x])) : fields.flat();
  const say = text => { if (reading) reading.textContent = text; };
  const textOf = id => document.getElementById(id).textContent.trim().replace(/\s+/g, ' ');
  const nameOf = field => field.getAttribute('aria-label') ?? (field.hasAttribute('aria-labelledby')
    ? field.getAttribute('aria-labelledby').split(' ').map(textOf).join(', ')
    : `${field.closest('[data-row]').getAttribute('aria-label')}, ${field.labels[0].textContent}`);
  const go = field => { field.focus(); if (field.select) field.select(); };

  function next(field) {
    const order = inOrder();
    // In a round with all players paired, the empty rows that are left need nothing.
    const typed = new Set(isCrosstable ? [] : order.filter(each => each.tagName === 'INPUT').map(each => each.value.trim()));
    const allPaired = isRound && Object.keys(names).length > 0 && Object.keys(names).every(number => typed.has(number));
    const isLeft = each => isNeeded(each) && !(allPaired && fields[places.get(each)[1]].every(isOpen));
    const following = order.slice(order.indexOf(field) + 1).find(isLeft);
    if (following) go(following);
    else form.querySelector('.button--main').focus();
  }

  /* --- the crosstable: 12w2 in the line of 5 is 5b0 in the line of 12 */

  function read(text) {
    const match = /^(?:([0-9]{1,4}) ?([wb])|([wb])([0-9]{1,4})(?= |$)) ?(2|1|½|0\.5|0)?(x?)$/i.exec(text.trim());
    if (!match) return null;
    const points = match[5] ?? '';
    if (points && !(points in complement)) return null;
    return { number: String(Number(match[1] ?? match[4])), colour: (match[2] ?? match[3]).toLowerCase(), points, sign: match[6] };
  }
  const mirror = (half, number) =>
    `${number}${half.colour === 'w' ? 'b' : 'w'}${half.points ? complement[half.points] : ''}${half.sign}`;
  const known = new Map();
  if (isCrosstable) places.forEach((_, field) => known.set(field, field.value));

  function follow(field) {
    const [x, y] = places.get(field);
    const number = rows[y].dataset.row;
    if (known.get(field) === field.value) return;
    const before = read(known.get(field)), points = field.value.trim();
    // In the cell of a pair the points are enough, also typed before the pair: 1 and 10w are 10w1, unless 110 is a number.
    if (before && !before.points) {
      const pair = known.get(field).trim(), first = points.endsWith(pair) ? points.slice(0, -pair.length) : '';
      if (/^(2|1|½|0\.5|0)x?$/.test(points)) field.value = pair + points;
      else if (/^(2|1|½|0\.5|0)$/.test(first) && (first === '0' || !(parseInt(points, 10) in names))) field.value = pair + first;
    }
    const now = read(field.value);
    known.set(field, field.value);
    const opposite = half => half && lineOf.has(half.number) && half.number !== number ? fields[lineOf.get(half.number)][x] : null;
    const set = (other, text) => { other.value = text; known.set(other, text); other.removeAttribute('title'); };
    const old = opposite(before), other = opposite(now);
    const says = old && read(old.value);
    if (old && says && says.number === number && old !== other) set(old, '');
    field.removeAttribute('title');
    if (!now) return say('');
    if (!(now.number in names) || now.number === number) return say(`${words.unknown} (${now.number})`);
    const theirs = other && read(other.value);
    if (other && (!other.value.trim() || (theirs && theirs.number === number))) {
      // A result without a game can be a loss for both: what the other side says stays.
      const followed = before && other.value === mirror(before, number);
      if (followed || !(now.sign && theirs?.sign)) set(other, mirror(now, number));
    } else if (other) return say(`${words.other} ${now.number} ${names[now.number]}`);
    say(`${now.colour === 'w' ? words.white : words.black} ${now.number} ${names[now.number]}`);
    reachable();
  }

  /* --- a round: the name beside the number */

  function name(field) {
    const message = document.getElementById(field.getAttribute('aria-describedby'));
    const number = field.value.trim();
    const other = fields.flat().find(each => each !== field && each.tagName === 'INPUT' && number && each.value.trim() === number);
    const found = !number ? '' : names[number] ?? words.unknown;
    if (!message) return;
    message.textContent = other && names[number] ? `${found}. ${words.other} ${other.closest('[data-row]').dataset.row}` : found;
    message.classList.toggle('entry__message--bad', Boolean(number && (other || !(number in names))));
    say(message.textContent);
  }

  /* --- Tab goes only through what has to be typed; arrows and the pointer reach all fields */

  function reachable() {
    const all = inOrder(), first = all.find(isOpen) ?? all[0];
    const isStop = field => isOpen(field) || field === first || field === document.activeElement || field.hasAttribute('aria-invalid');
    places.forEach((_, field) => {
      const stop = isCrosstable ? isStop(field) : isRound ? !('given' in field.dataset) : field.hasAttribute('aria-invalid') || isPlayerStop(field);
      if (stop) field.removeAttribute('tabindex');
      else field.tabIndex = -1;
    });
  }

  /* --- players: a name typed as "Last, First" in the first field of a new row fills in its two fields */

  // A place is typed when the tournament is finished: in rows that were there when the page was opened.
  const wasThere = new Set(isCrosstable || isRound ? [] : fields.filter(line => line.some(field => field.value.trim())));
  function isPlayerStop(field) {
    const line = fields[places.get(field)[1]];
    if (wasThere.has(line)) return !isKnown(field) || field === line.at(-1);
    return !isKnown(field) && !('filled' in field.dataset);
  }
  function splitName(field) {
    const line = fields[places.get(field)[1]], typed = /^([^0-9,]+),([^,]*)$/.exec(field.value.trim());
    if (field !== line[0] || !typed || [line[1], line[2]].some(name => name.value.trim() && !('filled' in name.dataset))) return;
    [line[2].value, line[1].value] = [typed[1].trim(), typed[2].trim()];
    [line[1], line[2]].forEach(name => { name.dataset.filled = ''; });
    field.value = '';
    say(`${line[1].value} ${line[2].value}`.trim());
  }

  const changed = field => {
    if (isCrosstable) follow(field);
    else if (!isRound) { splitName(field); reachable(); }
    else if (field.tagName === 'INPUT') name(field);
  };

  form.addEventListener('change', event => { if (places.has(event.target)) changed(event.target); });
  form.addEventListener('focusin', event => {
    const at = form.elements.namedItem('at');
    if (at && places.has(event.target)) at.value = event.target.name;
    if (isCrosstable) {
      reachable();
      // Points typed into the cell of a pair replace it, and follow it: they never become a digit of its number.
      if (places.has(event.target) && event.target.value && isOpen(event.target)) event.target.select();
    }
  });
  form.addEventListener('keydown', event => {
    const field = event.target;
    if (!places.has(field) || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    // The browser chooses the next stop before it says that the field has changed.
    if (event.key === 'Tab') changed(field);
    const [x, y] = places.get(field), isText = field.tagName === 'INPUT';
    const start = !isText || (field.selectionStart === 0 && (field.selectionEnd === 0 || field.selectionEnd === field.value.length));
    const end = !isText || field.selectionEnd === field.value.length;
    const target = {
      ArrowDown: isText && fields[y + 1]?.[x], ArrowUp: isText && fields[y - 1]?.[x],
      ArrowLeft: start && fields[y][x - 1], ArrowRight: end && fields[y][x + 1],
    }[event.key];
    if (event.key === 'Enter') {
      event.preventDefault();
      changed(field);
      next(field);
    } else if (target) {
      event.preventDefault();
      changed(field);
      go(target);
    }
  });

  form.addEventListener('paste', event => {
    if (!places.has(event.target)) return;
    const text = event.clipboardData.getData('text/plain').replace(/\r/g, '').replace(/\n+$/, '');
    if (!/[\t\n;]/.test(text)) return;
    event.preventDefault();
    const [x, y] = places.get(event.target);
    const table = text.split('\n').map(line => line.split(text.includes('\t') ? '\t' : ';'));
    if (table.some((line, down) => line.some((_, right) => !fields[y + down]?.[x + right]))) {
      // It does not fit: nothing is cut off.
      const area = form.elements.namedItem('pasted');
      if (!area) return say(words.large);
      area.closest('details').open = true;
      area.value = text;
      return area.focus();
    }
    const holes = [];
    table.forEach((line, down) => line.forEach((cell, right) => {
      const field = fields[y + down][x + right], value = cell.trim();
      if (!value) return holes.push(field);
      if (field.tagName === 'SELECT') {
        const option = [...field.options].find(each => [each.value, each.textContent.trim()].includes(value));
        if (option) option.selected = true;
        else field.add(new Option(value, value, true, true));
      } else field.value = value;
    }));
    places.forEach((_, field) => { if (!isCrosstable || known.get(field) !== field.value) changed(field); });
    const empty = holes.filter(field => !field.value.trim()).map(nameOf);
    const more = empty.length > 10 ? `; + ${empty.length - 10}` : '';
    if (empty.length) say(`${words.empty} ${empty.slice(0, 10).join('; ')}${more}`);
  });

  reachable();
  if (isCrosstable && places.has(document.activeElement)) document.activeElement.select();
})();
