// A flame graph on a canvas. Only what is wider than half a pixel is drawn, however many stacks there are.
const ROW = 18;
const THIN = 0.5;
const HUES = { all: 0, key: 210, kernel: 28, native: 48, compiled: 130, interpreted: 165, inlined: 185, lost: 0 };

function hash(text) {
  let value = 2166136261;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 16777619);
  return value >>> 0;
}

// view: {frames: [[name, kind, module]], stacks, unit, name}
function flame(view) {
  const options = { callers: false, removed: new Set(), earlier: null };
  let icicle = false;
  let search = '';
  let root;
  let zoomed;
  let boxes = [];
  let selected = null;
  const canvas = element('canvas', { tabindex: 0, role: 'img', 'aria-label': 'flame graph of ' + view.name });
  const about = element('p', { class: 'about' });
  const hits = element('span', { class: 'faint' });
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const name = frame => frame < 0 ? 'all' : view.frames[frame][0];
  const matches = () => {
    const one = matcher(search);
    return frame => one(name(frame));
  };

  function colour(node, found) {
    if (found && node.frame >= 0 && found(node.frame)) return dark.matches ? '#c04bd0' : '#e27ff0';
    if (options.earlier) {
      const [now, then] = [node.total / (root.total || 1), node.before / (root.before || 1)];
      const change = Math.max(-1, Math.min(1, (now - then) / Math.max(now, then, 1e-9)));
      const lightness = dark.matches ? 30 + 12 * Math.abs(change) : 94 - 26 * Math.abs(change);
      return 'hsl(' + (change >= 0 ? 4 : 215) + ' ' + Math.round(75 * Math.abs(change)) + '% ' + lightness + '%)';
    }
    const kind = node.frame < 0 ? 'all' : view.frames[node.frame][1];
    const seed = hash(name(node.frame));
    const saturation = kind === 'all' || kind === 'lost' ? 0 : 60 + seed % 25;
    const lightness = (dark.matches ? 32 : 68) + (seed >> 8) % 10;
    return 'hsl(' + ((HUES[kind] ?? 48) + (seed >> 16) % 14) + ' ' + saturation + '% ' + lightness + '%)';
  }

  function build() {
    root = calls(view.stacks, options);
    zoomed = root;
    selected = null;
    draw();
  }

  function weight(node) {
    return options.earlier ? Math.max(node.total, node.before) : node.total;
  }

  function depth(node, width) {
    let most = 0;
    const scale = width / (weight(node) || 1);
    const walk = (one, level) => {
      most = Math.max(most, level);
      for (const callee of one.ordered()) {
        if (weight(callee) * scale < THIN) break;
        walk(callee, level + 1);
      }
    };
    walk(node, 0);
    return most;
  }

  function draw() {
    const width = Math.max(300, canvas.parentNode ? canvas.parentNode.clientWidth - 2 : 1000);
    const above = [];
    for (let node = zoomed.parent; node; node = node.parent) above.unshift(node);
    const levels = above.length + depth(zoomed, width) + 1;
    const pixels = devicePixelRatio || 1;
    canvas.style.width = width + 'px';
    canvas.style.height = levels * ROW + 'px';
    canvas.width = width * pixels;
    canvas.height = levels * ROW * pixels;
    const pen = canvas.getContext('2d');
    pen.scale(pixels, pixels);
    pen.font = '12px ui-monospace, monospace';
    pen.textBaseline = 'middle';
    const found = search ? matches() : null;
    const letter = pen.measureText('m').width;
    const top = level => (icicle ? level : levels - 1 - level) * ROW;
    boxes = [];
    const box = (node, x, w, level) => {
      const y = top(level);
      boxes.push({ node, x, y, w, level });
      pen.fillStyle = colour(node, found);
      pen.fillRect(x, y, Math.max(w - 0.5, THIN), ROW - 1);
      if (node === selected) {
        pen.strokeStyle = dark.matches ? '#fff' : '#000';
        pen.strokeRect(x + 0.5, y + 0.5, Math.max(w - 1.5, 1), ROW - 2);
      }
      const letters = Math.floor((w - 6) / letter);
      if (letters >= 2) {
        const text = name(node.frame);
        pen.fillStyle = dark.matches ? '#f2f2f2' : '#111';
        pen.fillText(text.length <= letters ? text : text.slice(0, letters - 1) + '…', x + 3, y + ROW / 2);
      }
    };
    above.forEach((node, level) => box(node, 0, width, level));
    const scale = width / (weight(zoomed) || 1);
    const walk = (node, x, level) => {
      box(node, x, weight(node) * scale, level);
      let next = x;
      for (const callee of node.ordered()) {
        const w = weight(callee) * scale;
        if (w < THIN) break;
        walk(callee, next, level + 1);
        next += w;
      }
    };
    walk(zoomed, 0, above.length);
    hits.textContent = search ? share(matched(root, matches()), root.total) + ' matched' : '';
    canvas.dataset.boxes = boxes.length;
  }

  function tell(node) {
    if (!node) {
      about.textContent = '';
      return;
    }
    const [, kind, module] = node.frame < 0 ? ['', '', ''] : view.frames[node.frame];
    about.textContent = name(node.frame) + (module ? ' (' + module + ')' : '') + (kind ? ' · ' + kind : '')
      + ' · ' + shown(node.total, view.unit) + ', ' + share(node.total, root.total)
      + (node.self ? ' · itself ' + shown(node.self, view.unit) : '')
      + (options.earlier ? ' · before ' + shown(node.before, view.unit) + ', ' + share(node.before, root.before) : '');
  }

  function at(event) {
    const place = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - place.left, event.clientY - place.top];
    return boxes.find(one => x >= one.x && x < one.x + one.w && y >= one.y && y < one.y + ROW)?.node;
  }

  function zoom(node) {
    zoomed = node;
    selected = node;
    draw();
    tell(node);
  }

  function remove(node) {
    if (!node || node.frame < 0) return;
    options.removed.add(node.frame);
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
  const toggle = (text, action) => {
    const button = element('button', { type: 'button', 'aria-pressed': 'false', click: () => {
      button.setAttribute('aria-pressed', String(action()));
    } }, text);
    return button;
  };
  const file = element('input', { type: 'file', hidden: true, accept: '.html,.folded,.txt', change: async () => {
    const chosen = file.files[0];
    if (!chosen) return;
    options.earlier = stacksOf(await chosen.text(), view);
    build();
    about.textContent = options.earlier.length ? 'red: more than in ' + chosen.name + ', blue: less' : chosen.name + ' has no stacks';
  } });
  const graph = element('div', { class: 'flame' }, canvas);
  new ResizeObserver(() => requestAnimationFrame(draw)).observe(graph);
  dark.addEventListener('change', () => draw());
  const made = element('section', {},
    element('div', { class: 'bar' }, find, hits,
      toggle('icicle', () => { icicle = !icicle; draw(); return icicle; }),
      toggle('callers', () => { options.callers = !options.callers; build(); return options.callers; }),
      element('button', { type: 'button', click: () => file.click() }, 'compare with a file'), file,
      element('button', { type: 'button', click: () => {
        options.removed.clear();
        options.earlier = null;
        build();
      } }, 'reset'),
      element('span', { class: 'faint' }, 'click: zoom, shift-click: leave a function out; keys: arrows, Enter, Escape, Delete, /')),
    graph, about);
  build();
  return made;
}

// The stacks of a folded file, or of the map of the same name in another page, by the frames of a view.
function stacksOf(text, view) {
  const numbers = new Map(view.frames.map((frame, index) => [frame[0], index]));
  const number = name => {
    if (!numbers.has(name)) {
      numbers.set(name, view.frames.length);
      view.frames.push([name, 'native', '']);
    }
    return numbers.get(name);
  };
  if (text.startsWith('<!DOCTYPE')) {
    const parsed = new DOMParser().parseFromString(text, 'text/html');
    const other = finalMaps(blocks(parsed)).find(map => map.name === view.name && map.frames.length);
    return other ? other.rows.filter(row => row.s).map(row =>
      ({ frames: row.s.map(frame => number(other.frames[frame][0])), weight: row.n ?? 0 })) : [];
  }
  return text.split('\n').map(line => line.match(/^(.*) (\d+)$/)).filter(Boolean).map(([, path, weight]) =>
    ({ frames: path.split(';').map(number), weight: Number(weight) }));
}
