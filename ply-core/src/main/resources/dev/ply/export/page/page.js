// Puts the page together from data blocks: those that follow this script, and any that come later.
const trace = new Trace();
const views = { maps: new Map(), state: {}, isPending: false };

// Takes one more block of the trace; what it changes is drawn in the next frame.
function take(block) {
  trace.take(block);
  later();
}

function later() {
  if (!views.isPending) {
    views.isPending = true;
    requestAnimationFrame(draw);
  }
}

// Puts an element in a part of the page anew, if what it shows has another state than the last time.
function part(name, state, make) {
  if (views.state[name] === state) return;
  views.state[name] = state;
  document.getElementById(name).replaceChildren(...make());
}

function count(number, what) {
  return grouped(number) + ' ' + what + (number === 1 ? '' : 's');
}

function costView({ elapsed, tracer, measuring, probes }) {
  const programs = probes.reduce((sum, probe) => sum + probe.time, 0);
  const rows = probes.map(probe => [{ text: probe.name }, { text: probe.mechanism },
    { text: grouped(probe.hits), value: probe.hits },
    { text: probe.hits ? shown(Math.round(probe.time / probe.hits), 'nanoseconds') : '', value: probe.hits ? probe.time / probe.hits : 0 },
    { text: share(probe.time, elapsed), value: probe.time }]);
  const all = table([{ name: 'probe' }, { name: 'attached by' }, { name: 'hits', number: true },
    { name: 'each', number: true }, { name: 'of a CPU', number: true }], []);
  all.update(rows);
  return element('details', {}, element('summary', {}, 'cost: ' + share(programs + tracer, elapsed) + ' of a CPU, '
    + share(programs, elapsed) + ' in probes, ' + share(tracer, elapsed) + ' in the tracer'
    + '; measuring added ' + shown(measuring, 'nanoseconds') + ' to each hit'), all.element);
}

function heading() {
  const { start, attached, end, cost, messages } = trace;
  const parts = [element('h1', {}, start?.command || 'Trace')];
  const facts = [start && ['started', new Date(start.time).toISOString().slice(0, 19).replace('T', ' ') + ' UTC'],
    [end ? 'ran' : 'so far', seconds((end ?? { at: trace.last }).at) + ' s' + (end ? ', then ' + end.reason : '')],
    start?.machine && ['machine', start.machine],
    start && ['kernel', (start.kernel ? 'Linux ' + start.kernel + ' ' : '') + start.architecture],
    attached && ['probes', grouped(attached.probes)]];
  parts.push(element('p', { class: 'facts' }, ...facts.filter(Boolean).map(([name, text]) =>
    element('span', {}, element('b', {}, name), ' ' + text))));
  if (!end && !trace.isLive) parts.push(element('p', { class: 'bad' }, 'This trace did not end in order: the page has what it had written.'));
  messages.forEach(message => parts.push(element('p', { class: message.severity === 'note' ? 'note' : 'bad' }, message.text)));
  const kept = end && end.events - trace.events.length;
  if (kept > 0) parts.push(element('p', { class: 'bad' }, count(kept, 'later event') + ' not in this page'));
  if (end?.unprinted > 0) parts.push(element('p', { class: 'bad' }, count(end.unprinted, 'later printed map') + ' not in this page'));
  const long = trace.periods.at(-1);
  if (end && trace.periods.length > 1 && long.to - long.from > 2 * (trace.periods.at(-2).to - trace.periods.at(-2).from) + 2000) {
    parts.push(element('p', { class: 'note' }, 'The time from ' + shownRange([long.from, long.to]) + ' is one period: the page had no room for more.'));
  }
  if (end && !messages.some(message => message.severity === 'loss')) parts.push(element('p', { class: 'faint' }, 'nothing lost'));
  if (start?.script) {
    parts.push(element('details', { open: start.script.split('\n').length <= 12 && !start.command.includes(start.script) }, element('summary', {}, 'script'), element('pre', {}, start.script)));
  }
  if (attached?.sites.length) {
    parts.push(element('details', {}, element('summary', {}, 'probe sites'), element('p', { class: 'sites' },
      attached.sites.join(', ') + (attached.sites.length < attached.probes ? ', …' : ''))));
  }
  if (cost) parts.push(costView(cost));
  return parts;
}

function eventViews(events) {
  const groups = new Map();
  for (const event of events) {
    const key = event.names ? JSON.stringify(event.names) : '';
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(event);
  }
  const parts = events.length ? [element('h2', {}, 'events')] : [];
  for (const group of groups.values()) {
    const names = group[0].names || ['text'];
    const view = table([{ name: 'ms', number: true, rising: true }, ...names.map(name => ({ name }))], []);
    view.update(group.map(event => [{ text: grouped(event.at), value: event.at },
      ...(event.values || [event.text]).map(text => ({ text, value: text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined }))]));
    parts.push(view.element);
  }
  return parts;
}

function draw() {
  views.isPending = false;
  const { start, attached, cost, messages, events, end } = trace;
  document.title = (start?.command || 'ply') + (start?.machine ? ' · ' + start.machine : '');
  part('heading', [!!start, !!attached, JSON.stringify(cost), messages.length, !!end, trace.isLive, trace.isLive && trace.last].join(), heading);
  if (trace.times().length > 1) {
    if (!views.time) {
      views.time = timeBar(trace);
      document.getElementById('time').append(views.time.element);
    }
    views.time.draw();
  }
  for (const map of trace.ordered()) {
    if (!views.maps.has(map.name)) {
      const view = mapView(map, trace);
      views.maps.set(map.name, view);
      document.getElementById('maps').append(view.element);
    }
    views.maps.get(map.name).update();
  }
  part('events', events.length + ' ' + time.range, () => eventViews(time.range
    ? events.filter(event => event.at >= time.range[0] && event.at < time.range[1]) : events));
  document.getElementById('page').dataset.drawn = 'true';
  performance.mark('drawn');
}

function redraw() {
  views.time?.draw();
  views.maps.forEach(view => view.draw());
}

document.addEventListener('DOMContentLoaded', () => {
  const theme = element('button', { type: 'button', class: 'theme', title: 'light or dark', 'aria-label': 'light or dark', click: () => {
    document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
    redraw();
  } }, '◐');
  document.getElementById('page').append(theme, ...['heading', 'time', 'maps', 'events'].map(id => element('div', { id })));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  time.changed = later;
  blocks(document).forEach(block => trace.take(block));
  draw();
});
