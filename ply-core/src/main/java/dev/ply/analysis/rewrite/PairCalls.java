package dev.ply.analysis.rewrite;

import com.google.common.collect.ImmutableList;
import dev.ply.builtin.aggregate.AggregateFunctions;
import dev.ply.builtin.catalog.CallBuiltins;
import dev.ply.builtin.catalog.ClockBuiltins;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Aggregation;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.IrPrinter;
import dev.ply.ir.MapRef;
import dev.ply.ir.Rewriter;
import dev.ply.ir.Script;
import dev.ply.ir.Statement;
import dev.ply.ir.UnaryOp;
import dev.ply.ir.declaration.MapDeclaration;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.KernelProbe;
import dev.ply.probe.UserProbe;
import dev.ply.target.PidScope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Expands {@code latency} and {@code entry(…)} of clauses on the return from functions. A clause on
 * the entry stores the time and the values by thread and depth, the clause on the return reads
 * them, and a last clause there removes them.
 *
 * <p>In user space, a call can end without a return: by {@code longjmp}, an exception, the end of
 * its thread. Calls are therefore stored by the stack pointer at their entry, which is known again
 * at their return, so that what was left is never paired: the next call of the function at that
 * address replaces it, and maps evict what nothing has used for long. Functions that are called
 * instead of returning (tail calls) have the same address, and are numbered there. A return whose
 * call is not stored is counted.
 */
public final class PairCalls {
  /**
   * The number of nested calls of a thread that are paired. Of more, the kernel does not report the
   * returns in user space (MAX_URETPROBE_DEPTH of kernel/events/uprobes.c).
   */
  static final int MOST_NESTED = 64;

  private static final String THREAD = "$:thread";
  private static final String DEPTH = "$:depth";
  private static final String CALL = "$:call";
  private static final String STACK = "$:sp";
  private static final String CODE = "$:pc";
  private static final String FRAME = "$:frame";
  private static final String NUMBER = "$:number";
  private static final String FIRST = "$:first";
  private static final String LAST = "$:last";
  private static final String OUTER = "$:outer";

  /** Facts about a frame: how many calls it has. */
  private static final int CALLS = 0;

  /** The function of its first call. */
  private static final int FUNCTION = 1;

  /** The depth of its first call in the thread. */
  private static final int FIRST_DEPTH = 2;

  /** The address of the frame that was the thread's last one before. */
  private static final int BEFORE = 3;

  /** Facts about a thread in user space: how many calls are stored, and the last frame. */
  private static final int LAST_DEPTH = 0;

  private static final int LAST_FRAME = 1;

  /**
   * How far the stack pointer can be above that at the entry when a function has returned: x86 has
   * popped the return address, others have it in a register.
   */
  private static final int POPPED = 8;

  /** The maximum number of stored calls in user space. */
  private static final int MOST_CALLS = 1 << 13;

  private static final String STACK_POINTER = "sp";
  private static final String PROGRAM_COUNTER = "pc";

  private final Map<Body, Pair> pairs = new LinkedHashMap<>();

  /** State shared by the clauses of a probe list: they share maps, by address space. */
  private record Body(
      SourceSpan span,
      Optional<Expr> predicate,
      Statement.Block statements,
      boolean isInUserSpace) {
    static Body of(Clause clause) {
      return new Body(
          clause.span(), clause.predicate(), clause.body(), clause.point().isInUserSpace());
    }
  }

  private PairCalls() {}

  /** Returns the name of the map that counts the calls nested too deeply to be paired. */
  public static String unpairedCalls() {
    return ":unpaired";
  }

  /**
   * Returns a script without {@code latency} and {@code entry(…)}, except where they are errors.
   */
  public static Script apply(Script script) {
    PairCalls expand = new PairCalls();
    List<Clause> clauses = new ArrayList<>();
    List<Clause> removals = new ArrayList<>();
    List<Clause> entries = new ArrayList<>();
    for (Clause clause : script.clauses()) {
      Optional<AttachPoint> entry = entry(clause.point());
      Pair pair = expand.pair(clause);
      if (entry.isEmpty() || !pair.isUsed()) {
        clauses.add(clause);
        continue;
      }
      clauses.add(with(clause, clause.point(), pair.body));
      removals.add(with(clause, clause.point(), pair.removal()));
      entries.add(with(clause, entry.get(), pair.storage()));
    }
    if (entries.isEmpty()) {
      return script;
    }
    List<MapDeclaration> maps = new ArrayList<>(script.declarations());
    expand.pairs.values().forEach(pair -> maps.addAll(pair.declarations()));
    return script
        .withDeclarations(maps)
        .withClauses(
            ImmutableList.<Clause>builder()
                .addAll(clauses)
                .addAll(removals)
                .addAll(entries)
                .build());
  }

  private Pair pair(Clause clause) {
    return pairs.computeIfAbsent(Body.of(clause), unused -> new Pair(pairs.size(), clause));
  }

  private static Clause with(Clause clause, AttachPoint point, Statement.Block body) {
    return new Clause(point, clause.pointSpan(), Optional.empty(), body, clause.span());
  }

  /** Returns the entry that belongs to a return. */
  private static Optional<AttachPoint> entry(AttachPoint point) {
    if (point instanceof KernelProbe.Kretprobe kretprobe) {
      return Optional.of(new KernelProbe.Kprobe(kretprobe.place()));
    } else if (point instanceof KernelProbe.Fexit fexit) {
      return Optional.of(new KernelProbe.Fentry(fexit.place()));
    } else if (point instanceof UserProbe.Uretprobe uretprobe) {
      return Optional.of(new UserProbe.Uprobe(uretprobe.place()));
    }
    return Optional.empty();
  }

  /** The clauses that one clause on a return becomes. */
  private static final class Pair extends Rewriter {
    private final int number;
    private final SourceSpan span;
    private final boolean isInUserSpace;

    /** The values stored at the entry: the depth, which is not 0, then each distinct value. */
    private final Map<String, Expr> values = new LinkedHashMap<>();

    private final Statement.Block body;

    Pair(int number, Clause clause) {
      this.number = number;
      this.span = clause.pointSpan();
      this.isInUserSpace = clause.point().isInUserSpace();
      Optional<Expr> predicate = clause.predicate().map(this::rewrite);
      Statement.Block statements = (Statement.Block) rewrite(clause.body());
      this.body = isUsed() ? body(predicate, statements) : clause.body();
    }

    boolean isUsed() {
      return !values.isEmpty();
    }

    @Override
    public Expr visit(Expr.Call node) {
      if (node.function() == CallBuiltins.LATENCY && node.arguments().isEmpty()) {
        Expr now = new Expr.Call(ClockBuiltins.TIME, List.of(), node.span());
        return new Expr.Binary(BinaryOp.SUB, now, stored(now, node.span()), node.span());
      }
      if (node.function() == CallBuiltins.ENTRY && node.arguments().size() == 1) {
        return stored(node.arguments().get(0), node.span());
      }
      return super.visit(node);
    }

    /** Returns what a value was at the entry. */
    private Expr stored(Expr value, SourceSpan where) {
      Expr depth = variable(DEPTH);
      values.putIfAbsent(IrPrinter.print(depth), depth);
      String text = IrPrinter.print(value);
      values.putIfAbsent(text, value);
      String index = Integer.toString(List.copyOf(values.keySet()).indexOf(text));
      Expr call = new Expr.VariableRead(CALL, where);
      return new Expr.Member(call, Expr.Member.Access.DOT, index, where, where);
    }

    /** A call that is not stored has the depth 0, which maps have of everything unknown. */
    private Statement.Block body(Optional<Expr> predicate, Statement.Block statements) {
      Expr isStored = binary(BinaryOp.NE, stored(variable(DEPTH), span), number(0));
      Expr condition =
          predicate
              .<Expr>map(own -> new Expr.Binary(BinaryOp.LOGICAL_AND, isStored, own, own.span()))
              .orElse(isStored);
      List<Statement> all = new ArrayList<>(List.of(assign(THREAD, thread())));
      if (isInUserSpace) {
        all.addAll(findFrame());
      }
      Expr call = isInUserSpace ? framed(CALLS) : new Expr.MapRead(depth(), span);
      all.add(assign(CALL, new Expr.MapRead(calls(call), span)));
      all.add(new Statement.If(condition, statements, block(), statements.span()));
      return new Statement.Block(all, span);
    }

    /** Returns what the clause on the entry does. */
    Statement.Block storage() {
      return isInUserSpace ? storageInUserSpace() : storageInKernel();
    }

    private Statement.Block storageInKernel() {
      Expr deeper = binary(BinaryOp.ADD, new Expr.MapRead(depth(), span), number(1));
      Expr isNear = binary(BinaryOp.LE, variable(DEPTH), number(MOST_NESTED));
      return block(
          assign(THREAD, thread()),
          assign(DEPTH, deeper),
          new Statement.Store(depth(), variable(DEPTH), span),
          new Statement.If(isNear, block(store(variable(DEPTH))), block(unpaired(1)), span));
    }

    private Statement store(Expr number) {
      Expr call = new Expr.Tuple(List.copyOf(values.values()), span);
      return new Statement.Store(calls(number), call, span);
    }

    private Statement unpaired(long calls) {
      return new Statement.Aggregate(
          new MapRef(unpairedCalls(), List.of(), span),
          new Aggregation(AggregateFunctions.SUM, List.of(number(calls)), span),
          span);
    }

    /**
     * What is stored at the address of this call was left if it is of this function, or else has
     * called this one instead of returning. The first call of a frame is one level below the
     * thread's last one, unless that is at a lower address and so was left; at which level is then
     * found out when a caller returns. The kernel reports no return of a call that is nested too
     * deeply; one that only seems to be is stored nevertheless.
     */
    private Statement.Block storageInUserSpace() {
      Expr hasStack = binary(BinaryOp.NE, variable(STACK), number(0));
      Expr isLeft =
          binary(
              BinaryOp.LOGICAL_AND,
              hasStack,
              binary(
                  BinaryOp.LOGICAL_OR,
                  binary(BinaryOp.EQ, framed(FUNCTION), variable(CODE)),
                  binary(BinaryOp.GE, framed(CALLS), number(MOST_NESTED))));
      Expr below = binary(BinaryOp.ADD, last(LAST_DEPTH), number(1));
      Expr isLastLeft =
          binary(
              BinaryOp.LOGICAL_AND,
              binary(BinaryOp.NE, last(LAST_FRAME), number(0)),
              binary(BinaryOp.LT, last(LAST_FRAME), variable(STACK)));
      Expr chained = binary(BinaryOp.ADD, framed(CALLS), number(1));
      Statement choose =
          new Statement.If(
              binary(BinaryOp.EQ, framed(CALLS), number(0)),
              block(
                  assign(LAST, new Expr.MapRead(depth(), span)),
                  new Statement.If(
                      isLastLeft,
                      block(),
                      block(assign(FIRST, below), assign(OUTER, last(LAST_FRAME))),
                      span)),
              block(new Statement.If(isLeft, block(), block(assign(NUMBER, chained)), span)),
              span);
      Expr depth =
          binary(BinaryOp.SUB, binary(BinaryOp.ADD, variable(FIRST), variable(NUMBER)), number(1));
      Expr isNear = binary(BinaryOp.LE, variable(DEPTH), number(MOST_NESTED));
      Expr frame =
          new Expr.Tuple(
              List.of(variable(NUMBER), variable(CODE), variable(FIRST), variable(OUTER)), span);
      return block(
          assign(THREAD, thread()),
          assign(STACK, register(STACK_POINTER)),
          assign(CODE, register(PROGRAM_COUNTER)),
          assign(FRAME, new Expr.MapRead(frames(), span)),
          assign(NUMBER, number(1)),
          assign(FIRST, number(1)),
          assign(OUTER, framed(BEFORE)),
          new Statement.If(framed(CALLS), block(assign(FIRST, framed(FIRST_DEPTH))), block(), span),
          choose,
          assign(DEPTH, depth),
          new Statement.If(isNear, block(), block(unpaired(1)), span),
          new Statement.If(
              binary(BinaryOp.LOGICAL_OR, isNear, hasStack),
              block(
                  new Statement.Store(depth(), place(variable(DEPTH), variable(STACK)), span),
                  new Statement.Store(frames(), frame, span),
                  store(variable(NUMBER))),
              block(),
              span));
    }

    /** The stack pointer of the entry is that of the return, or less what the return has popped. */
    private List<Statement> findFrame() {
      Expr popped = binary(BinaryOp.SUB, register(STACK_POINTER), number(POPPED));
      Statement read = assign(FRAME, new Expr.MapRead(frames(), span));
      return List.of(
          assign(STACK, popped),
          read,
          new Statement.If(
              binary(BinaryOp.EQ, framed(CALLS), number(0)),
              block(assign(STACK, register(STACK_POINTER)), read),
              block(),
              span));
    }

    /** Returns what the last clause on the return does. */
    Statement.Block removal() {
      return isInUserSpace ? removalInUserSpace() : removalInKernel();
    }

    private Statement.Block removalInKernel() {
      Statement remove = new Statement.Delete(calls(variable(DEPTH)), span);
      return block(
          assign(THREAD, thread()),
          assign(DEPTH, new Expr.MapRead(depth(), span)),
          new Statement.If(
              binary(BinaryOp.NE, variable(DEPTH), number(0)),
              block(remove, setOrDelete(depth(), binary(BinaryOp.SUB, variable(DEPTH), number(1)))),
              block(),
              span));
    }

    private Statement.Block removalInUserSpace() {
      Expr depth =
          binary(BinaryOp.SUB, binary(BinaryOp.ADD, framed(FIRST_DEPTH), framed(CALLS)), number(1));
      Expr rest = binary(BinaryOp.SUB, framed(CALLS), number(1));
      Expr fewer =
          new Expr.Tuple(
              List.of(rest, framed(FUNCTION), framed(FIRST_DEPTH), framed(BEFORE)), span);
      Expr outer = binary(BinaryOp.SUB, variable(DEPTH), number(1));
      Statement leave =
          new Statement.If(
              binary(BinaryOp.EQ, framed(CALLS), number(1)),
              block(
                  new Statement.Delete(frames(), span),
                  new Statement.Store(depth(), place(outer, framed(BEFORE)), span)),
              block(
                  new Statement.Store(frames(), fewer, span),
                  new Statement.Store(depth(), place(outer, variable(STACK)), span)),
              span);
      Statement none = new Statement.Delete(depth(), span);
      List<Statement> all = new ArrayList<>(List.of(assign(THREAD, thread())));
      all.addAll(findFrame());
      all.add(
          new Statement.If(
              binary(BinaryOp.NE, framed(CALLS), number(0)),
              block(
                  assign(DEPTH, depth),
                  new Statement.If(
                      binary(BinaryOp.GT, variable(DEPTH), number(MOST_NESTED)),
                      block(unpaired(-1)),
                      block(),
                      span),
                  new Statement.Delete(calls(framed(CALLS)), span),
                  new Statement.If(
                      outer,
                      block(leave),
                      block(new Statement.Delete(frames(), span), none),
                      span)),
              block(unpaired(1)),
              span));
      return new Statement.Block(all, span);
    }

    private Statement setOrDelete(MapRef map, Expr value) {
      return new Statement.If(
          value,
          block(new Statement.Store(map, value, span)),
          block(new Statement.Delete(map, span)),
          span);
    }

    /** Stale entries of user space are evicted. */
    List<MapDeclaration> declarations() {
      return isUsed() && isInUserSpace
          ? Stream.of(depth(), frames(), calls(number(0)))
              .map(
                  map ->
                      new MapDeclaration(
                          map.name(), MapDeclaration.Kind.LRU_HASH, MOST_CALLS, span))
              .toList()
          : List.of();
    }

    private Expr framed(int index) {
      return element(FRAME, index);
    }

    private Expr last(int index) {
      return element(LAST, index);
    }

    private Expr element(String tuple, int index) {
      return new Expr.Member(
          variable(tuple), Expr.Member.Access.DOT, Integer.toString(index), span, span);
    }

    private Expr place(Expr depth, Expr frame) {
      return new Expr.Tuple(List.of(depth, frame), span);
    }

    private Expr register(String name) {
      return new Expr.Call(ContextBuiltins.REG, List.of(new Expr.StringLiteral(name, span)), span);
    }

    /** The idle threads of all CPUs have the TID 0. */
    private Expr thread() {
      Expr scope = new Expr.StringLiteral(PidScope.INIT.canonicalName(), span);
      Expr tid = new Expr.Call(ThreadBuiltins.KPID, List.of(scope), span);
      Expr cpu = new Expr.Call(ThreadBuiltins.CPU, List.of(), span);
      return new Expr.Conditional(
          tid, Optional.empty(), new Expr.Unary(UnaryOp.COMPLEMENT, cpu, span), span);
    }

    private MapRef depth() {
      return new MapRef(":depth" + number, List.of(variable(THREAD)), span);
    }

    /** Returns a call of the thread: by depth, in user space by frame and number in it. */
    private MapRef calls(Expr number) {
      return new MapRef(
          ":calls" + this.number,
          isInUserSpace
              ? List.of(variable(THREAD), variable(STACK), number)
              : List.of(variable(THREAD), number),
          span);
    }

    /** Returns the facts about calls whose frames begin at an address of the stack. */
    private MapRef frames() {
      return new MapRef(":frames" + number, List.of(variable(THREAD), variable(STACK)), span);
    }

    private Expr variable(String name) {
      return new Expr.VariableRead(name, span);
    }

    private Expr number(long value) {
      return Expr.number(value, span);
    }

    private Expr binary(BinaryOp op, Expr left, Expr right) {
      return new Expr.Binary(op, left, right, span);
    }

    private Statement assign(String name, Expr value) {
      return new Statement.Assign(name, span, value, span);
    }

    private Statement.Block block(Statement... statements) {
      return new Statement.Block(List.of(statements), span);
    }
  }
}
