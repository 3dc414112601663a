package dev.ply.analysis.rewrite;

import com.google.common.collect.ImmutableSet;
import dev.ply.builtin.Availability;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.Effect;
import dev.ply.builtin.catalog.CallBuiltins;
import dev.ply.builtin.catalog.ClockBuiltins;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.MachineBuiltins;
import dev.ply.builtin.catalog.MapBuiltins;
import dev.ply.builtin.catalog.ParentBuiltins;
import dev.ply.builtin.catalog.StringBuiltins;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.Function;
import dev.ply.ir.IrPrinter;
import dev.ply.ir.MapRef;
import dev.ply.ir.Rewriter;
import dev.ply.ir.Script;
import dev.ply.ir.Statement;
import dev.ply.ir.Walker;
import dev.ply.ir.declaration.MapDeclaration;
import dev.ply.probe.OffCpuProbe;
import dev.ply.probe.Provider;
import dev.ply.probe.Provider.Offer;
import dev.ply.target.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Replaces clauses on {@link OffCpuProbe} by two on the scheduler's tracepoint, which the thread
 * that leaves the CPU hits. One clause stores the time, and what the body reads of this thread; the
 * other has the body and reads it for the next thread. No hook of all kernels runs in the thread
 * that continues.
 *
 * <p>Of the predicate, the conditions that the thread fulfils or not before it leaves are evaluated
 * first: other threads cost a lookup for each switch. A thread that ends is not stored, so that
 * none with its ID is mistaken for it.
 */
public final class OffCpuClauses extends Rewriter {
  private static final String LEFT = "$:left";
  private static final String NEXT = "$:next";

  /** Values of the CPU and the machine, which do not change with the thread. */
  private static final ImmutableSet<Function> NOT_OF_THREAD =
      ImmutableSet.of(
          ThreadBuiltins.CPU,
          MachineBuiltins.NUMAID,
          MachineBuiltins.NCPUS,
          StringBuiltins.DEFAULT_STR_LENGTH);

  /** Names of the probe: those of the tracepoint would be others. */
  private static final ImmutableSet<Function> NAMES =
      ImmutableSet.of(ContextBuiltins.PROBE, ContextBuiltins.FUNC, ContextBuiltins.PROBETYPE);

  private final Clause clause;
  private final OffCpuProbe point;
  private final SourceSpan span;
  private final Switch event;
  private final MapDeclaration threads;
  private final Diagnostics diagnostics;

  /** The stored values: the time, then each distinct value of the thread. */
  private final Map<String, Expr> values = new LinkedHashMap<>();

  private OffCpuClauses(
      Clause clause, OffCpuProbe point, int number, Switch event, Diagnostics diagnostics) {
    this.clause = clause;
    this.point = point;
    this.span = clause.pointSpan();
    this.event = event;
    this.diagnostics = diagnostics;
    this.threads =
        new MapDeclaration(
            ":off" + number, MapDeclaration.Kind.HASH, OffCpuProbe.MOST_THREADS, span);
  }

  /** Returns a script without such probes. */
  public static Script apply(Script script, Target target, Diagnostics diagnostics) {
    if (script.clauses().stream().noneMatch(one -> one.point() instanceof OffCpuProbe)) {
      return script;
    }
    List<Clause> clauses = new ArrayList<>();
    List<MapDeclaration> maps = new ArrayList<>(script.declarations());
    for (Clause clause : script.clauses()) {
      if (clause.point() instanceof OffCpuProbe point) {
        Switch event = Switch.of(clause, target);
        OffCpuClauses both = new OffCpuClauses(clause, point, clauses.size(), event, diagnostics);
        clauses.addAll(both.expand());
        maps.add(both.threads);
      } else {
        clauses.add(clause);
      }
    }
    return script.withDeclarations(maps).withClauses(clauses);
  }

  private List<Clause> expand() {
    Expr left = stored(new Expr.Call(ClockBuiltins.TIME, List.of(), span), span);
    List<Expr> early = new ArrayList<>(event.leaves(point.reason()));
    List<Expr> late = new ArrayList<>();
    for (Expr condition : clause.predicate().map(OffCpuClauses::conditions).orElse(List.of())) {
      (Later.isIn(condition) ? late : early).add(condition);
    }
    Statement body = rewrite(clause.body());
    if (!late.isEmpty()) {
      body = new Statement.If(rewrite(all(late)), asBlock(body), block(), body.span());
    }
    MapRef next = thread(new Expr.VariableRead(NEXT, span));
    Statement runs =
        block(
            new Statement.Assign(NEXT, span, event.next(), span),
            new Statement.Assign(LEFT, span, new Expr.MapRead(next, span), span),
            new Statement.If(left, block(new Statement.Delete(next, span), body), block(), span));
    Statement leaves =
        new Statement.Store(
            thread(event.previous()), new Expr.Tuple(List.copyOf(values.values()), span), span);
    return List.of(with(Optional.empty(), runs), with(Optional.of(all(early)), leaves));
  }

  private Clause with(Optional<Expr> predicate, Statement body) {
    return new Clause(event.point(), span, predicate, asBlock(body), clause.span());
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
    if (NAMES.contains(node.function())) {
      return new Expr.StringLiteral(name(node.function()), node.span());
    }
    Availability availability = Builtin.of(node).availability();
    Optional<String> reason = availability.reasonAgainst(point);
    if (reason.isPresent()) {
      boolean isOfProcess = availability.offers().contains(Offer.PROCESS);
      return unavailable(
          node,
          String.join("\" or \"", Builtin.of(node).names()),
          isOfProcess ? "the thread does not run yet" : reason.get());
    }
    return isOfThread(node) ? stored(node, node.span()) : super.visit(node);
  }

  @Override
  public Expr visit(Expr.Argument node) {
    return unavailable(node, "arg" + node.index(), "no function is probed");
  }

  private Expr unavailable(Expr node, String name, String reason) {
    diagnostics.error(
        DiagnosticCode.NOT_AVAILABLE_HERE,
        node.span(),
        "\"" + name + "\" is not available in " + point.definition() + ": " + reason,
        "it has latency, values of the thread, such as pid, comm, stack and ustack, and with"
            + " entry(…) what they were when it left the CPU");
    return new Expr.Unknown(node.span());
  }

  private String name(Function function) {
    if (function == ContextBuiltins.PROBETYPE) {
      return Provider.OFFCPU.keyword();
    }
    boolean isLastPart =
        function == ContextBuiltins.FUNC && point.reason() != OffCpuProbe.Reason.ANY;
    return isLastPart ? point.reason().keyword() : point.definition();
  }

  private static boolean isOfThread(Expr.Call call) {
    Function function = call.function();
    boolean isLength = function == MapBuiltins.LEN && call.arguments().size() == 1;
    if (MapBuiltins.isStack(isLength ? call.arguments().get(0) : call)) {
      return true;
    }
    boolean isOfParent =
        call.arguments().isEmpty()
            && (function == ParentBuiltins.PPID
                || function == ParentBuiltins.PCOMM
                || function == ParentBuiltins.LEADER_COMM);
    return isOfParent
        || (Builtin.of(call).effect() == Effect.INVARIANT && !NOT_OF_THREAD.contains(function));
  }

  /** Returns what a value was when the thread left the CPU. */
  private Expr stored(Expr value, SourceSpan where) {
    String text = IrPrinter.print(value);
    values.putIfAbsent(text, value);
    String index = Integer.toString(List.copyOf(values.keySet()).indexOf(text));
    return new Expr.Member(
        new Expr.VariableRead(LEFT, where), Expr.Member.Access.DOT, index, where, where);
  }

  /** Returns the operands of {@code &&}. */
  private static List<Expr> conditions(Expr predicate) {
    return predicate instanceof Expr.Binary both && both.op() == BinaryOp.LOGICAL_AND
        ? Stream.concat(conditions(both.left()).stream(), conditions(both.right()).stream())
            .toList()
        : List.of(predicate);
  }

  private static Expr all(List<Expr> conditions) {
    return conditions.stream()
        .reduce((a, b) -> new Expr.Binary(BinaryOp.LOGICAL_AND, a, b, b.span()))
        .orElseThrow();
  }

  private MapRef thread(Expr id) {
    return new MapRef(threads.map(), List.of(id), span);
  }

  private Statement.Block block(Statement... statements) {
    return new Statement.Block(List.of(statements), span);
  }

  private Statement.Block asBlock(Statement statement) {
    return statement instanceof Statement.Block block ? block : block(statement);
  }

  /** Finds what is known only when the thread runs again. */
  private static final class Later extends Walker {
    private static final OffCpuProbe ANY = new OffCpuProbe(OffCpuProbe.Reason.ANY);

    private boolean isFound;

    static boolean isIn(Expr expr) {
      Later later = new Later();
      later.walk(expr);
      return later.isFound;
    }

    @Override
    public Walker visit(Expr.Call node) {
      isFound |=
          node.function() == CallBuiltins.LATENCY
              || node.function() == CallBuiltins.ENTRY
              || node.function() == ThreadBuiltins.CPU
              || NAMES.contains(node.function())
              || Builtin.of(node).availability().reasonAgainst(ANY).isPresent();
      return super.visit(node);
    }
  }
}
