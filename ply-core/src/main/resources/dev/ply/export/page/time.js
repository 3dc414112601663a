// The range of time that all views show, and the one that they compare it with; milliseconds since the start.
const time = { range: null, earlier: null, changed: () => {} };

function choose(range) {
  time.range = range && range[1] > range[0] ? range : null;
  time.changed();
}

function seconds(milliseconds) {
  return (milliseconds / 1000).toFixed(1);
}

function shownRange([from, to]) {
  return seconds(from) + '–' + seconds(to) + ' s';
}

function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

function colourOf(name) {
  return getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
}

// A canvas in the pixels of the screen, with its pen.
function prepared(canvas, width, height) {
  const pixels = devicePixelRatio || 1;
  canvas.style.width = width + 'px';
  canvas.style.height = height + 'px';
  canvas.width = width * pixels;
  canvas.height = height * pixels;
  const pen = canvas.getContext('2d');
  pen.scale(pixels, pixels);
  pen.font = '12px ui-monospace, monospace';
  return pen;
}

// Round steps of an axis of seconds, some 100 pixels apart.
function steps(from, to, width) {
  const least = (to - from) / Math.max(1, width / 100);
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1e-9)));
  const step = power * [1, 2, 5, 10].find(one => one * power >= least);
  const found = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) found.push(at);
  return found;
}

// Selects a range of the periods of a canvas by dragging, a period by a click, all by Escape; arrows move it.
function selects(canvas, view) {
  let begin = null;
  const at = event => view.time(event.clientX - canvas.getBoundingClientRect().left);
  const range = (a, b) => {
    const hit = view.periods().filter(period => period.to > Math.min(a, b) && period.from <= Math.max(a, b));
    return hit.length ? [hit[0].from, hit[hit.length - 1].to] : null;
  };
  canvas.addEventListener('pointerdown', event => {
    begin = at(event);
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', event => {
    if (begin !== null && Math.abs(view.pixel(begin) - view.pixel(at(event))) > 3) {
      time.range = range(begin, at(event));
      view.draw();
    }
  });
  canvas.addEventListener('pointerup', event => {
    if (begin !== null) choose(range(begin, at(event)));
    begin = null;
  });
  canvas.addEventListener('keydown', event => {
    const periods = view.periods();
    const first = time.range ? periods.findIndex(one => one.to > time.range[0]) : -1;
    const last = time.range ? periods.findLastIndex(one => one.from < time.range[1]) : -1;
    const to = (from, end) => choose(periods[from] && periods[end] ? [periods[from].from, periods[end].to] : time.range);
    if (event.key === 'Escape') choose(null);
    else if (event.key === 'ArrowRight') to(event.shiftKey ? Math.max(first, 0) : last + 1, last + 1);
    else if (event.key === 'ArrowLeft') to(event.shiftKey ? first : Math.max(first, 1) - 1, event.shiftKey ? last - 1 : Math.max(first, 1) - 1);
    else return;
    event.preventDefault();
  });
}

// Darkens what is outside of the selected range, and underlines the one to compare with.
function drawRanges(pen, pixel, left, right, height) {
  if (time.range) {
    pen.fillStyle = isDark() ? 'rgb(20 23 28 / 65%)' : 'rgb(255 255 255 / 70%)';
    pen.fillRect(left, 0, pixel(time.range[0]) - left, height);
    pen.fillRect(pixel(time.range[1]), 0, right - pixel(time.range[1]), height);
    pen.fillStyle = colourOf('accent');
    pen.fillRect(pixel(time.range[0]), 0, 1, height);
    pen.fillRect(pixel(time.range[1]) - 1, 0, 1, height);
  }
  if (time.earlier) {
    pen.fillStyle = colourOf('then');
    pen.fillRect(pixel(time.earlier[0]), height - 3, pixel(time.earlier[1]) - pixel(time.earlier[0]), 3);
  }
}

// The bar that stays in sight: how much was counted when, and what is selected.
function timeBar(trace) {
  const canvas = element('canvas', { tabindex: 0, role: 'img', 'aria-label': 'updates over time; drag to select a range' });
  const about = element('span', { class: 'about' });
  const view = {
    periods: () => trace.times(),
    pixel: at => at / Math.max(trace.last, 1) * view.width,
    time: pixel => pixel / view.width * trace.last,
    draw,
  };
  const all = element('button', { type: 'button', click: () => choose(null) }, 'whole trace');
  const compare = element('button', { type: 'button', click: () => {
    time.earlier = time.earlier ? null : time.range;
    choose(time.earlier ? null : time.range);
  } }, '');

  function counted() {
    const sums = new Map();
    for (const map of trace.maps.values()) {
      for (const period of map.overTime()) {
        const sum = period.rows.reduce((total, row) => total + (map.adds && map.unit !== 'bytes' ? row.c ?? size(row) : 1), 0);
        sums.set(period.from + ' ' + period.to, (sums.get(period.from + ' ' + period.to) ?? 0) + sum / Math.max(1, period.to - period.from));
      }
    }
    return sums;
  }

  function draw() {
    view.width = Math.max(200, bar.clientWidth || 1000);
    const height = 44;
    const pen = prepared(canvas, view.width, height);
    const sums = counted();
    const most = Math.max(...sums.values(), 1e-9);
    pen.fillStyle = colourOf('soft-accent');
    for (const period of view.periods()) {
      const [from, to] = [view.pixel(period.from), view.pixel(period.to)];
      const high = (sums.get(period.from + ' ' + period.to) ?? 0) / most * (height - 18);
      pen.fillRect(from, height - 14 - high, Math.max(to - from - (to - from > 4 ? 1 : 0), 0.5), high);
    }
    pen.fillStyle = colourOf('line');
    pen.fillRect(0, height - 14, view.width, 1);
    pen.fillStyle = colourOf('faint');
    pen.textBaseline = 'bottom';
    for (const at of steps(0, trace.last / 1000, view.width)) {
      const label = Number(at.toPrecision(6)) + ' s';
      const x = view.pixel(at * 1000);
      pen.fillText(label, Math.min(x + 2, view.width - pen.measureText(label).width), height);
      pen.fillRect(x, height - 14, 1, 4);
    }
    drawRanges(pen, view.pixel, 0, view.width, height - 13);
    const compared = time.earlier ? ' compared with ' + shownRange(time.earlier) : '';
    about.textContent = time.range ? shownRange(time.range) + compared : compared ? 'whole trace' + compared : 'drag to select a range';
    all.hidden = !time.range;
    compare.hidden = !time.range && !time.earlier;
    compare.textContent = time.earlier ? 'end comparison' : 'compare others with this range';
  }

  selects(canvas, view);
  const bar = element('div', { class: 'time' }, canvas, element('div', { class: 'bar' }, about, all, compare));
  new ResizeObserver(() => requestAnimationFrame(draw)).observe(bar);
  return { element: bar, draw };
}
