// The calls of all stacks: a stack is the number of its innermost call, whose caller has a smaller number.
class AllCalls {
  constructor() {
    this.functions = [];
    this.sites = [];
    this.offsets = [];
    this.callers = [-1];
    this.at = [-1];
    this.numbers = null;
  }

  take(block) {
    for (const one of block.functions) this.functions.push(one);
    for (let i = 0; i < block.sites.length; i += 2) {
      this.sites.push(block.sites[i]);
      this.offsets.push(block.sites[i + 1]);
    }
    // Callers are told by how many calls before they are.
    for (let i = 0; i < block.calls.length; i += 2) {
      this.callers.push(this.callers.length - block.calls[i]);
      this.at.push(block.calls[i + 1]);
    }
    this.numbers = null;
  }

  // The number of a call at a function, which is new if no stack of this trace has it.
  call(caller, name, offset, kind, module) {
    if (!this.numbers) {
      this.numbers = { functions: new Map(), sites: new Map(), calls: new Map() };
      this.functions.forEach((one, index) => this.numbers.functions.set(one[0], index));
      this.sites.forEach((one, index) => this.numbers.sites.set(one + ' ' + this.offsets[index], index));
      this.at.forEach((site, index) => this.numbers.calls.set(this.callers[index] + ' ' + site, index));
    }
    const find = (known, key, add) => {
      if (!known.has(key)) known.set(key, add());
      return known.get(key);
    };
    const one = find(this.numbers.functions, name, () => this.functions.push([name, kind, module]) - 1);
    const site = find(this.numbers.sites, one + ' ' + offset, () => this.offsets.push(offset) && this.sites.push(one) - 1);
    return find(this.numbers.calls, caller + ' ' + site, () => this.at.push(site) && this.callers.push(caller) - 1);
  }
}

// A tree of calls: what a flame graph draws. Callees are found when they are drawn.
// weights: a number for each stack; options: callers (innermost first), byAddress, removed (functions that are left
// out), earlier (weights to compare with)
class CallTree {
  constructor(all, weights, options) {
    this.all = all;
    this.options = options;
    const count = all.callers.length;
    const sums = of => {
      const total = new Float64Array(count);
      if (of) total.set(of.subarray(0, count));
      for (let i = count - 1; i > 0; i--) total[all.callers[i]] += total[i];
      return total;
    };
    this.now = weights;
    this.earlier = options.earlier;
    this.totals = sums(weights);
    this.befores = sums(options.earlier);
    this.first = new Int32Array(count);
    this.next = new Int32Array(count);
    for (let i = count - 1; i > 0; i--) {
      if (this.totals[i] === 0 && this.befores[i] === 0) continue;
      this.next[i] = this.first[all.callers[i]];
      this.first[all.callers[i]] = i;
    }
    const frames = options.byAddress ? all.sites.length : all.functions.length;
    this.sums = { total: new Float64Array(frames), before: new Float64Array(frames) };
    this.root = options.callers ? this.ends() : new Call(this, -1, null, [0], null);
    this.root.total = this.totals[0];
    this.root.before = this.befores[0];
  }

  functionOf(call) {
    return this.all.sites[this.all.at[call]];
  }

  // What frames of the tree are: functions, or their addresses.
  frame(call) {
    return this.options.byAddress ? this.all.at[call] : this.functionOf(call);
  }

  isRemoved(call) {
    return call > 0 && this.options.removed.has(this.functionOf(call));
  }

  // The root of a tree of callers: its calls are the innermost, and each knows what it weighs.
  ends() {
    const calls = [];
    const [now, before] = [[], []];
    for (let i = 1; i < this.all.callers.length; i++) {
      const [a, b] = [this.now[i] ?? 0, this.earlier?.[i] ?? 0];
      if (a === 0 && b === 0) continue;
      calls.push(i);
      now.push(a);
      before.push(b);
    }
    return new Call(this, -1, null, calls, { now, before });
  }

  // What was counted in stacks with a function that matches, each once.
  matched(matches) {
    const hit = new Uint8Array(this.all.callers.length);
    const known = this.all.functions.map(one => matches(one[0]));
    let sum = 0;
    for (let i = 1; i < hit.length; i++) {
      hit[i] = hit[this.all.callers[i]] || (known[this.functionOf(i)] && !this.isRemoved(i) ? 1 : 0);
      if (hit[i] && i < this.now.length) sum += this.now[i];
    }
    return sum;
  }

  // Counts by function: its own, and with what it calls; a recursive call counts once.
  byFunction() {
    const count = this.all.functions.length;
    const [self, total, before, depth] = [0, 1, 2, 3].map(() => new Float64Array(count));
    const path = [];
    let call = this.first[0];
    while (call > 0 || path.length > 0) {
      if (call > 0) {
        const one = this.functionOf(call);
        self[one] += this.now[call] ?? 0;
        if (depth[one]++ === 0) {
          total[one] += this.totals[call];
          before[one] += this.befores[call];
        }
        path.push(call);
        call = this.first[call];
      } else {
        const left = path.pop();
        depth[this.functionOf(left)]--;
        call = this.next[left];
      }
    }
    return { self, total, before };
  }
}

// A frame of the tree: all calls of it from the same callers.
class Call {
  constructor(tree, frame, parent, calls, weights) {
    this.tree = tree;
    this.frame = frame;
    this.parent = parent;
    this.calls = calls;
    this.weights = weights;
    this.total = 0;
    this.before = 0;
  }

  // The callees, those with most first, so that equal traces look the same.
  ordered() {
    this.callees ??= this.tree.options.callers ? inOrder(this.gatherCallers().values()) : this.wide(() => true);
    return this.callees;
  }

  // The callees whose numbers, now and before, are enough: only they become objects, once.
  wide(isEnough) {
    if (this.callees || this.tree.options.callers) return this.ordered().filter(one => isEnough(one.total, one.before));
    const { tree } = this;
    const { total, before } = tree.sums;
    this.known ??= new Map();
    this.each(call => {
      const frame = tree.frame(call);
      total[frame] += tree.totals[call];
      before[frame] += tree.befores[call];
    });
    const added = new Set();
    this.each(call => {
      const frame = tree.frame(call);
      if (!isEnough(total[frame], before[frame])) return;
      let callee = this.known.get(frame);
      if (!callee) {
        callee = new Call(tree, frame, this, [], null);
        [callee.total, callee.before] = [total[frame], before[frame]];
        this.known.set(frame, callee);
        added.add(callee);
      }
      if (added.has(callee)) callee.calls.push(call);
    });
    this.each(call => {
      const frame = tree.frame(call);
      total[frame] = before[frame] = 0;
    });
    return inOrder([...this.known.values()].filter(one => isEnough(one.total, one.before)));
  }

  // Visits what is called, through functions that are left out.
  each(visit) {
    const { tree } = this;
    const of = caller => {
      for (let call = tree.first[caller]; call > 0; call = tree.next[call]) {
        if (tree.isRemoved(call)) of(call);
        else visit(call);
      }
    };
    this.calls.forEach(of);
  }

  self() {
    return this.ordered().reduce((left, callee) => left - callee.total, this.total);
  }

  gatherCallers() {
    const groups = new Map();
    const { tree, weights } = this;
    this.calls.forEach((call, index) => {
      let next = this.parent ? tree.all.callers[call] : call;
      while (tree.isRemoved(next)) next = tree.all.callers[next];
      if (next <= 0) return;
      const frame = tree.frame(next);
      let group = groups.get(frame);
      if (!group) groups.set(frame, group = new Call(tree, frame, this, [], { now: [], before: [] }));
      group.calls.push(next);
      group.weights.now.push(weights.now[index]);
      group.weights.before.push(weights.before[index]);
      group.total += weights.now[index];
      group.before += weights.before[index];
    });
    return groups;
  }
}

function inOrder(calls) {
  return [...calls].sort((a, b) => (b.total + b.before) - (a.total + a.before) || a.frame - b.frame);
}
