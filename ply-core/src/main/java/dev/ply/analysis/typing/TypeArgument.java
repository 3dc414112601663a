package dev.ply.analysis.typing;

import static dev.ply.diagnostic.DiagnosticCode.NOT_AVAILABLE_HERE;
import static dev.ply.diagnostic.DiagnosticCode.OUT_OF_RANGE;
import static dev.ply.diagnostic.DiagnosticCode.TYPE_MISMATCH;

import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.Expr;
import dev.ply.machine.Architecture;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.Provider.Offer;
import dev.ply.target.KernelTypes;
import dev.ply.target.Target;
import dev.ply.type.IntFormat;
import dev.ply.type.Signedness;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import java.util.List;
import java.util.Optional;

/** Types the arguments and results of probed functions. */
final class TypeArgument {
  private static final int MOST_RAW_ARGUMENTS = 12;

  private final AttachPoint point;
  private final Target target;
  private final Diagnostics diagnostics;

  TypeArgument(AttachPoint point, Target target, Diagnostics diagnostics) {
    this.point = point;
    this.target = target;
    this.diagnostics = diagnostics;
  }

  /** Types an argument, if the probe has arguments. */
  Optional<Type> apply(Expr.Argument node) {
    Optional<KernelTypes.Function> function = typedFunction();
    if (function.isPresent()) {
      return typedArgument(node, function.get());
    }
    if (point instanceof AttachPoint.Usdt usdt) {
      return new TypeUsdtArgument(target.binaries(), diagnostics).apply(node, usdt);
    }
    if (point instanceof AttachPoint.RawTracepoint raw) {
      return rawArgument(node, raw);
    }
    if (!point.offers(Offer.ARGUMENTS)) {
      diagnostics.error(
          NOT_AVAILABLE_HERE,
          node.span(),
          "\"arg"
              + node.index()
              + "\" is not available in "
              + point.definition()
              + ": only a probe on the entry of a function has arguments");
      return Optional.empty();
    }
    return inRegister(node);
  }

  private Optional<Type> typedArgument(Expr.Argument node, KernelTypes.Function function) {
    List<KernelTypes.Parameter> parameters = function.parameters();
    if (node.index() >= parameters.size()) {
      diagnostics.error(
          OUT_OF_RANGE,
          node.span(),
          "\"arg" + node.index() + "\" is not available in " + point.definition(),
          "the function takes "
              + (parameters.isEmpty()
                  ? "no arguments"
                  : String.join(
                      ", ", parameters.stream().map(KernelTypes.Parameter::name).toList())));
      return Optional.empty();
    }
    return passed(parameters.get(node.index()).type(), node, "this argument");
  }

  /** The number of arguments depends on the tracepoint; without types, the kernel checks it. */
  private Optional<Type> rawArgument(Expr.Argument node, AttachPoint.RawTracepoint raw) {
    Optional<Integer> own =
        target.types().rawTracepointProbe(raw.event()).map(probe -> probe.parameters().size());
    if (node.index() >= own.orElse(MOST_RAW_ARGUMENTS)) {
      diagnostics.error(
          OUT_OF_RANGE,
          node.span(),
          "\"arg" + node.index() + "\" is not available in " + point.definition(),
          own.map(TypeArgument::ofRawTracepoint)
              .orElse("a raw tracepoint has " + MOST_RAW_ARGUMENTS + " arguments at most"));
      return Optional.empty();
    }
    return Optional.of(IntType.U64.printedAs(IntFormat.HEX));
  }

  private static String ofRawTracepoint(int arguments) {
    return switch (arguments) {
      case 0 -> "it has no arguments";
      case 1 -> "it has arg0 only";
      default -> "it has arg0 to arg" + (arguments - 1);
    };
  }

  private Optional<Type> inRegister(Expr.Argument node) {
    Architecture architecture = target.architecture();
    List<String> registers = architecture.argumentNames();
    if (node.index() >= registers.size()) {
      int last = registers.size() - 1;
      diagnostics.error(
          OUT_OF_RANGE,
          node.span(),
          "\"arg" + node.index() + "\" is not passed in a register",
          "functions on "
              + architecture.canonicalName()
              + " take "
              + registers.size()
              + " arguments in registers, arg0 ("
              + registers.get(0)
              + ") to arg"
              + last
              + " ("
              + registers.get(last)
              + "), and the rest on the stack");
      return Optional.empty();
    }
    return Optional.of(
        IntType.of(architecture.wordSize(), Signedness.UNSIGNED).printedAs(IntFormat.HEX));
  }

  /** Types the result of the probed function. */
  Optional<Type> result(Expr.Call node) {
    Optional<KernelTypes.Function> function = typedFunction();
    Optional<Type> type =
        function.isPresent()
            ? passed(function.get().result(), node, "what the function returns")
            : new ResultType(target).of(point);
    if (!ContextBuiltins.isTyped(node)) {
      // Of a function whose type is unknown, too; what no function returns has been reported.
      boolean isReported = type.isEmpty() && function.isPresent();
      return isReported ? Optional.empty() : Optional.of(new ResultType(target).register());
    }
    boolean isUnsigned = !node.arguments().isEmpty();
    return type.isEmpty() && function.isEmpty()
        ? Optional.of(
            isUnsigned
                ? IntType.of(target.architecture().wordSize(), Signedness.UNSIGNED)
                : new ResultType(target).register())
        : type;
  }

  /** Returns the signature that types {@code args}, where BTF has it. */
  Optional<KernelTypes.Function> named() {
    return point instanceof AttachPoint.RawTracepoint raw
        ? target.types().rawTracepoint(raw.event())
        : typedFunction();
  }

  /** Returns the signature of the probed function, where BTF has it. */
  private Optional<KernelTypes.Function> typedFunction() {
    return point.typedFunction().flatMap(function -> target.types().function(function));
  }

  /** Returns a type if its values are passed in a register. */
  private Optional<Type> passed(Type type, Expr expr, String role) {
    if (!type.isScalar()) {
      diagnostics.error(
          TYPE_MISMATCH,
          expr.span(),
          role + " is " + TypeExpression.article(type) + ", and in no register");
      return Optional.empty();
    }
    return Optional.of(type);
  }
}
