// Numbers as people read them, by the unit of a map.
const NANOS = [['s', 1e9], ['ms', 1e6], ['us', 1e3], ['ns', 1]];
const BYTES = [['GiB', 2 ** 30], ['MiB', 2 ** 20], ['KiB', 1024], ['B', 1]];

// With commas. The browser's own formatting takes longer to begin with than a page to draw.
function grouped(value) {
  const [whole, fraction] = String(value).split('.');
  return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (fraction ? '.' + fraction : '');
}

function digits(value) {
  return Number.isInteger(value) || Math.abs(value) >= 100 ? grouped(Math.round(value))
    : value.toPrecision(3).replace(/\.?0+$/, '');
}

function shown(value, unit) {
  const units = unit === 'nanoseconds' ? NANOS : unit === 'bytes' ? BYTES : null;
  if (!units) return grouped(value);
  const [name, size] = units.find(one => Math.abs(value) >= one[1]) || units[units.length - 1];
  return digits(value / size) + ' ' + name;
}

function share(part, whole) {
  return whole > 0 ? (100 * part / whole).toFixed(1) + ' %' : '';
}

// An element with attributes, and children that are elements or texts. Texts of a trace become text nodes only.
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (typeof value === 'function') made.addEventListener(key, value);
    else if (value !== false) made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children);
  return made;
}
