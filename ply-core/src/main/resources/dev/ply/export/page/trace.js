// What the blocks of a trace say, as the views read it.
class TracedMap {
  constructor(name) {
    this.name = name;
    this.known = [];
    this.ranges = [];
    this.final = null;
    this.periods = [];
    this.printed = [];
    this.changes = 0;
    // Its numbers are those of now, and its periods begin when the page was opened.
    this.isFollowed = false;
  }

  take(map, block) {
    if (map.keys) Object.assign(this, { aggregation: map.aggregation, unit: map.unit, keys: map.keys, adds: map.adds === 1, stacks: map.stacks === 1, period: map.period });
    for (const key of map.known) this.known.push(key);
    for (let i = 0; i < map.ranges.length; i += 2) this.ranges.push([map.ranges[i], map.ranges[i + 1]]);
    const read = { from: block.from ?? 0, to: block.at, rows: rowsOf(map.rows) };
    if (block.occasion === 'final') this.final = read;
    else if (block.occasion === 'added') this.periods.push(read);
    else this.printed.push(read);
    this.changes++;
  }

  // What is shown over time: what was added in each period, else what the script printed.
  overTime() {
    return this.periods.length ? this.periods : this.printed;
  }

  // Whether the script has cleared the map, so that its end is not the whole.
  isCleared() {
    if (this.isFollowed || !this.adds || !this.final || !this.periods.length) return false;
    const sum = rows => rows.reduce((total, row) => total + (row.c ?? size(row)), 0);
    return this.periods.reduce((total, period) => total + sum(period.rows), 0) > sum(this.final.rows);
  }

  // The rows of a range, or of the whole trace.
  rows(range) {
    if (range) return merged(within(this.overTime(), range), this.adds && this.periods.length > 0);
    if (this.final && !this.isCleared()) return merged([this.final], this.adds || this.stacks);
    if (this.periods.length) return merged(this.periods, this.adds);
    return this.printed.length ? merged(this.printed.slice(-1), this.stacks) : [];
  }
}

// A row is an object, or a number alone after its key's number, less that of the row with a number before.
function rowsOf(written) {
  const rows = [];
  let key = 0;
  for (let at = 0; at < written.length; at++) {
    rows.push(typeof written[at] === 'number' ? { i: key += written[at], n: written[++at] } : written[at]);
  }
  return rows;
}

function within(periods, [from, to]) {
  return periods.filter(period => (period.from + period.to) / 2 >= from && (period.from + period.to) / 2 < to);
}

// What a row counts: its number, or how many values its distribution has.
function size(row) {
  if (row.n !== undefined || !row.b) return row.n ?? 0;
  let sum = 0;
  for (let i = 1; i < row.b.length; i += 2) sum += row.b[i];
  return sum;
}

// One row for each key of some periods: sums, or the last values.
function merged(periods, adds) {
  if (periods.length === 1) return periods[0].rows;
  const rows = new Map();
  for (const period of periods) {
    for (const row of period.rows) {
      const known = rows.get(row.i);
      rows.set(row.i, known && adds ? plus(known, row) : row);
    }
  }
  return [...rows.values()];
}

function plus(a, b) {
  const sum = { i: a.i };
  for (const part of ['n', 'c']) {
    if (a[part] !== undefined || b[part] !== undefined) sum[part] = (a[part] ?? 0) + (b[part] ?? 0);
  }
  if (a.b || b.b) {
    const counts = new Map();
    for (const list of [a.b || [], b.b || []]) {
      for (let i = 0; i < list.length; i += 2) counts.set(list[i], (counts.get(list[i]) ?? 0) + list[i + 1]);
    }
    sum.b = [...counts].flat();
  }
  return sum;
}

class Trace {
  constructor() {
    this.isLive = false;
    this.start = null;
    this.attached = null;
    this.cost = null;
    this.end = null;
    this.last = 0;
    this.messages = [];
    this.events = [];
    this.maps = new Map();
    this.periods = [];
    this.calls = new AllCalls();
  }

  take(block) {
    this.last = Math.max(this.last, block.at ?? 0);
    if (block.type === 'maps') this.takeMaps(block);
    else if (block.type === 'message') this.messages.push(block);
    else if (block.type === 'event') this.events.push(block);
    else if (['start', 'attached', 'cost', 'end'].includes(block.type)) this[block.type] = block;
  }

  takeMaps(block) {
    this.calls.take(block);
    for (const map of block.maps) {
      if (!this.maps.has(map.name)) {
        const traced = new TracedMap(map.name);
        // It had nothing in those.
        traced.periods = this.periods.map(period => ({ ...period, rows: [] }));
        this.maps.set(map.name, traced);
      }
      this.maps.get(map.name).take(map, block);
    }
    if (block.occasion === 'added') {
      const named = new Set(block.maps.map(map => map.name));
      this.maps.forEach(map => {
        if (!named.has(map.name)) map.periods.push({ from: block.from, to: block.at, rows: [] });
      });
    }
    if (block.occasion === 'added') this.periods.push({ from: block.from, to: block.at });
    else if (block.occasion === 'final') this.order = block.maps.map(map => map.name);
  }

  // Those of a map that is printed but in no period are times, too.
  times() {
    return this.periods.length ? this.periods : [...this.maps.values()].flatMap(map => map.printed);
  }

  ordered() {
    return this.order ? this.order.map(name => this.maps.get(name)) : [...this.maps.values()];
  }
}

// The data blocks of a page, this one or one that was read from a file.
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
