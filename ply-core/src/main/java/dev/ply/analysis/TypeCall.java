package dev.ply.analysis;

import static dev.ply.diagnostic.DiagnosticCode.ARGUMENT_COUNT;
import static dev.ply.diagnostic.DiagnosticCode.NOT_AVAILABLE_HERE;
import static dev.ply.diagnostic.DiagnosticCode.NOT_OFFERED;
import static dev.ply.diagnostic.DiagnosticCode.TYPE_MISMATCH;

import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.AttachPoint;
import dev.ply.ir.Expr;
import dev.ply.ir.Intrinsic;
import dev.ply.target.Target;
import dev.ply.target.TracepointFormat;
import dev.ply.type.AddressSpace;
import dev.ply.type.IntFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.StructType;
import dev.ply.type.Type.VoidType;
import java.util.Optional;

/** Types the calls of built-ins, each by its own rule. */
final class TypeCall {
  private final TypeExpression expressions;
  private final TypeArgument arguments;
  private final AttachPoint point;
  private final Optional<TracepointFormat> tracepoint;
  private final Diagnostics diagnostics;
  private final TypeMemory memory;
  private final TypeEvent events;
  private final TypeStack stacks;
  private final TypeSymbol symbols;

  TypeCall(
      TypeExpression expressions,
      TypeArgument arguments,
      AttachPoint point,
      Optional<TracepointFormat> tracepoint,
      Target target,
      MapSymbols maps,
      Diagnostics diagnostics) {
    this.expressions = expressions;
    this.arguments = arguments;
    this.point = point;
    this.tracepoint = tracepoint;
    this.diagnostics = diagnostics;
    this.memory = new TypeMemory(expressions, tracepoint, diagnostics);
    this.events = new TypeEvent(expressions, maps, diagnostics);
    this.stacks = new TypeStack(expressions, diagnostics);
    this.symbols = new TypeSymbol(expressions, target.symbols(), diagnostics);
  }

  /** Types a call and its arguments. */
  Optional<Type> apply(Expr.Call node) {
    Intrinsic function = node.function();
    String name = function.canonicalName();
    String reason = Availability.reasonAgainst(function, point);
    if (!reason.isEmpty()) {
      diagnostics.error(
          NOT_AVAILABLE_HERE,
          node.span(),
          "there is no \"" + name + "\" in " + point.definition() + ": " + reason);
      return Optional.empty();
    }
    int given = node.arguments().size();
    if (given < function.minArguments() || given > function.maxArguments()) {
      diagnostics.error(
          ARGUMENT_COUNT,
          node.span(),
          "\"" + name + "\" takes " + expectedCount(function) + ", found " + given);
      return Optional.empty();
    }
    return switch (function) {
      case COMM -> Optional.of(ArrayType.chars(16));
      case PID, KPID -> Optional.of(IntType.U32.printedAs(IntFormat.PID));
      case UID, GID -> Optional.of(IntType.U32.printedAs(IntFormat.UID));
      case CPU -> Optional.of(IntType.U32.printedAs(IntFormat.CPU));
      case TIME -> Optional.of(IntType.S64.printedAs(IntFormat.DURATION));
      case WALLTIME -> Optional.of(IntType.S64.printedAs(IntFormat.TIME_OF_DAY));
      case NSECS -> Optional.of(IntType.U64);
      case CTX -> Optional.of(new PointerType(new VoidType(), AddressSpace.CONTEXT));
      case PROBE -> Optional.of(IntType.U32.printedAs(IntFormat.PROBE));
      case RETVAL -> arguments.result(node);
      case CALLER -> Optional.of(expressions.word().printedAs(IntFormat.SYMBOL));
      case REGS -> Optional.of(context(ContextStruct.of(expressions.architecture())));
      case STACK, USTACK -> stacks.apply(node);
      case DATA -> record(node);
      case STR, MEM -> memory.read(node);
      case DYN -> memory.dynamic(node);
      case UPTR -> address(node, AddressSpace.USER);
      case KPTR -> address(node, AddressSpace.KERNEL);
      case KADDR -> symbols.address(node);
      case KSYM -> symbols.named(node);
      case STRCMP -> compare(node);
      case PRINT -> events.print(node);
      case PRINTF -> events.printf(node);
      case CLEAR -> events.clear(node);
      case EXIT -> events.exit(node);
    };
  }

  private Optional<Type> record(Expr.Call node) {
    Optional<StructType> struct =
        tracepoint.map(ContextStruct::of).or(() -> arguments.named().map(ContextStruct::of));
    if (struct.isEmpty() && point instanceof AttachPoint.RawTracepoint) {
      diagnostics.error(
          NOT_OFFERED,
          node.span(),
          "this kernel has no types of what it hands to " + point.definition(),
          "arg0, arg1, … are there all the same");
    }
    return struct.<Type>map(TypeCall::context).or(expressions::unknown);
  }

  private Optional<Type> address(Expr.Call node, AddressSpace space) {
    Expr address = node.arguments().get(0);
    String role = "the argument of \"" + node.function().canonicalName() + "\"";
    return expressions
        .apply(address)
        .flatMap(type -> expressions.integer(type, address, role))
        .map(unused -> marked(expressions.typeOf(address).orElseThrow(), space));
  }

  /** Numbers stay what they are: how they print says nothing about memory. */
  private static Type marked(Type type, AddressSpace space) {
    return type instanceof PointerType pointer ? new PointerType(pointer.target(), space) : type;
  }

  private Optional<Type> compare(Expr.Call node) {
    boolean comparable = true;
    for (Expr argument : node.arguments()) {
      Optional<Type> type = expressions.apply(argument);
      if (type.isPresent() && !TypeExpression.isText(type.get())) {
        diagnostics.error(
            TYPE_MISMATCH,
            argument.span(),
            "\"strcmp\" compares texts, " + TypeExpression.article(type.get()) + " is none");
      }
      comparable &= type.isPresent() && TypeExpression.isText(type.get());
    }
    return comparable ? Optional.of(IntType.S32) : Optional.empty();
  }

  private static Type context(StructType struct) {
    return new PointerType(struct, AddressSpace.CONTEXT);
  }

  private static String expectedCount(Intrinsic function) {
    int min = function.minArguments();
    int max = function.maxArguments();
    String plural = max == 1 ? " argument" : " arguments";
    if (max == 0) {
      return "no arguments";
    }
    if (min == max) {
      return min + plural;
    }
    if (min == 0) {
      return "at most " + max + plural;
    }
    return max == Integer.MAX_VALUE ? "at least " + min + " argument" : min + " or " + max + plural;
  }
}
