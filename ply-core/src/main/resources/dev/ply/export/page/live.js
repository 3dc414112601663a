// Takes the blocks of a trace that runs from the server of this page.
const MOST_LIVE_EVENTS = 2000;

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

// Takes a block; the page of a long trace does not grow.
function takeLive(block) {
  if (block.type === 'maps') {
    take(following(block));
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
