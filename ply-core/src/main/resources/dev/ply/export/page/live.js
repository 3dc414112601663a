// Takes the blocks of a trace that runs from the server of this page.
const MOST_LIVE_EVENTS = 2000;
// More are halved: a long trace has longer periods.
const MOST_LIVE_PERIODS = 600;
// Of so many rows the server may have left some out, which come and go.
const MANY_ROWS = 1000;

// Numbers what snapshots of a map number each in its own way as the page does: what is selected stays.
class SteadyNumbers {
  constructor() {
    this.known = new Map();
  }

  // The numbers of texts, and those that are new.
  of(values) {
    const added = [];
    const numbers = values.map(value => {
      const text = JSON.stringify(value);
      if (!this.known.has(text)) {
        this.known.set(text, this.known.size);
        added.push(value);
      }
      return this.known.get(text);
    });
    return { numbers, added };
  }
}

const steady = new Map();

function pairs(list) {
  const found = [];
  for (let i = 0; i < list.length; i += 2) found.push([list[i], list[i + 1]]);
  return found;
}

// A snapshot, which has everything, as the page expects one: with what is new since the last.
function following(block) {
  const sites = pairs(block.sites);
  const calls = [0];
  for (const [back, site] of pairs(block.calls)) {
    const [one, offset] = sites[site];
    const [name, kind, module] = block.functions[one];
    calls.push(trace.calls.call(calls[calls.length - back], name, offset, kind, module));
  }
  const maps = block.maps.map(map => {
    if (!steady.has(map.name)) steady.set(map.name, { keys: new SteadyNumbers(), ranges: new SteadyNumbers() });
    const { keys, ranges } = steady.get(map.name);
    const key = keys.of(map.known);
    const range = ranges.of(pairs(map.ranges));
    const rows = rowsOf(map.rows).map(row => ({ ...row, i: (map.stacks === 1 ? calls : key.numbers)[row.i],
      ...(row.b && { b: pairs(row.b).flatMap(([at, number]) => [range.numbers[at], number]) }) }));
    return { ...map, rows, known: key.added, ranges: range.added.flat() };
  });
  // What is newest replaces what was, as the end does.
  return { ...block, occasion: 'final', maps, functions: [], sites: [], calls: [] };
}

const latest = new Map();
let latestAt = null;

// What was added to a row since it was known; all of it after the script has cleared the map.
function grown(row, known) {
  if (!known || size(row) < size(known) && size(row) >= 0 || row.c < known.c) return row;
  const { b, ...less } = known;
  return plus(row, { ...less, n: -(known.n ?? 0), ...(known.c !== undefined && { c: -known.c }),
    ...(b && { b: b.map((one, index) => index % 2 ? -one : one) }) });
}

function changes(map, before) {
  const now = new Map();
  map.final.rows.forEach(row => now.set(row.i, now.has(row.i) ? plus(now.get(row.i), row) : row));
  latest.set(map.name, now);
  if (!before) return [];
  // A value that is stored is there before it changes.
  if (!map.adds && !map.periods.length) return [...now.values()];
  if (!map.adds) return [...now.values()].filter(row => JSON.stringify(row) !== JSON.stringify(before.get(row.i)));
  return [...now.values()].filter(row => before.has(row.i) || before.size < MANY_ROWS).map(row => grown(row, before.get(row.i)))
    .filter(row => row.c ?? (row.b ? row.b.some((one, index) => index % 2 && one) : row.n));
}

function halved(periods, adds) {
  const found = [];
  for (let i = 0; i < periods.length; i += 2) {
    const two = periods.slice(i, i + 2);
    found.push({ from: two[0].from, to: two.at(-1).to, rows: merged(two, adds) });
  }
  return found;
}

// Takes a snapshot, and keeps what was added since the last one as a period, so that a page that follows a trace shows
// all over time as one that was written at its end.
function takeSnapshot(block) {
  take(following(block));
  const printed = new Set(block.printed);
  const period = { from: latestAt, to: block.at };
  let isPeriod = false;
  for (const { name } of block.maps) {
    const map = trace.maps.get(name);
    map.isFollowed = true;
    const rows = changes(map, latest.get(name));
    if (printed.has(name)) {
      map.periods = [];
      if (rows.length || !map.printed.length) map.printed.push({ from: map.printed.at(-1)?.to ?? 0, to: block.at, rows: map.final.rows });
      if (map.printed.length > MOST_LIVE_PERIODS) map.printed = halved(map.printed, false);
    } else if (latestAt !== null) {
      map.periods.push({ ...period, rows });
      isPeriod = true;
    }
  }
  latestAt = block.at;
  if (!isPeriod) return;
  trace.periods.push(period);
  if (trace.periods.length > MOST_LIVE_PERIODS) {
    trace.periods = halved(trace.periods.map(one => ({ ...one, rows: [] })), false);
    trace.maps.forEach(map => { map.periods = halved(map.periods, map.adds); });
  }
}

// Takes a block; the page of a long trace does not grow.
function takeLive(block) {
  if (block.type === 'maps') {
    takeSnapshot(block);
  } else if (block.type === 'end') {
    // The line of the page's state tells what is missing.
    take({ ...block, events: trace.events.length });
  } else {
    take(block);
    if (trace.events.length > MOST_LIVE_EVENTS + 500) trace.events.splice(0, trace.events.length - MOST_LIVE_EVENTS);
  }
}

function follow() {
  trace.isLive = true;
  const line = element('p', { id: 'live', role: 'status' }, 'connecting');
  document.getElementById('page').prepend(line);
  const tell = (text, isBad) => {
    line.textContent = text;
    line.className = isBad ? 'bad' : 'faint';
  };
  const source = new EventSource(location.pathname.replace(/\/$/, '') + '/events');
  let isFollowing = false;
  let missing = [];
  source.onopen = () => {
    // The server begins anew with everything that it has kept.
    if (isFollowing) location.reload();
    isFollowing = true;
    tell('live', false);
  };
  source.onmessage = message => {
    const block = JSON.parse(message.data);
    if (block.type === 'live') missing = block.missing;
    else takeLive(block);
    if (block.type === 'end') source.close();
    tell([trace.end ? 'the trace has ended' : 'live', ...missing].join('; '), missing.length > 0);
  };
  source.onerror = () => tell('the connection is lost: this is what the page had', true);
}

document.addEventListener('DOMContentLoaded', follow);
