// Numbers over time as lines, those of the keys with most.
const MOST_LINES = 8;
const LINES = ['#0b7285', '#e8590c', '#5f3dc4', '#2b8a3e', '#c2255c', '#1864ab', '#b08900', '#5c6770'];
const LINES_DARK = ['#3bc9db', '#ff922b', '#b197fc', '#69db7c', '#faa2c1', '#74c0fc', '#ffd43b', '#adb5bd'];

// What a line shows of a row: a rate of what is added, an average, or the value itself.
function level(map, row, period) {
  if (row === undefined) return map.adds && row?.c === undefined ? 0 : null;
  if (row.c !== undefined) return row.c ? row.n / row.c : null;
  return map.adds && map.periods.length ? row.n * 1000 / Math.max(1, period.to - period.from) : row.n ?? null;
}

function lines(map) {
  const place = element('div', { class: 'graph lines' });
  let plot = null;
  let drawn = '';
  let statistics = false;
  const value = number => number === null || number === undefined ? '–'
    : shown(Math.abs(number) >= 100 ? Math.round(number) : Number(number.toPrecision(3)), map.unit)
      + (map.adds && map.periods.length > 0 && !statistics ? '/s' : '');

  function data() {
    const periods = map.overTime();
    statistics = periods.some(period => period.rows.some(row => row.c !== undefined));
    const sums = new Map();
    periods.forEach(period => period.rows.forEach(row => sums.set(row.i, (sums.get(row.i) ?? 0) + Math.abs(row.n ?? 0))));
    const keys = [...sums].sort((a, b) => b[1] - a[1]).slice(0, MOST_LINES).map(one => one[0]);
    const found = periods.map(period => new Map(period.rows.map(row => [row.i, row])));
    return { keys, more: sums.size - keys.length,
      values: [periods.map(period => period.to / 1000), ...keys.map(key => {
        let last = null;
        return periods.map((period, index) => {
          const row = found[index].get(key);
          // A value that has not changed stays.
          if (!map.adds) return last = row ? level(map, row, period) : last;
          return statistics && !row ? null : level(map, row, period);
        });
      })] };
  }

  function options(keys, width) {
    const colours = isDark() ? LINES_DARK : LINES;
    const axis = { stroke: colourOf('faint'), grid: { stroke: colourOf('line'), width: 1 }, ticks: { stroke: colourOf('line') },
      font: '12px ui-monospace, monospace' };
    return {
      width, height: 200,
      scales: { x: { time: false }, y: { range: (_, low, high) => [Math.min(0, low), high === low ? low + 1 : high * 1.05] } },
      legend: { live: true },
      cursor: { drag: { setScale: false, x: true, y: false }, points: { size: 6 } },
      axes: [{ ...axis, size: 32, values: (_, all) => all.map(one => one + ' s') },
        { ...axis, size: 90, values: (_, all) => all.map(value) }],
      series: [{ label: 'time', value: (_, one) => one === null ? '' : one.toFixed(1) + ' s' },
        ...keys.map((key, index) => ({ label: map.known[key].join(', ') || map.name, stroke: colours[index], width: 1.5,
          points: { show: map.overTime().length < 60, size: 4, fill: colours[index] }, value: (_, one) => value(one) }))],
      hooks: { setSelect: [chart => {
        if (chart.select.width < 3) return;
        const [from, to] = [chart.posToVal(chart.select.left, 'x'), chart.posToVal(chart.select.left + chart.select.width, 'x')];
        const hit = map.overTime().filter(period => period.to / 1000 >= from && period.to / 1000 <= to);
        chart.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
        choose(hit.length ? [hit[0].from || hit[0].to - 1, hit.at(-1).to] : null);
      }], draw: [chart => {
        const { ctx: pen, bbox } = chart;
        pen.save();
        const pixel = at => Math.max(bbox.left, Math.min(bbox.left + bbox.width, chart.valToPos(at / 1000, 'x', true)));
        pen.translate(0, bbox.top);
        drawRanges(pen, pixel, bbox.left, bbox.left + bbox.width, bbox.height);
        pen.restore();
      }] },
    };
  }

  function draw() {
    if (map.overTime().length < 2 || typeof uPlot === 'undefined') return;
    const { keys, values, more } = data();
    const width = Math.max(300, place.clientWidth || 1000);
    const wanted = keys.join() + width + isDark();
    if (plot && drawn === wanted) {
      plot.setData(values);
      return;
    }
    plot?.destroy();
    drawn = wanted;
    plot = new uPlot(options(keys, width), values, place);
    place.dataset.lines = keys.length;
    rest.textContent = more > 0 ? grouped(more) + ' more keys with less are in the table alone' : '';
  }

  const rest = element('p', { class: 'faint' });
  new ResizeObserver(() => requestAnimationFrame(draw)).observe(place);
  return { element: element('section', {}, place, rest), draw };
}
