// The view of a map, by what it has: stacks, distributions, or numbers and texts.
const MOST_BARS = 12;


function stackView(map, trace) {
  const graph = flame({ name: map.name, all: trace.calls });
  const functions = table([{ name: 'function' }, { name: 'kind' }, { name: 'module' }, { name: 'itself', number: true },
    { name: 'with callees', number: true }, { name: 'share', number: true }], []);
  const details = element('details', {}, element('summary', {}, 'functions'), functions.element);
  const isSampled = map.period !== undefined;
  function weights(rows) {
    const all = new Float64Array(trace.calls.callers.length);
    for (const row of rows) all[row.i] += Math.max(0, size(row));
    return all;
  }
  function list() {
    if (!details.open) return;
    const unit = isSampled ? 'calls' : map.unit;
    const tree = graph.tree();
    const { self, total } = tree.byFunction();
    const rows = [];
    trace.calls.functions.forEach(([name, kind, module], index) => {
      if (total[index] === 0) return;
      rows.push([{ text: name }, { text: kind }, { text: module }, { text: shown(self[index], unit), value: self[index] },
        { text: shown(total[index], unit), value: total[index] }, { text: share(total[index], tree.totals[0]), value: total[index] }]);
    });
    functions.update(rows);
  }
  details.addEventListener('toggle', list);
  return {
    parts: [graph.element, details],
    update: () => {
      graph.update(weights(map.rows(time.range)), time.earlier && weights(map.rows(time.earlier)),
        map.rows(null)[0]?.b ? 'calls' : map.unit);
      list();
    },
    draw: graph.draw,
  };
}

function distributionView(map) {
  const heat = heatmap(map);
  const bars = element('div', { class: 'many' });
  const rest = element('p', { class: 'faint' });
  const columns = [...map.keys.map(name => ({ name })), { name: 'values', number: true },
    ...['p50', 'p90', 'p99', 'max'].map(name => ({ name, number: true }))];
  const keys = table(columns, []);
  function update() {
    const rows = map.rows(time.range).filter(row => size(row) > 0).sort((a, b) => size(b) - size(a));
    bars.replaceChildren(...rows.slice(0, MOST_BARS).map(row => element('div', {},
      map.keys.length ? element('h3', {}, map.known[row.i].join(', ')) : '', histogram(bucketsOf(map, row), map.unit))));
    rest.textContent = rows.length > MOST_BARS ? 'bars of the ' + MOST_BARS + ' with most values' : rows.length ? '' : 'no values';
    if (map.keys.length) {
      keys.update(rows.map(row => {
        const buckets = bucketsOf(map, row);
        return [...map.known[row.i].map(text => ({ text })), { text: grouped(size(row)), value: size(row) },
          ...[0.5, 0.9, 0.99, 1].map(part => {
            const [, low, high] = percentile(buckets, part);
            return { text: limits([low, high], map.unit), value: low };
          })];
      }));
    }
    heat.element.hidden = map.overTime().length < 2;
    heat.draw();
  }
  return { parts: [heat.element, map.keys.length ? keys.element : '', rest, bars], update, draw: heat.draw };
}

function numberView(map) {
  const all = () => [map.final, ...map.overTime()].filter(Boolean).flatMap(one => one.rows);
  const statistics = all().some(row => row.c !== undefined);
  const isNumber = all().every(row => row.n !== undefined);
  const compared = { name: 'before', number: true };
  const value = { name: map.aggregation || 'value', number: isNumber };
  const columns = () => [...map.keys.map(name => ({ name })), ...(statistics
    ? [{ name: 'count', number: true }, { name: 'average', number: true }, { name: 'total', number: true }]
    : [value, ...(map.adds && isNumber ? [{ name: 'share', number: true }] : [])]), ...(time.earlier ? [compared] : [])];
  const rows = table(columns(), []);
  const chart = lines(map);
  const text = row => row.t ?? shown(row.n, map.unit);
  function update() {
    const now = map.rows(time.range);
    const before = new Map((time.earlier ? map.rows(time.earlier) : []).map(row => [row.i, row]));
    const total = now.reduce((sum, row) => sum + (row.n ?? 0), 0);
    rows.update(now.map(row => [...map.known[row.i].map(part => ({ text: part })), ...(statistics
      ? [{ text: grouped(row.c), value: row.c },
        { text: shown(row.c ? Number((row.n / row.c).toPrecision(4)) : 0, map.unit), value: row.c ? row.n / row.c : 0 },
        { text: shown(row.n, map.unit), value: row.n }]
      : [{ text: text(row), value: row.n }, ...(map.adds && isNumber ? [{ text: share(row.n, total), value: row.n }] : [])]),
    ...(time.earlier ? [before.has(row.i) ? { text: text(before.get(row.i)), value: before.get(row.i).n } : { text: '', value: 0 }] : [])]),
    columns());
    chart.element.hidden = map.overTime().length < 2 || !(isNumber || statistics) || map.overTime().every(one => one.rows.length === 0);
    if (!chart.element.hidden) chart.draw();
  }
  return { parts: [chart.element, rows.element], update, draw: () => { if (!chart.element.hidden) chart.draw(); } };
}

// A view that is made when the map has rows, and brought up to date when they or the chosen time change.
function mapView(map, trace) {
  const note = element('p', { class: 'faint' });
  const article = element('article', {}, element('h2', {}, map.name,
    map.aggregation ? element('span', { class: 'faint' }, ' ' + map.aggregation + '(' + (map.unit === 'calls' || map.unit === 'none' ? '' : map.unit) + ')') : ''), note);
  let view = null;
  let state = '';
  return {
    element: article,
    draw: () => view?.draw(),
    update: () => {
      const now = map.changes + ' ' + time.range + ' ' + time.earlier;
      if (now === state) return;
      state = now;
      const isEmpty = !map.final?.rows.length && map.overTime().every(period => period.rows.length === 0);
      note.textContent = isEmpty ? 'empty' : !time.range && map.final && map.isCleared()
        ? 'the script clears this map: these are all of its updates' : '';
      if (isEmpty) return;
      if (!view) {
        const hasBars = !map.stacks && [map.final, ...map.overTime()].filter(Boolean).some(one => one.rows.some(row => row.b));
        view = map.stacks ? stackView(map, trace) : hasBars ? distributionView(map) : numberView(map);
        article.append(...view.parts);
      }
      view.update();
    },
  };
}
