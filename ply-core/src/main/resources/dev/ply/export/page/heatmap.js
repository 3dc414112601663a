// Distributions over time: a column for each period, a row for each range of values.
const LEFT = 84;
const CELL = 16;

function heatmap(map) {
  const canvas = element('canvas', { tabindex: 0, role: 'img', 'aria-label': 'distribution of ' + map.name + ' over time; drag to select a range' });
  const about = element('p', { class: 'about' });
  const key = element('select', { 'aria-label': 'which distribution', change: () => draw() });
  const graph = element('div', { class: 'graph' }, canvas);
  let cells = new Map();
  let rows = [];
  const end = () => map.overTime().at(-1).to;
  const view = {
    periods: () => map.overTime(),
    pixel: at => LEFT + at / Math.max(end(), 1) * (view.width - LEFT),
    time: pixel => (pixel - LEFT) / (view.width - LEFT) * end(),
    draw,
  };

  function counts() {
    const chosen = key.value === '' ? null : Number(key.value);
    cells = new Map();
    const used = new Set();
    for (const period of map.overTime()) {
      const counted = new Map();
      for (const row of period.rows) {
        if (chosen !== null && row.i !== chosen) continue;
        for (let i = 0; i < (row.b?.length ?? 0); i += 2) {
          counted.set(row.b[i], (counted.get(row.b[i]) ?? 0) + row.b[i + 1]);
          used.add(row.b[i]);
        }
      }
      cells.set(period, counted);
    }
    const lows = map.ranges.map((range, index) => [range[0], index]).sort((a, b) => a[0] - b[0]).map(one => one[1]);
    const last = lows.findLastIndex(one => used.has(one));
    rows = lows.slice(Math.max(0, lows.findIndex(one => used.has(one))), last + 1);
  }

  function options() {
    if (map.keys.length === 0) return;
    const sums = merged(map.overTime(), true).sort((a, b) => size(b) - size(a)).slice(0, 100);
    const value = key.value;
    key.replaceChildren(element('option', { value: '' }, 'all keys'),
      ...sums.map(row => element('option', { value: row.i }, map.known[row.i].join(', '))));
    key.value = sums.some(row => String(row.i) === value) ? value : '';
  }

  function colour(part, dark) {
    const p = Math.sqrt(part);
    return dark ? 'hsl(' + (248 - 66 * p) + ' ' + (42 + 22 * p) + '% ' + (21 + 49 * p) + '%)'
      : 'hsl(' + (212 + 50 * p) + ' ' + (70 + 10 * p) + '% ' + (91 - 61 * p) + '%)';
  }

  function draw() {
    if (map.overTime().length === 0) return;
    counts();
    view.width = Math.max(300, graph.clientWidth || 1000);
    const height = rows.length * CELL + 20;
    const pen = prepared(canvas, view.width, height);
    const rate = (period, count) => count / Math.max(1, period.to - period.from);
    let most = 1e-12;
    cells.forEach((counted, period) => counted.forEach(count => { most = Math.max(most, rate(period, count)); }));
    const dark = isDark();
    const y = level => (rows.length - 1 - level) * CELL;
    cells.forEach((counted, period) => {
      const [from, to] = [view.pixel(period.from), view.pixel(period.to)];
      rows.forEach((range, level) => {
        const count = counted.get(range);
        if (!count) return;
        pen.fillStyle = colour(rate(period, count) / most, dark);
        pen.fillRect(from, y(level), Math.max(to - from - (to - from > 5 ? 1 : 0), 0.6), CELL - 1);
      });
    });
    pen.fillStyle = colourOf('faint');
    pen.textBaseline = 'middle';
    pen.textAlign = 'right';
    rows.forEach((range, level) => pen.fillText(lowEnd(map.ranges[range], map.unit), LEFT - 8, y(level) + CELL / 2));
    pen.textAlign = 'left';
    pen.textBaseline = 'bottom';
    for (const at of steps(0, end() / 1000, view.width - LEFT)) {
      const label = Number(at.toPrecision(6)) + ' s';
      pen.fillText(label, Math.min(view.pixel(at * 1000), view.width - pen.measureText(label).width), height);
    }
    drawRanges(pen, view.pixel, LEFT, view.width, rows.length * CELL);
    canvas.dataset.rows = rows.length;
    canvas.dataset.columns = cells.size;
  }

  canvas.addEventListener('mousemove', event => {
    const box = canvas.getBoundingClientRect();
    const at = view.time(event.clientX - box.left);
    const range = rows[rows.length - 1 - Math.floor((event.clientY - box.top) / CELL)];
    const found = [...cells].find(([period]) => at >= period.from && at < period.to);
    if (range === undefined || !found) return;
    const [period, counted] = found;
    const total = [...counted.values()].reduce((sum, one) => sum + one, 0);
    const count = counted.get(range) ?? 0;
    about.textContent = shownRange([period.from, period.to]) + '   ' + limits(map.ranges[range], map.unit) + '   '
      + grouped(count) + (total ? ', ' + share(count, total) : '');
  });
  selects(canvas, view);
  new ResizeObserver(() => requestAnimationFrame(draw)).observe(graph);
  const made = element('section', {}, map.keys.length ? element('div', { class: 'bar' }, key) : '', graph, about);
  return { element: made, draw: () => { options(); draw(); } };
}
