package dev.ply.ir.generate;

import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Clause;
import dev.ply.ir.Script;
import dev.ply.ir.Statement;
import dev.ply.ir.declaration.MapDeclaration;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.CounterProbe;
import dev.ply.probe.KernelProbe;
import dev.ply.probe.OffCpuProbe;
import dev.ply.probe.PerfCounter;
import dev.ply.probe.PerfPeriod;
import dev.ply.probe.SamplingRate;
import dev.ply.probe.TimerProbe;
import dev.ply.probe.TracerProbe;
import dev.ply.probe.UserProbe;
import dev.ply.selector.Glob;
import dev.ply.selector.KernelSelector;
import dev.ply.selector.TracepointSelector;
import dev.ply.selector.UsdtSelector;
import dev.ply.selector.UserSelector;
import dev.ply.selector.WatchSelector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Arbitrary scripts. */
public final class Scripts {
  private Scripts() {}

  /** Returns scripts of one to three clauses. */
  public static Arbitrary<Script> any() {
    return Combinators.combine(
            clauses().list().ofMinSize(1).ofMaxSize(3), declarations().list().ofMaxSize(2))
        .as((clauses, maps) -> withVariables(clauses).withDeclarations(maps));
  }

  private static Arbitrary<MapDeclaration> declarations() {
    return Combinators.combine(
            Names.aggregations(),
            Arbitraries.of(MapDeclaration.Kind.class),
            Arbitraries.integers().greaterOrEqual(1))
        .as((map, kind, entries) -> new MapDeclaration(map, kind, entries, SourceSpan.NONE));
  }

  private static Script withVariables(List<Clause> clauses) {
    Clause first = clauses.get(0);
    List<Statement> statements = new ArrayList<>(Statements.assignments());
    statements.addAll(first.body().statements());
    List<Clause> all = new ArrayList<>(clauses);
    all.set(
        0,
        new Clause(
            first.point(),
            first.pointSpan(),
            first.predicate(),
            new Statement.Block(statements, SourceSpan.NONE),
            first.span()));
    return new Script(all);
  }

  /** Returns clauses on any kind of attach point, with and without a predicate. */
  public static Arbitrary<Clause> clauses() {
    return Combinators.combine(attachPoints(), Expressions.any().optional(0.5), Statements.blocks())
        .as(
            (point, predicate, body) ->
                new Clause(point, SourceSpan.NONE, predicate, body, SourceSpan.NONE));
  }

  /** Returns attach points of every kind. */
  public static Arbitrary<AttachPoint> attachPoints() {
    Arbitrary<String> events =
        Arbitraries.oneOf(Names.free(), Arbitraries.of("9p", "sched_switch", "xhci-hcd", "if"));
    Arbitrary<AttachPoint> tracepoints =
        Combinators.combine(events, events).as(AttachPoint.Tracepoint::new);
    return Arbitraries.oneOf(
        places().map(KernelProbe.Kprobe::new),
        Combinators.combine(entries(), Arbitraries.integers().between(1, 4096).optional(0.3))
            .as(
                (place, calls) ->
                    new KernelProbe.Kretprobe(
                        place, calls.map(OptionalInt::of).orElse(OptionalInt.empty()))),
        tracepoints,
        userPlaces().map(UserProbe.Uprobe::new),
        userEntries().map(UserProbe.Uretprobe::new),
        Combinators.combine(globs(), globs())
            .as(TracepointSelector.Events::new)
            .map(AttachPoint.Tracepoint::new),
        Combinators.combine(binaries(), globs().optional(0.5), globs())
            .as(UsdtSelector.Marks::new)
            .map(AttachPoint.Usdt::new),
        Names.free().map(AttachPoint.RawTracepoint::new),
        counters(PerfCounter.Source.SOFTWARE).map(CounterProbe.Software::new),
        counters(PerfCounter.Source.HARDWARE).map(CounterProbe.Hardware::new),
        watched().map(AttachPoint.Watchpoint::new),
        Names.free().map(AttachPoint.Iterator::new),
        Arbitraries.of(OffCpuProbe.Reason.values()).map(OffCpuProbe::new),
        Arbitraries.just(new TracerProbe.Begin()),
        Arbitraries.just(new TracerProbe.End()),
        Arbitraries.just(new TracerProbe.UserSignal()),
        Names.free().map(TracerProbe.Test::new),
        Names.free().map(TracerProbe.Bench::new),
        periods().map(TimerProbe.Interval::new),
        Combinators.combine(Arbitraries.integers().between(0, 9999).optional(0.5), rates())
            .as(
                (cpu, rate) ->
                    new TimerProbe.Profile(
                        cpu.map(OptionalInt::of).orElse(OptionalInt.empty()), rate)));
  }

  private static Arbitrary<WatchSelector> watched() {
    Arbitrary<WatchSelector.Place> places =
        Arbitraries.oneOf(
            Names.free().map(WatchSelector.Symbol::new),
            Arbitraries.longs()
                .filter(address -> address != 0)
                .map(address -> new WatchSelector.Address((address & -8) | 8)));
    return Combinators.combine(
            places, Arbitraries.of(1, 2, 4, 8), Arbitraries.of(WatchSelector.Access.values()))
        .as(WatchSelector::new);
  }

  private static Arbitrary<SamplingRate> rates() {
    return Arbitraries.oneOf(
        Arbitraries.longs().between(1, 1_000_000_000).map(SamplingRate.Hertz::new),
        periods().map(SamplingRate.Every::new));
  }

  private static Arbitrary<KernelSelector> places() {
    return Arbitraries.oneOf(
        entries().map(place -> place),
        Combinators.combine(functions(), Arbitraries.longs().between(1, Long.MAX_VALUE >> 4))
            .as(KernelSelector.Inside::new));
  }

  private static Arbitrary<KernelSelector.Entry> entries() {
    return Arbitraries.oneOf(
        functions().map(place -> place),
        Arbitraries.longs().map(KernelSelector.Address::new),
        Combinators.combine(globs().optional(0.3), globs()).as(KernelSelector.Functions::new));
  }

  private static Arbitrary<KernelSelector.Function> functions() {
    return Combinators.combine(
            Arbitraries.of("ext4", "8021q", "x86_pkg").optional(0.3),
            Arbitraries.oneOf(Names.free(), Arbitraries.of("vfs_read", "f.isra.0", "__do$x", "if")))
        .as(KernelSelector.Function::new);
  }

  private static Arbitrary<PerfPeriod> counters(PerfCounter.Source source) {
    return Combinators.combine(
            Arbitraries.of(PerfCounter.class).filter(counter -> counter.source() == source),
            Arbitraries.longs().between(1, Long.MAX_VALUE))
        .as(PerfPeriod::new);
  }

  private static Arbitrary<String> binaries() {
    return Arbitraries.of(
        "c", "/bin/bash", "4711", "/opt/a b/x", "libc.so.6", "./x{1,2}:3;", "./app*", "*", "");
  }

  private static Arbitrary<UserSelector.Function> userFunctions() {
    return Combinators.combine(
            binaries(),
            Arbitraries.of(
                "malloc",
                "_ZN3foo3barEv",
                "main.main",
                "f$x@plt",
                "net/http.Get",
                "operator+",
                "a b\"c\\d",
                "7up"))
        .as(UserSelector.Function::new);
  }

  private static Arbitrary<UserSelector> userPlaces() {
    return Arbitraries.oneOf(
        userEntries().map(place -> place),
        Combinators.combine(userFunctions(), Arbitraries.longs().between(1, Long.MAX_VALUE >> 4))
            .as(UserSelector.Inside::new));
  }

  private static Arbitrary<UserSelector.Entry> userEntries() {
    return Arbitraries.oneOf(
        userFunctions().map(place -> place),
        Combinators.combine(binaries(), Arbitraries.longs()).as(UserSelector.Address::new),
        Combinators.combine(
                binaries(),
                Arbitraries.of("*", "mem*", "a?[bc]", "main.(*T).f", "[[:alpha:]]*").map(Glob::new))
            .as(UserSelector.Functions::new),
        Combinators.combine(
                binaries(),
                Arbitraries.of("Foo::bar", "a::*", "f(int, char const*)", "A<int>::~A")
                    .map(Glob::new))
            .as(UserSelector.CxxFunctions::new));
  }

  private static Arbitrary<Glob> globs() {
    return Arbitraries.of(
            "*",
            "vfs_*",
            "vfs_*r[ei][at][de]",
            "a?",
            "[[:alpha:]_]*",
            "@(a|b)c",
            "!(a*)",
            "[]:]+(b)")
        .map(Glob::new);
  }

  private static Arbitrary<Duration> periods() {
    return Arbitraries.oneOf(
        Arbitraries.longs().between(1, Long.MAX_VALUE).map(Duration::ofNanos),
        Arbitraries.longs().between(1, 1000).map(Duration::ofMillis),
        Arbitraries.longs().between(1, 1000).map(Duration::ofSeconds));
  }
}
