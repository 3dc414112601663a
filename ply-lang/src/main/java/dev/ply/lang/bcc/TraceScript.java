package dev.ply.lang.bcc;

import dev.ply.builtin.Builtin;
import dev.ply.builtin.catalog.ClockBuiltins;
import dev.ply.builtin.catalog.EventBuiltins;
import dev.ply.builtin.catalog.StackBuiltins;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Source;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.Script;
import dev.ply.ir.Statement;
import dev.ply.ir.TypeDefinition;
import dev.ply.ir.declaration.Configuration;
import dev.ply.lang.ParseResult;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.KernelProbe;
import dev.ply.selector.KernelSelector;
import dev.ply.text.PrintfFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Specifiers of trace as a script: each is a clause whose {@code printf} writes a line, with the
 * stacks after it.
 *
 * @param source the specifiers, one after the other, each from the start of a line
 * @param result the script, or errors
 * @param headConversions the number of conversions of each line before its message
 * @param stacks the number of conversions after it
 * @param heading the line of headings
 */
public record TraceScript(
    Source source, ParseResult result, int headConversions, int stacks, String heading) {
  private static final long SECOND = 1_000_000_000;
  private static final long MICROSECOND = 1000;

  /** The number of functions of a stack, as many as BCC shows. */
  private static final int DEPTH = 127;

  /** Translates specifiers; all errors are in the result. */
  public static TraceScript translate(List<String> specifiers, TraceSettings settings) {
    Source source = new Source("<specifier>", String.join("\n", specifiers));
    Diagnostics diagnostics = new Diagnostics();
    List<Clause> clauses = new ArrayList<>();
    List<ProbedFunction> probes = new ArrayList<>();
    boolean hasMessages = false;
    int start = 0;
    for (String text : specifiers) {
      int end = start + text.length();
      try {
        TraceSpecifier specifier = TraceParser.parse(new Slice(source, start, end));
        clauses.add(new Line(specifier, settings).clause());
        probes.add(specifier.probe());
        hasMessages |= specifier.format().isPresent();
      } catch (SpecifierException e) {
        e.report(diagnostics);
      }
      start = end + 1;
    }
    List<TypeDefinition> definitions = new ArrayList<>(settings.definitions());
    if (definitions.isEmpty()) {
      definitions.addAll(LibraryTypes.usedBy(probes));
    }
    Script script = new Script(Configuration.NONE, clauses, List.of(), definitions, List.of());
    return new TraceScript(
        source,
        new ParseResult(script, diagnostics.list()),
        PrintfFormat.parse(settings.head()).conversions().size(),
        (settings.hasKernelStack() ? 1 : 0) + (settings.hasUserStack() ? 1 : 0),
        settings.heading(hasMessages));
  }

  /** The line of a specifier's events. */
  private static final class Line {
    private final TraceSpecifier specifier;
    private final TraceSettings settings;
    private final SourceSpan span;

    Line(TraceSpecifier specifier, TraceSettings settings) {
      this.specifier = specifier;
      this.settings = settings;
      this.span = specifier.whole().span();
    }

    Clause clause() throws SpecifierException {
      ProbedFunction probe = specifier.probe();
      SpecifierScope scope = new SpecifierScope(probe, new TraceVariables(probe));
      Optional<Expr> filter = Optional.empty();
      if (specifier.filter().isPresent()) {
        filter = Optional.of(CExpressionParser.parse(specifier.filter().get(), scope));
      }
      AttachPoint point = point();
      TraceFormat message = TraceFormat.of(specifier, scope, settings.stringSize());
      List<Expr> arguments = new ArrayList<>();
      String stacks = stacks();
      String format = settings.head() + message.text() + stacks + "\n";
      arguments.add(new Expr.StringLiteral(stacks.isEmpty() ? format : format + "\n", span));
      arguments.addAll(head());
      arguments.addAll(message.values());
      arguments.addAll(stackValues());
      Statement line =
          new Statement.Evaluate(new Expr.Call(EventBuiltins.PRINTF, arguments, span), span);
      return new Clause(
          point, probe.function().span(), filter, new Statement.Block(List.of(line), span), span);
    }

    /** A system call is its name, whatever the function that implements it. */
    private AttachPoint point() throws SpecifierException {
      ProbedFunction probe = specifier.probe();
      Optional<String> call = probe.systemCall();
      if (call.isEmpty()) {
        return probe.point();
      }
      KernelSelector.Entry function = KernelSelector.parseEntry("sys_" + call.get());
      return probe.kind() == ProbedFunction.Kind.ENTRY
          ? new KernelProbe.Kprobe(function)
          : new KernelProbe.Kretprobe(function);
    }

    /** Returns the name of the function, without an offset, or of the event. */
    private String name() {
      String name = specifier.probe().function().text();
      int plus = name.indexOf('+');
      return plus > 0 ? name.substring(0, plus) : name;
    }

    private List<Expr> head() {
      List<Expr> values = new ArrayList<>();
      switch (settings.time()) {
        case NONE -> {}
        case OF_DAY -> values.add(time("%H:%M:%S"));
        case SINCE_START -> values.addAll(seconds());
        case UNIX -> values.add(time("%s.%f"));
      }
      if (settings.hasCpu()) {
        values.add(call(ThreadBuiltins.CPU));
      }
      values.add(call(ThreadBuiltins.PID));
      values.add(call(ThreadBuiltins.KPID));
      values.add(call(ThreadBuiltins.COMM));
      values.add(new Expr.StringLiteral(name(), span));
      return values;
    }

    private Expr time(String format) {
      return call(
          ClockBuiltins.STRFTIME,
          new Expr.StringLiteral(format, span),
          call(ClockBuiltins.WALLTIME));
    }

    /** Returns the seconds since the trace began, and the microseconds of the second. */
    private List<Expr> seconds() {
      Expr elapsed = call(ClockBuiltins.ELAPSED);
      Expr rest = binary(BinaryOp.MOD, elapsed, SECOND);
      return List.of(
          binary(BinaryOp.DIV, elapsed, SECOND), binary(BinaryOp.DIV, rest, MICROSECOND));
    }

    private Expr binary(BinaryOp op, Expr left, long right) {
      return new Expr.Binary(op, left, Expr.number(right, span), span);
    }

    private String stacks() {
      return (settings.hasKernelStack() ? "%s" : "") + (settings.hasUserStack() ? "%s" : "");
    }

    private List<Expr> stackValues() {
      List<Expr> values = new ArrayList<>();
      List<Expr> shape = new ArrayList<>();
      if (settings.hasAddresses()) {
        shape.add(new Expr.StringLiteral("perf", span));
      }
      shape.add(Expr.number(DEPTH, span));
      if (settings.hasKernelStack()) {
        values.add(new Expr.Call(StackBuiltins.STACK, shape, span));
      }
      if (settings.hasUserStack()) {
        values.add(new Expr.Call(StackBuiltins.USTACK, shape, span));
      }
      return values;
    }

    private Expr call(Builtin function, Expr... arguments) {
      return new Expr.Call(function, List.of(arguments), span);
    }
  }
}
