// Bars of a distribution, with percentiles. A bucket is [count, low, high), its limits are missing at the ends.
const NO_LOW = -(2 ** 63);
const NO_HIGH = 2 ** 63 - 1;

// The buckets of a row, those that are empty between others included.
function bucketsOf(map, row) {
  const counts = new Map();
  for (let i = 0; i < (row.b?.length ?? 0); i += 2) counts.set(row.b[i], row.b[i + 1]);
  const all = map.ranges.map(([low, high], index) => [counts.get(index) ?? 0, low, high]).sort((a, b) => a[1] - b[1]);
  return all.slice(all.findIndex(bucket => bucket[0] > 0), all.findLastIndex(bucket => bucket[0] > 0) + 1);
}

function percentile(buckets, part) {
  const total = buckets.reduce((sum, bucket) => sum + bucket[0], 0);
  let rank = Math.max(1, Math.ceil(total * part));
  return buckets.find(bucket => (rank -= bucket[0]) <= 0) || buckets[buckets.length - 1];
}

function lowEnd([low], unit) {
  return low <= NO_LOW ? '…' : shown(low, unit);
}

function limits([low, high], unit) {
  return '[' + lowEnd([low], unit) + ', ' + (high >= NO_HIGH ? '…' : shown(high, unit)) + ')';
}

function histogram(buckets, unit) {
  const total = buckets.reduce((sum, bucket) => sum + bucket[0], 0);
  const most = Math.max(...buckets.map(bucket => bucket[0]), 1);
  const words = [['p50', 0.5], ['p90', 0.9], ['p99', 0.99], ['max', 1]]
    .map(([name, part]) => [name, limits(percentile(buckets, part).slice(1), unit)]);
  const bars = element('div', { class: 'histogram', role: 'img', 'aria-label': 'distribution of ' + total + ' values: ' + words.flat().join(' ') });
  for (const [count, ...range] of buckets) {
    const fill = element('div', { class: 'fill' });
    fill.style.width = 100 * count / most + '%';
    if (count === 0) fill.style.visibility = 'hidden';
    bars.append(element('span', { class: 'number faint' }, limits(range, unit)),
      element('span', { class: 'number' }, grouped(count)),
      element('span', { class: 'number faint' }, count ? share(count, total) : ''),
      element('div', {}, fill));
  }
  return element('section', {}, element('p', { class: 'facts' }, element('span', {}, grouped(total) + ' values'),
    ...words.map(([name, range]) => element('span', {}, element('b', {}, name), ' ' + range))), bars);
}
