// A flame graph on a canvas. Only what is wider than half a pixel is drawn, however many stacks there are.
const ROW = 19;
const THIN = 0.5;
// Hue, saturation and lightness of what runs code: those with a JIT compiler's tiers where a trace knows them.
const KINDS = { key: [215, 22, 76], kernel: [22, 80, 72], native: [46, 82, 70], interpreted: [275, 48, 78], c1: [95, 42, 72],
  c2: [150, 44, 66], compiled: [138, 42, 70], inlined: [185, 48, 72], java: [120, 42, 74], stub: [60, 40, 70], lost: [0, 0, 75], all: [0, 0, 85] };

function hash(text) {
  let value = 2166136261;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 16777619);
  return value >>> 0;
}

// view: {name, all: AllCalls}; what it shows is set by update(weights, earlier, unit)
function flame(view) {
  const { all } = view;
  const options = { callers: false, byAddress: false, removed: new Set(), earlier: null };
  let file = null;
  let weights = new Float64Array(1);
  let earlierRange = null;
  let unit = 'calls';
  let icicle = false;
  let search = '';
  let tree;
  let root;
  let zoomed;
  let levels = [];
  let selected = null;
  const canvas = element('canvas', { tabindex: 0, role: 'img', 'aria-label': 'flame graph of ' + view.name });
  const about = element('p', { class: 'about' });
  const hits = element('span', { class: 'hits' });
  const legend = element('span', { class: 'legend' });
  const functionOf = frame => frame < 0 ? ['all', 'all', ''] : all.functions[options.byAddress ? all.sites[frame] : frame];
  const name = frame => functionOf(frame)[0] + (options.byAddress && frame >= 0 ? all.offsets[frame] : '');

  function colour(node, found, dark) {
    if (found && node.frame >= 0 && found(node.frame)) return dark ? '#b83fc9' : '#e58bf0';
    if (options.earlier) {
      const [now, then] = [node.total / (root.total || 1), node.before / (root.before || 1)];
      const change = Math.max(-1, Math.min(1, (now - then) / Math.max(now, then, 1e-9)));
      const lightness = dark ? 28 + 14 * Math.abs(change) : 93 - 27 * Math.abs(change);
      return 'hsl(' + (change >= 0 ? 4 : 215) + ' ' + Math.round(78 * Math.abs(change)) + '% ' + lightness + '%)';
    }
    const [, kind, module] = functionOf(node.frame);
    const [hue, saturation, lightness] = KINDS[kind] ?? KINDS.native;
    const seed = hash(module + name(node.frame));
    return 'hsl(' + (hue + seed % 13 - 6) + ' ' + saturation + '% ' + ((dark ? lightness - 36 : lightness) + (seed >> 8) % 9 - 4) + '%)';
  }

  function build() {
    const path = [];
    for (let node = zoomed; node?.parent; node = node.parent) path.unshift(node.frame);
    options.earlier = file ? file.weights : earlierRange;
    tree = new CallTree(all, weights, options);
    root = tree.root;
    if (options.callers) {
      root.total = root.ordered().reduce((sum, one) => sum + one.total, 0);
      root.before = root.ordered().reduce((sum, one) => sum + one.before, 0);
    }
    zoomed = root;
    for (const frame of path) zoomed = zoomed.ordered().find(one => one.frame === frame) ?? zoomed;
    selected = null;
    kinds();
    draw();
  }

  // Of a difference the shares of both, so that callees are together as wide as their caller.
  function weight(total, before) {
    return options.earlier ? total / (root.total || 1) + before / (root.before || 1) : total;
  }

  function kinds() {
    const selves = new Float64Array(all.functions.length);
    for (let i = 1; i < weights.length; i++) {
      if (weights[i] !== 0) selves[all.sites[all.at[i]]] += weights[i];
    }
    const sums = new Map();
    selves.forEach((sum, one) => {
      const kind = all.functions[one][1];
      if (sum !== 0) sums.set(kind, (sums.get(kind) ?? 0) + sum);
    });
    legend.replaceChildren(...(options.earlier ? [] : [...sums].sort((a, b) => b[1] - a[1]).map(([kind, sum]) => {
      const [hue, saturation, lightness] = KINDS[kind] ?? KINDS.native;
      const box = element('i', {});
      box.style.background = 'hsl(' + hue + ' ' + saturation + '% ' + (isDark() ? lightness - 30 : lightness) + '%)';
      return element('span', {}, box, kind + ' ' + share(sum, root.total));
    })));
  }

  // What is seen, by level: [node, left, width].
  function layout(width) {
    levels = [];
    for (let node = zoomed.parent; node; node = node.parent) levels.unshift([[node, 0, width]]);
    const scale = width / (weight(zoomed.total, zoomed.before) || 1);
    const isSeen = (total, before) => weight(total, before) * scale >= THIN;
    let row = [[zoomed, 0, width]];
    while (row.length) {
      levels.push(row);
      const below = [];
      for (const [node, left] of row) {
        let next = left;
        for (const callee of node.wide(isSeen)) {
          const wide = weight(callee.total, callee.before) * scale;
          below.push([callee, next, wide]);
          next += wide;
        }
      }
      row = below;
    }
  }

  function top(level) {
    return (icicle ? level : levels.length - 1 - level) * ROW;
  }

  function draw() {
    if (!root) return;
    width = graph.clientWidth;
    const wide = Math.max(300, width || 1000);
    layout(wide);
    const pen = prepared(canvas, wide, levels.length * ROW);
    pen.textBaseline = 'middle';
    const matches = search ? matcher(search) : null;
    const found = matches && (frame => matches(functionOf(frame)[0]));
    const letter = pen.measureText('m').width;
    // Once: each question to the browser costs more than a box.
    const dark = isDark();
    const [text, mark] = dark ? ['#eceef1', '#fff'] : ['#15181c', '#000'];
    const above = new Set();
    for (let node = zoomed.parent; node; node = node.parent) above.add(node);
    let boxes = 0;
    levels.forEach((row, level) => {
      const y = top(level);
      for (const [node, x, w] of row) {
        boxes++;
        pen.globalAlpha = above.has(node) ? 0.55 : 1;
        pen.fillStyle = colour(node, found, dark);
        pen.fillRect(x, y, Math.max(w - (w > 3 ? 1 : 0), THIN), ROW - 1);
        pen.globalAlpha = 1;
        if (node === selected) {
          pen.strokeStyle = mark;
          pen.strokeRect(x + 0.5, y + 0.5, Math.max(w - 2, 1), ROW - 2);
        }
        const letters = Math.floor((w - 8) / letter);
        if (letters >= 3) {
          const title = name(node.frame);
          pen.fillStyle = text;
          pen.fillText(title.length <= letters ? title : title.slice(0, letters - 1) + '…', x + 4, y + ROW / 2);
        }
      }
    });
    hits.textContent = search ? share(tree.matched(matches), root.total) + ' matched' : '';
    canvas.dataset.boxes = boxes;
    canvas.dataset.total = root.total;
  }

  function tell(node) {
    if (!node) {
      about.textContent = '';
      return;
    }
    const [, kind, module] = functionOf(node.frame);
    const self = node.self();
    about.textContent = name(node.frame) + (module ? ' (' + module + ')' : '') + (kind && kind !== 'all' ? ' · ' + kind : '')
      + ' · ' + shown(node.total, unit) + ', ' + share(node.total, root.total)
      + (!options.callers && self > 0 ? ' · itself ' + shown(self, unit) + ', ' + share(self, root.total) : '')
      + (options.earlier ? ' · before ' + shown(node.before, unit) + ', ' + share(node.before, root.before) : '');
  }

  function at(event) {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const level = icicle ? Math.floor(y / ROW) : levels.length - 1 - Math.floor(y / ROW);
    return levels[level]?.find(one => x >= one[1] && x < one[1] + one[2])?.[0];
  }

  function zoom(node) {
    zoomed = node;
    selected = node;
    draw();
    tell(node);
  }

  function remove(node) {
    if (!node || node.frame < 0) return;
    options.removed.add(options.byAddress ? all.sites[node.frame] : node.frame);
    build();
  }

  canvas.addEventListener('mousemove', event => tell(at(event) || selected));
  canvas.addEventListener('click', event => {
    const node = at(event);
    if (node && event.shiftKey) remove(node);
    else if (node) zoom(node);
  });
  canvas.addEventListener('keydown', event => {
    const node = selected || zoomed;
    const siblings = node.parent ? node.parent.ordered() : [node];
    const place = siblings.indexOf(node);
    const [down, up] = icicle ? ['ArrowDown', 'ArrowUp'] : ['ArrowUp', 'ArrowDown'];
    const go = {
      [down]: () => node.ordered()[0],
      [up]: () => node.parent,
      ArrowLeft: () => siblings[place - 1],
      ArrowRight: () => siblings[place + 1],
    }[event.key];
    if (go) {
      selected = go() || node;
      draw();
      tell(selected);
    } else if (event.key === 'Enter') zoom(node);
    else if (event.key === 'Escape') zoom(root);
    else if (event.key === 'Delete') remove(node);
    else if (event.key === '/') find.focus();
    else return;
    event.preventDefault();
  });

  const find = element('input', { type: 'search', placeholder: 'search (regular expression)', 'aria-label': 'search functions', input: event => {
    search = event.target.value;
    draw();
  } });
  const toggle = (text, title, action) => {
    const button = element('button', { type: 'button', 'aria-pressed': 'false', title, click: () => {
      button.setAttribute('aria-pressed', String(action()));
    } }, text);
    return button;
  };
  const chooser = element('input', { type: 'file', hidden: true, accept: '.html,.folded,.txt', 'aria-label': 'file to compare with', change: async () => {
    const chosen = chooser.files[0];
    if (!chosen) return;
    const stacks = stacksOf(await chosen.text(), view);
    file = stacks && { weights: stacks };
    // Calls that only the file has are new.
    weights = widened(weights, all.callers.length);
    build();
    about.textContent = file ? 'red: more than in ' + chosen.name + ', blue: less' : chosen.name + ' has no stacks';
  } });
  const graph = element('div', { class: 'flame' }, canvas);
  let width = 0;
  new ResizeObserver(() => {
    if (width !== graph.clientWidth) requestAnimationFrame(draw);
  }).observe(graph);
  const made = element('section', {},
    element('div', { class: 'bar' }, find, hits,
      toggle('icicle', 'outermost functions on top', () => { icicle = !icicle; draw(); return icicle; }),
      toggle('callers', 'innermost functions first, and who calls them', () => { options.callers = !options.callers; zoomed = null; build(); return options.callers; }),
      toggle('addresses', 'each address of a function by itself', () => { options.byAddress = !options.byAddress; zoomed = null; build(); return options.byAddress; }),
      element('button', { type: 'button', title: 'a page or folded stacks', click: () => chooser.click() }, 'compare with a file'), chooser,
      element('button', { type: 'button', title: 'all functions, no comparison', click: () => {
        options.removed.clear();
        file = null;
        zoomed = null;
        build();
        tell(null);
      } }, 'reset'), legend),
    graph, about,
    element('p', { class: 'keys' }, 'click zooms, shift-click leaves a function out · arrows, Enter, Escape, Delete, /'));

  function update(now, before, its) {
    weights = now;
    earlierRange = before;
    unit = its;
    build();
  }
  return { element: made, draw: () => { kinds(); draw(); }, update, tree: () => tree };
}

function widened(numbers, length) {
  const wide = new Float64Array(Math.max(numbers.length, length));
  wide.set(numbers);
  return wide;
}

// What each stack of a folded file weighs, or of the map of the same name in another page; null if it has none.
function stacksOf(text, { name, all }) {
  const found = [];
  if (text.startsWith('<!DOCTYPE')) {
    const other = new Trace();
    blocks(new DOMParser().parseFromString(text, 'text/html')).forEach(block => other.take(block));
    const map = other.maps.get(name)?.stacks ? other.maps.get(name) : [...other.maps.values()].find(one => one.stacks);
    if (!map) return null;
    const numbers = [0];
    for (let i = 1; i < other.calls.callers.length; i++) {
      const site = other.calls.at[i];
      const [title, kind, module] = other.calls.functions[other.calls.sites[site]];
      numbers.push(all.call(numbers[other.calls.callers[i]], title, other.calls.offsets[site], kind, module));
    }
    map.rows(null).forEach(row => found.push([numbers[row.i], size(row)]));
  } else {
    for (const line of text.split('\n')) {
      const [, path, count] = line.match(/^(.*) (\d+)$/) ?? [];
      if (path) found.push([path.split(';').reduce((caller, title) => all.call(caller, title, '', 'native', ''), 0), Number(count)]);
    }
  }
  if (found.length === 0) return null;
  const weights = new Float64Array(all.callers.length);
  found.forEach(([stack, weight]) => { weights[stack] += weight; });
  return weights;
}
