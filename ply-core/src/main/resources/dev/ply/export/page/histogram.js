// Bars of a distribution, with percentiles. A bucket is [count, low, high), its limits are missing at the ends.
const NO_LOW = -(2 ** 63);
const NO_HIGH = 2 ** 63 - 1;

function percentile(buckets, part) {
  const total = buckets.reduce((sum, bucket) => sum + bucket[0], 0);
  let rank = Math.max(1, Math.ceil(total * part));
  return buckets.find(bucket => (rank -= bucket[0]) <= 0) || buckets[buckets.length - 1];
}

function range([, low, high], unit) {
  return '[' + (low <= NO_LOW ? '…' : shown(low, unit)) + ', ' + (high >= NO_HIGH ? '…' : shown(high, unit)) + ')';
}

function histogram(buckets, unit) {
  const total = buckets.reduce((sum, bucket) => sum + bucket[0], 0);
  const most = Math.max(...buckets.map(bucket => bucket[0]), 1);
  const words = [['p50', 0.5], ['p90', 0.9], ['p99', 0.99], ['max', 1]]
    .map(([name, part]) => name + ' ' + range(percentile(buckets, part), unit)).join('   ');
  const bars = element('div', { class: 'histogram', role: 'img', 'aria-label': 'distribution of ' + total + ' values: ' + words });
  for (const bucket of buckets) {
    const fill = element('div', { class: 'fill' });
    fill.style.width = 100 * bucket[0] / most + '%';
    if (bucket[0] === 0) fill.style.visibility = 'hidden';
    bars.append(element('span', { class: 'number' }, range(bucket, unit)),
      element('span', { class: 'number' }, bucket[0].toLocaleString('en') + '  ' + share(bucket[0], total).padStart(7)),
      element('div', {}, fill));
  }
  return element('section', {}, element('p', { class: 'about' }, total.toLocaleString('en') + ' values   ' + words), bars);
}
