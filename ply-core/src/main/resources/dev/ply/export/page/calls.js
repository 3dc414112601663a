// Trees of calls: what a flame graph draws. A stack is {frames: numbers, outermost first; weight}.
// Stacks are sorted, so that a call is a range of them, and its callees are found when they are drawn.
class Calls {
  constructor(sorted, depth, from, to, parent) {
    this.sorted = sorted;
    this.depth = depth;
    this.from = from;
    this.to = to;
    this.parent = parent;
    this.frame = depth === 0 ? -1 : sorted.paths[from][depth - 1];
    this.total = sorted.now[to] - sorted.now[from];
    this.before = sorted.earlier[to] - sorted.earlier[from];
    // The shortest are first: those that end here.
    this.first = end(sorted.paths, from, to, path => path.length <= depth);
    this.self = sorted.now[this.first] - sorted.now[from];
  }

  // The callees, those with most first, so that equal traces look the same.
  ordered() {
    if (!this.callees) {
      this.callees = [];
      for (let next = this.first; next < this.to;) {
        const frame = this.sorted.paths[next][this.depth];
        const last = end(this.sorted.paths, next, this.to, path => path[this.depth] === frame);
        this.callees.push(new Calls(this.sorted, this.depth + 1, next, last, this));
        next = last;
      }
      this.callees.sort((a, b) => (b.total + b.before) - (a.total + a.before) || a.frame - b.frame);
    }
    return this.callees;
  }
}

// Where the paths of a range that are so end; they are its first.
function end(paths, from, to, isSo) {
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isSo(paths[middle])) from = middle + 1;
    else to = middle;
  }
  return from;
}

function compared(a, b) {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    if (a[i] !== b[i]) return a[i] - b[i];
  }
  return a.length - b.length;
}

// options: callers (innermost first), removed (set of frames that are left out), earlier (stacks to compare with)
function calls(stacks, options) {
  const path = frames => {
    const kept = options.removed.size ? frames.filter(frame => !options.removed.has(frame)) : frames;
    return options.callers ? [...kept].reverse() : kept;
  };
  const all = stacks.map(stack => [path(stack.frames), stack.weight, 0])
    .concat((options.earlier || []).map(stack => [path(stack.frames), 0, stack.weight]));
  all.sort((a, b) => compared(a[0], b[0]));
  const sums = part => {
    const sum = new Float64Array(all.length + 1);
    all.forEach((stack, index) => { sum[index + 1] = sum[index] + stack[part]; });
    return sum;
  };
  return new Calls({ paths: all.map(stack => stack[0]), now: sums(1), earlier: sums(2) }, 0, 0, all.length, null);
}

// What was counted in stacks with a frame that matches, each sample once.
function matched(root, matches) {
  const known = new Map();
  const isMatch = frame => {
    if (!known.has(frame)) known.set(frame, matches(frame));
    return known.get(frame);
  };
  const { paths, now } = root.sorted;
  let sum = 0;
  paths.forEach((path, index) => {
    if (path.some(isMatch)) sum += now[index + 1] - now[index];
  });
  return sum;
}

// Counts by function: its own, and with what it calls; a recursive call counts once.
function byFunction(stacks) {
  const sums = new Map();
  for (const { frames, weight } of stacks) {
    for (const frame of new Set(frames)) {
      if (!sums.has(frame)) sums.set(frame, { self: 0, total: 0 });
      sums.get(frame).total += weight;
    }
    if (frames.length) sums.get(frames[frames.length - 1]).self += weight;
  }
  return sums;
}
