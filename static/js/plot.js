/* Ratings by list, read with the pointer: uPlot draws again what the server has drawn, its legend says the ratings on the
   list under the pointer, and dragging zooms. Lines and colours are those of the server's drawing, which stays for paper
   and for readers without this script. Where a form chooses the lists, dragging chooses them in the form. */
(() => {
  let plot;

  // As wide as the page, as high as the server's drawing of this width.
  const sizeIn = figure => ({width: figure.clientWidth, height: figure.clientWidth < 600 ? 240 : 280});

  function draw() {
    plot?.destroy();
    plot = undefined;
    const figure = document.querySelector('[data-figures]');
    if (!figure) return;
    const {label, days, lines, guides, goal} = JSON.parse(figure.dataset.figures);
    if (days.length < 2) return;
    const drawing = figure.querySelector('.plot__svg'), seconds = days.map(each => Date.parse(each.in_force) / 1000);
    const form = figure.closest('#drawn')?.querySelector('form'), {from, to} = form?.elements ?? {}, zooms = !form || Boolean(from);
    const styleOf = selector => getComputedStyle(drawing.querySelector(selector));
    const text = styleOf('.plot__text'), grid = {stroke: styleOf('.plot__grid').stroke, width: 1};
    const axis = {font: `${text.fontSize} ${text.fontFamily}`, stroke: text.fill};
    const seriesOf = (name, path) => {
      const {stroke, strokeWidth, strokeDasharray} = getComputedStyle(path);
      const dash = strokeDasharray === 'none' ? [] : strokeDasharray.split(',').map(parseFloat);
      return {label: name, stroke, dash, width: parseFloat(strokeWidth), spanGaps: true, value: (_, rating) => rating ?? '–'};
    };
    const points = {show: days.length <= 60, size: 7, fill: styleOf('.plot__dot').fill};
    const series = [
      {label, value: (_, __, ___, place) => days[place ?? days.length - 1].day},
      ...lines.map(({name}, place) => ({...seriesOf(name, drawing.querySelectorAll('.plot__line')[place]), points})),
      ...(goal ? [{...seriesOf(goal.name, drawing.querySelector('.plot__goal')), points: {show: false}}] : []),
    ];

    // The sign of a line in the legend: a piece of it, as wide as plot.css says.
    function signOf(_, place) {
      const {stroke, dash} = series[place];
      let end = 0;
      const parts = (dash.length ? dash : [28]).map((length, part) => `${part % 2 ? 'transparent' : stroke} ${end}px ${end += length}px`);
      return `repeating-linear-gradient(90deg, ${parts}) 0 50% / 100% 2px no-repeat`;
    }

    function choose(first, last) {
      from.value = first;
      to.value = last;
      form.requestSubmit();
    }

    // A month below as many lists as have room, from the last one back.
    function labelled(self, _, first, last) {
      const shown = [];
      for (const each of seconds.filter(each => each >= first && each <= last).reverse())
        if (!shown.length || self.valToPos(shown.at(-1), 'x') - self.valToPos(each, 'x') >= 80) shown.push(each);
      return shown.reverse();
    }

    function zoom(self) {
      const {left, width} = self.select, first = self.posToVal(left, 'x'), last = self.posToVal(left + width, 'x');
      const inside = days.filter((_, place) => seconds[place] >= first && seconds[place] <= last);
      if (inside.length > 1) choose(inside[0].in_force, inside.at(-1).in_force);
      else self.setSelect({left: 0, width: 0}, false);
    }

    plot = new uPlot({
      ...sizeIn(figure),
      padding: [12, 40, null, null],
      legend: {markers: {width: 0, fill: signOf}},
      cursor: {
        y: false,
        points: {fill: (_, place) => series[place].stroke, size: (_, place) => place > lines.length ? 0 : 9},
        drag: {x: zooms, setScale: !form},
        bind: from ? {dblclick: () => () => choose('', '')} : {},
      },
      scales: {y: {range: [guides[0], guides.at(-1)]}},
      axes: [
        {...axis, grid: {show: false}, size: 30, ticks: {...grid, size: 4}, splits: labelled, values: (_, splits) => splits.map(each => days[seconds.indexOf(each)].month)},
        {...axis, grid, ticks: {show: false}, size: 44, splits: () => guides, values: (_, splits) => splits.map(String)},
      ],
      series,
      hooks: {
        // Without a pointer the legend says the last list that is shown.
        setLegend: [self => {
          if (self.legend.idx === null) self.setLegend({idx: seconds.findLastIndex(each => each <= (self.scales.x.max ?? Infinity))}, false);
        }],
        setSelect: [self => { if (from && self.select.width) zoom(self); }],
      },
    }, [seconds, ...lines.map(({ratings}) => ratings), ...(goal ? [days.map(() => goal.rating)] : [])]);
    const canvas = plot.root.querySelector('canvas');
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', [...drawing.querySelectorAll('title, desc')].slice(0, 2).map(each => each.textContent).join('. '));
    figure.prepend(plot.root);
    figure.classList.add('plot--live');
    figure.querySelector('.plot__hint').hidden = !zooms;
  }

  addEventListener('DOMContentLoaded', () => {
    draw();
    document.body.addEventListener('htmx:afterSettle', draw);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
    new MutationObserver(draw).observe(document.documentElement, {attributeFilter: ['data-theme']});
    addEventListener('resize', () => plot?.setSize(sizeIn(plot.root.parentElement)));
  });
})();
