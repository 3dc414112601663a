package dev.ply.bpf.reference;

import static dev.ply.bpf.reference.ByteStrings.beforeNul;
import static dev.ply.bpf.reference.ByteStrings.compare;
import static dev.ply.bpf.reference.ByteStrings.cut;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.bpf.simulate.Circumstances;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.builtin.catalog.TypeBuiltins;
import dev.ply.ir.Expr;
import dev.ply.ir.IrPrinter;
import dev.ply.ir.MapRef;
import dev.ply.target.PidNamespace;
import dev.ply.target.PidScope;
import dev.ply.target.Target;
import dev.ply.type.BytePattern;
import dev.ply.type.TextBytes;
import dev.ply.type.Type.IntType;
import java.util.List;
import java.util.Optional;

/** What calls of functions that return numbers are worth. */
final class NumberCalls {
  /** What the kernel answers where a thread has no stack in the kernel: -EFAULT. */
  private static final int NO_STACK = -14;

  /** Of the simulated machine: 250 Hz. */
  private static final long NANOS_PER_TICK = 4_000_000;

  private final ExpressionEvaluator expressions;
  private final Target target;
  private final AnalyzedClause clause;
  private final Moment moment;
  private final ClauseContext context;

  NumberCalls(
      ExpressionEvaluator expressions,
      Target target,
      AnalyzedClause clause,
      Moment moment,
      ClauseContext context) {
    this.expressions = expressions;
    this.target = target;
    this.clause = clause;
    this.moment = moment;
    this.context = context;
  }

  /** Returns the number that a call returns. */
  CInteger number(Expr.Call call, IntType type) {
    Circumstances who = moment.who();
    return switch (call.function().canonicalName()) {
      case "pid" -> CInteger.of(ids(call).map(PidNamespace.Ids::pid).orElse(who.pid()), type);
      case "kpid" -> CInteger.of(ids(call).map(PidNamespace.Ids::tid).orElse(who.tid()), type);
      case "uid" -> CInteger.of(who.uid(), type);
      case "gid" -> CInteger.of(who.gid(), type);
      case "curtask" -> CInteger.of(who.task(), type);
      case "numaid" -> CInteger.of(0, type);
      case "ncpus" -> CInteger.of(target.cpus(), type);
      case "usermode" -> CInteger.of(context.isUserMode() ? 1 : 0, type);
      case "jiffies" -> CInteger.of(moment.nanos() / NANOS_PER_TICK, type);
      case "cgroup" -> CInteger.of(who.cgroup(), type);
      case "in_cgroup" -> {
        String directory = ((Expr.StringLiteral) call.arguments().get(0)).value();
        boolean isIn = target.cgroups().at(directory).orElseThrow().id() == who.cgroup();
        yield CInteger.of(isIn ? 1 : 0, type);
      }
      case "cpu" -> CInteger.of(who.cpu(), type);
      case "time", "walltime", "nsecs" -> CInteger.of(moment.nanos(), type);
      case "retval" ->
          CInteger.of(context.register(target.architecture().returnValueOffset()), type);
      case "caller" ->
          CInteger.of(context.register(target.architecture().programCounterOffset()), type);
      case "stack" -> stack(moment.who().stack(), type);
      case "ustack" -> stack(moment.who().userStack(), type);
      case "cgroup_path" -> expressions.number(call.arguments().get(0)).as(type);
      case "uptr", "kptr", "anyptr", "ksym" -> expressions.number(call.arguments().get(0));
      case "bswap" ->
          CInteger.of(
              Long.reverseBytes(expressions.bits64(call.arguments().get(0)))
                  >>> (64 - 8 * type.bytes()),
              type);
      case "strcmp" ->
          CInteger.of(
              Integer.signum(
                  compare(
                      expressions.text(call.arguments().get(0)),
                      expressions.text(call.arguments().get(1)))),
              type);
      case "has_key" -> {
        MapRef entry = ((Expr.MapRead) call.arguments().get(0)).map();
        yield CInteger.of(
            expressions.state(entry).get(expressions.key(entry)).isPresent() ? 1 : 0, type);
      }
      case "delete" -> {
        MapRef entry = ((Expr.MapRead) call.arguments().get(0)).map();
        boolean was = expressions.state(entry).get(expressions.key(entry)).isPresent();
        expressions.state(entry).remove(expressions.key(entry));
        yield CInteger.of(was ? 1 : 0, type);
      }
      case "len" ->
          CInteger.of(
              expressions.state(((Expr.MapRead) call.arguments().get(0)).map()).keys().size(),
              type);
      case "is_str", "is_ptr", "is_array", "is_integer", "is_unsigned_integer", "is_literal" -> {
        Expr argument = call.arguments().get(0);
        boolean holds =
            ((TypeBuiltins.Predicate) call.function()).holds(argument, clause.typeOf(argument));
        yield CInteger.of(holds ? 1 : 0, type);
      }
      case "strcontains" -> CInteger.of(indexOf(call) >= 0 ? 1 : 0, type);
      case "strstr" -> CInteger.of(indexOf(call), type);
      case "strglob" -> {
        String pattern = ((Expr.StringLiteral) call.arguments().get(1)).value();
        byte[] bytes = TextBytes.encode(beforeNul(expressions.text(call.arguments().get(0))));
        yield CInteger.of(BytePattern.of(pattern).matches(bytes) ? 1 : 0, type);
      }
      case "strlen" ->
          CInteger.of(beforeNul(expressions.text(call.arguments().get(0))).length(), type);
      case "memcmp" -> CInteger.of(compareBytes(call.arguments()), type);
      case "strncmp" -> CInteger.of(comparePrefix(call.arguments()) ? 0 : 1, type);
      case "ctx", "data", "regs", "func_ip", "probe", "kaddr", "uaddr", "cgroupid", "kfunc_exist" ->
          throw new IllegalArgumentException(
              "nobody knows where the kernel has its context: " + IrPrinter.print(call));
      default -> throw new IllegalArgumentException(call.function() + " is no number");
    };
  }

  /** Returns the IDs in the tracer's PID namespace, if it is these that are meant. */
  private Optional<PidNamespace.Ids> ids(Expr.Call call) {
    return ThreadBuiltins.scope(call) == PidScope.INIT
        ? Optional.empty()
        : target.pidNamespace().map(moment.who()::idsFor);
  }

  private static CInteger stack(List<Long> stack, IntType type) {
    if (!stack.isEmpty()) {
      throw new IllegalArgumentException("a stack's number is the kernel's choice");
    }
    return CInteger.of(NO_STACK, type);
  }

  private int indexOf(Expr.Call call) {
    String string = beforeNul(expressions.text(call.arguments().get(0)));
    return string.indexOf(beforeNul(expressions.text(call.arguments().get(1))));
  }

  private boolean comparePrefix(List<Expr> arguments) {
    int length = expressions.number(arguments.get(2)).value().intValue();
    String a = beforeNul(expressions.text(arguments.get(0)));
    String b = beforeNul(expressions.text(arguments.get(1)));
    return cut(a, length).equals(cut(b, length));
  }

  private int compareBytes(List<Expr> arguments) {
    int length = (int) expressions.bits64(arguments.get(2));
    String left = cut(expressions.stored(arguments.get(0)).bytes(), length);
    return Integer.signum(
        left.compareTo(cut(expressions.stored(arguments.get(1)).bytes(), length)));
  }
}
