package dev.ply.cli.bpftrace;

import dev.ply.analysis.AnalyzedScript;
import dev.ply.analysis.site.ProbeSite;
import dev.ply.cli.input.CallerEnvironment;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.ExitCode;
import dev.ply.cli.run.Compilation;
import dev.ply.cli.run.TraceRequest;
import dev.ply.diagnostic.Source;
import dev.ply.lang.argument.ScriptArguments;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.BpftraceName;
import dev.ply.probe.CounterProbe;
import dev.ply.probe.KernelProbe;
import dev.ply.probe.TimerProbe;
import dev.ply.probe.TracerProbe;
import dev.ply.selector.KernelSelector;
import dev.ply.type.Escapes;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Lists the probes of a program as bpftrace does, patterns expanded for the running kernel. */
final class ScriptProbes {
  private final Console console;
  private final TraceRequest request;

  ScriptProbes(Console console, TraceRequest request) {
    this.console = console;
    this.request = request;
  }

  /** Prints a line for each probe, and returns the exit status. */
  int list(Source source) {
    Compilation compilation = new Compilation(console, request.kernel(), request.sizes());
    ScriptArguments arguments = request.arguments(CallerEnvironment.read().variables());
    AnalyzedScript script = compilation.analyze(compilation.parse(source, arguments));
    List<AttachPoint> points =
        script.programs().stream()
            .flatMap(program -> program.sites().stream())
            .map(ProbeSite::point)
            .toList();
    warn(points);
    points.stream()
        // What can be attached.
        .filter(point -> !(point instanceof TracerProbe))
        .flatMap(this::names)
        .map(name -> Escapes.escape(name) + "\n")
        .distinct()
        .forEach(console.output()::print);
    return ExitCode.OK;
  }

  /** The probes that a program selects are listed even where this machine cannot attach them. */
  private void warn(List<AttachPoint> points) {
    points.stream()
        .flatMap(point -> point.provider().stream())
        .distinct()
        .forEach(
            provider ->
                request
                    .kernel()
                    .attachFeatures()
                    .lacking(provider)
                    .ifPresent(
                        reason ->
                            console.warning(
                                provider.keyword() + " cannot be attached here: " + reason)));
  }

  /** Returns the names of a probe; those of timers are the units there are. */
  private Stream<String> names(AttachPoint point) {
    return point instanceof TimerProbe
        ? BpftraceNames.UNITS.stream()
            .map(unit -> point.provider().orElseThrow().keyword() + ":" + unit)
        : Stream.of(name(point));
  }

  private String name(AttachPoint point) {
    if (point instanceof CounterProbe counter && point.provider().isPresent()) {
      return point.provider().get().keyword() + ":" + counter.event().name() + ":";
    }
    return typedFunction(point)
        .filter(function -> function.module().isEmpty() && isOfKernel(function))
        .map(function -> inKernel(point, function))
        .orElseGet(() -> BpftraceName.of(point));
  }

  /** Returns the function of fentry and fexit, whose module is always listed. */
  private static Optional<KernelSelector.Function> typedFunction(AttachPoint point) {
    boolean isTyped = point instanceof KernelProbe.Fentry || point instanceof KernelProbe.Fexit;
    return isTyped ? point.typedFunction() : Optional.empty();
  }

  private boolean isOfKernel(KernelSelector.Function function) {
    return request.kernel().types().function(function.name()).isPresent();
  }

  private static String inKernel(AttachPoint point, KernelSelector.Function function) {
    return point.provider().orElseThrow().keyword()
        + ":"
        + BpftraceNames.KERNEL
        + ":"
        + function.name();
  }
}
