package dev.ply.analysis;

import com.google.common.collect.ImmutableList;
import dev.ply.builtin.AggregateFunctions;
import dev.ply.builtin.CallBuiltins;
import dev.ply.builtin.ClockBuiltins;
import dev.ply.builtin.ThreadBuiltins;
import dev.ply.ir.Aggregation;
import dev.ply.ir.AttachPoint;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.IrPrinter;
import dev.ply.ir.KernelProbe;
import dev.ply.ir.MapRef;
import dev.ply.ir.Rewriter;
import dev.ply.ir.Script;
import dev.ply.ir.SourceSpan;
import dev.ply.ir.Statement;
import dev.ply.ir.UnaryOp;
import dev.ply.ir.UserProbe;
import dev.ply.target.PidScope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Expands {@code latency} and {@code entry(…)} of clauses on the return from functions. A clause on
 * the entry stores the time and the values by thread and depth, the clause on the return reads
 * them, and a last clause there removes them.
 *
 * <p>Clauses on entries come last, so that they are attached last: a call whose return would be
 * missed is not stored.
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

  private final Map<Body, Pair> pairs = new LinkedHashMap<>();

  /** What the clauses of a probe list have in common: they share maps. */
  private record Body(SourceSpan span, Optional<Expr> predicate, Statement.Block statements) {
    static Body of(Clause clause) {
      return new Body(clause.span(), clause.predicate(), clause.body());
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
      entries.add(with(clause, entry.get(), pair.storage(entry.get().isInUserSpace())));
    }
    return entries.isEmpty()
        ? script
        : script.withClauses(
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

    /** What is stored at the entry: the depth, which is not 0, then each distinct value. */
    private final Map<String, Expr> values = new LinkedHashMap<>();

    private final Statement.Block body;

    Pair(int number, Clause clause) {
      this.number = number;
      this.span = clause.pointSpan();
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
      Expr call = new Expr.MapRead(calls(new Expr.MapRead(depth(), span)), span);
      return block(
          assign(THREAD, thread()),
          assign(CALL, call),
          new Statement.If(condition, statements, block(), statements.span()));
    }

    /** Returns what the clause on the entry does. */
    Statement.Block storage(boolean isInUserSpace) {
      Expr deeper = binary(BinaryOp.ADD, new Expr.MapRead(depth(), span), number(1));
      Statement count = new Statement.Store(depth(), variable(DEPTH), span);
      Expr call = new Expr.Tuple(List.copyOf(values.values()), span);
      Statement store = new Statement.Store(calls(variable(DEPTH)), call, span);
      MapRef unpaired = new MapRef(unpairedCalls(), List.of(), span);
      Statement drop =
          new Statement.Aggregate(
              unpaired, new Aggregation(AggregateFunctions.COUNT, List.of(), span), span);
      Expr isNear = binary(BinaryOp.LE, variable(DEPTH), number(MOST_NESTED));
      // Where the return of a deeper call is not reported, the call must not be counted.
      return isInUserSpace
          ? block(
              assign(THREAD, thread()),
              assign(DEPTH, deeper),
              new Statement.If(isNear, block(count, store), block(drop), span))
          : block(
              assign(THREAD, thread()),
              assign(DEPTH, deeper),
              count,
              new Statement.If(isNear, block(store), block(drop), span));
    }

    /** Returns what the last clause on the return does. */
    Statement.Block removal() {
      Statement remove = new Statement.Delete(calls(variable(DEPTH)), span);
      Statement.If leave =
          new Statement.If(
              binary(BinaryOp.EQ, variable(DEPTH), number(1)),
              block(new Statement.Delete(depth(), span)),
              block(
                  new Statement.Store(
                      depth(), binary(BinaryOp.SUB, variable(DEPTH), number(1)), span)),
              span);
      return block(
          assign(THREAD, thread()),
          assign(DEPTH, new Expr.MapRead(depth(), span)),
          new Statement.If(
              binary(BinaryOp.NE, variable(DEPTH), number(0)),
              block(remove, leave),
              block(),
              span));
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

    private MapRef calls(Expr depth) {
      return new MapRef(":calls" + number, List.of(variable(THREAD), depth), span);
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
