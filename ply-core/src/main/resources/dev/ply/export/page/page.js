// Puts the page together from the data blocks that follow this script.
function blocks(page) {
  const found = [];
  for (const block of page.querySelectorAll('script[type="application/json"]')) {
    try {
      found.push(JSON.parse(block.textContent));
    } catch {
      // The last block of a trace that was killed.
    }
  }
  return found;
}

function finalMaps(results) {
  const snapshots = results.filter(result => result.type === 'maps');
  const last = snapshots.findLast(snapshot => snapshot.occasion === 'final') || snapshots[snapshots.length - 1];
  return last ? last.maps : [];
}

function mapView(map) {
  const parts = [element('h2', {}, map.name + (map.aggregation ? ': ' + map.aggregation : ''))];
  if (map.rows.length === 0) return element('article', {}, ...parts, element('p', { class: 'faint' }, 'empty'));
  if (map.rows[0].s) {
    const count = row => row.n ?? (row.b || []).reduce((sum, bucket) => sum + bucket[0], 0);
    const stacks = map.rows.map(row => ({ frames: row.s, weight: count(row) })).filter(stack => stack.weight > 0);
    const unit = map.rows[0].b ? 'calls' : map.unit;
    const total = stacks.reduce((sum, stack) => sum + stack.weight, 0);
    const rows = [...byFunction(stacks)].map(([frame, { self, total: all }]) => [
      { text: map.frames[frame][0] }, { text: map.frames[frame][1] }, { text: map.frames[frame][2] },
      { text: shown(self, unit), value: self }, { text: shown(all, unit), value: all },
      { text: share(all, total), value: all }]);
    parts.push(flame({ name: map.name, frames: map.frames, stacks, unit }),
      element('details', {}, element('summary', {}, 'functions'),
        table([{ name: 'function' }, { name: 'kind' }, { name: 'module' }, { name: 'itself', number: true },
          { name: 'with callees', number: true }, { name: 'share', number: true }], rows)));
  } else if (map.rows.some(row => row.b)) {
    const weight = row => row.b.reduce((sum, bucket) => sum + bucket[0], 0);
    const most = [...map.rows].sort((a, b) => weight(b) - weight(a));
    for (const row of most.slice(0, 50)) {
      if (row.k.length) parts.push(element('h3', {}, row.k.join(', ')));
      parts.push(histogram(row.b, map.unit));
    }
    if (most.length > 50) parts.push(element('p', { class: 'faint' }, (most.length - 50) + ' more distributions with fewer values'));
  } else {
    const statistics = map.rows.some(row => row.c !== undefined);
    const columns = map.keys.map(name => ({ name }));
    if (statistics) columns.push({ name: 'count', number: true }, { name: 'average', number: true }, { name: 'total', number: true });
    else columns.push({ name: map.aggregation || 'value', number: map.rows.every(row => row.n !== undefined) });
    parts.push(table(columns, map.rows.map(row => [...row.k.map(text => ({ text })), ...(statistics
      ? [{ text: row.c.toLocaleString('en'), value: row.c }, { text: shown(row.c ? row.n / row.c : 0, map.unit), value: row.c ? row.n / row.c : 0 },
        { text: shown(row.n, map.unit), value: row.n }]
      : [{ text: row.t, value: row.n }])])));
  }
  return element('article', {}, ...parts);
}

function eventViews(results, end) {
  const views = [];
  const events = results.filter(result => result.type === 'event');
  if (events.length === 0) return views;
  const groups = new Map();
  for (const event of events) {
    const key = event.names ? JSON.stringify(event.names) : '';
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(event);
  }
  views.push(element('h2', {}, 'events'));
  const missing = (end?.events ?? 0) - events.length;
  if (missing > 0) views.push(element('p', { class: 'bad' }, missing.toLocaleString('en') + ' later events are not in this page'));
  for (const group of groups.values()) {
    const names = group[0].names || ['text'];
    views.push(table([{ name: 'ms', number: true, rising: true }, ...names.map(name => ({ name }))],
      group.map(event => [{ text: event.at.toLocaleString('en'), value: event.at },
        ...(event.values || [event.text]).map(text => ({ text, value: text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined }))])));
  }
  return views;
}

function draw() {
  const results = blocks(document);
  const of = type => results.find(result => result.type === type);
  const [start, attached, end] = [of('start'), of('attached'), of('end')];
  const messages = results.filter(result => result.type === 'message');
  const page = document.getElementById('page');
  page.append(element('h1', {}, 'Trace of ' + (start ? start.time : 'an unknown time')));
  if (attached) {
    page.append(element('p', {}, attached.probes + (attached.probes === 1 ? ' probe: ' : ' probes: ')
      + attached.sites.slice(0, 10).join(', ') + (attached.sites.length > 10 ? ', …' : '')));
  }
  page.append(element('p', { class: 'faint' }, end ? (end.at / 1000).toFixed(1) + ' s, then ' + end.reason
    : 'This trace did not end in order: the page has what it had written.'));
  messages.forEach(message => page.append(element('p', { class: message.severity === 'note' ? '' : 'bad' }, message.text)));
  finalMaps(results).forEach(map => page.append(mapView(map)));
  page.append(...eventViews(results, end));
  page.dataset.drawn = 'true';
}

document.addEventListener('DOMContentLoaded', draw);
