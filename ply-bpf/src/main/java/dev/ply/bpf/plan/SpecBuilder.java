package dev.ply.bpf.plan;

import dev.ply.analysis.site.ProbeSite;
import dev.ply.bpf.btf.TypedFunction;
import dev.ply.bpf.object.AttachSite;
import dev.ply.bpf.object.AttachSpec;
import dev.ply.bpf.object.AttachSpec.BtfBinding;
import dev.ply.bpf.object.AttachSpec.Cpus;
import dev.ply.bpf.object.AttachSpec.KprobeInterface;
import dev.ply.bpf.object.KernelLocation;
import dev.ply.bpf.plan.SystemCallPlan.End;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Severity;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.CounterProbe;
import dev.ply.probe.KernelProbe;
import dev.ply.probe.OffCpuProbe;
import dev.ply.probe.TimerProbe;
import dev.ply.probe.TracerProbe;
import dev.ply.probe.UserProbe;
import dev.ply.selector.KernelSelector;
import dev.ply.selector.TracepointSelector;
import dev.ply.selector.UserSelector;
import dev.ply.selector.WatchSelector;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.target.Target;
import dev.ply.target.UnreadableTargetException;
import dev.ply.target.UsdtProbe;
import dev.ply.target.UserLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/** Builds the specs of a program's attachments. */
final class SpecBuilder {
  private static final String PAST_START = ", and past the function's start less than at it";

  private final Target target;
  private final Draft draft;

  SpecBuilder(Target target, Draft draft) {
    this.target = target;
    this.draft = draft;
  }

  /** Returns one spec for each site, or one for all. */
  List<AttachSpec> build() {
    return switch (draft.mechanism()) {
      case KPROBE_MULTI -> List.of(kprobeMulti());
      case RAW_SYSCALLS -> List.of(allSyscalls());
      case KPROBE -> each((site, cookie) -> kprobe(site, KprobeInterface.PERF, cookie));
      case KPROBE_EVENTS -> each((site, cookie) -> kprobe(site, KprobeInterface.TRACEFS, cookie));
      case FENTRY, FENTRY_SYSCALL -> each((site, cookie) -> trampoline(site));
      case RAW_TRACEPOINT -> each(this::rawTracepoint);
      case TRACEPOINT -> each(this::tracepoint);
      case DIRECT -> each((site, cookie) -> site.point().accept(new Direct(told(site))));
    };
  }

  private interface OfSite {
    AttachSpec spec(ProbeSite site, long cookie);
  }

  private List<AttachSpec> each(OfSite variant) {
    List<ProbeSite> sites = draft.group().sites();
    List<AttachSpec> specs = new ArrayList<>(sites.size());
    for (int i = 0; i < sites.size(); i++) {
      specs.add(variant.spec(sites.get(i), draft.cookies().isEmpty() ? 0 : draft.cookies().get(i)));
    }
    return specs;
  }

  private AttachSite told(ProbeSite site) {
    return told(site, draft.reason());
  }

  private AttachSite told(ProbeSite site, String reason) {
    return new AttachSite(
        site.point().definition(),
        site.span(),
        site.pattern().map(AttachPoint::definition),
        site.missing(),
        draft.mechanism(),
        reason);
  }

  private AttachSpec kprobeMulti() {
    List<ProbeSite> sites = draft.group().sites();
    List<String> functions =
        sites.stream()
            .map(site -> FunctionPlan.functionAt(site.point()).orElseThrow().name())
            .toList();
    return new AttachSpec.KprobeMulti(
        sites.stream().map(this::told).toList(),
        functions,
        isReturn(sites.get(0)),
        draft.cookies());
  }

  private AttachSpec allSyscalls() {
    List<ProbeSite> sites = draft.group().sites();
    End end = SystemCallPlan.endOf(sites.get(0).point()).orElseThrow();
    return new AttachSpec.AllSyscalls(
        sites.stream().map(this::told).toList(),
        end.event(),
        SystemCallPlan.probe(end, target).map(probe -> binding(probe, Optional.empty())));
  }

  private AttachSpec kprobe(ProbeSite site, KprobeInterface by, long cookie) {
    KernelProbe point = (KernelProbe) site.point();
    OptionalInt maxActive =
        point instanceof KernelProbe.Kretprobe kretprobe
            ? kretprobe.maxActive()
            : OptionalInt.empty();
    return new AttachSpec.Kprobe(
        told(site), location(point.place()), point.isReturn(), by, maxActive, cookie);
  }

  private static boolean isEntry(UserSelector place) {
    return place instanceof UserSelector.Function
        || (place instanceof UserSelector.Address address && address.function().isPresent());
  }

  private static KernelLocation location(KernelSelector place) {
    if (place instanceof KernelSelector.Function function) {
      return new KernelLocation.Symbol(function.module(), function.name(), 0);
    }
    if (place instanceof KernelSelector.Inside inside) {
      KernelSelector.Function function = inside.function();
      return new KernelLocation.Symbol(function.module(), function.name(), inside.offset());
    }
    if (place instanceof KernelSelector.Address address) {
      return new KernelLocation.Address(address.value());
    }
    throw new IllegalArgumentException("\"" + place.text() + "\" is a pattern");
  }

  private AttachSpec trampoline(ProbeSite site) {
    TypedFunction types = FunctionPlan.typesAt(site.point(), target).orElseThrow();
    Optional<String> module =
        FunctionPlan.functionAt(site.point()).flatMap(KernelSelector.Function::module);
    return new AttachSpec.Trampoline(told(site), binding(types, module), isReturn(site));
  }

  private static boolean isReturn(ProbeSite site) {
    return SystemCallPlan.endOf(site.point()).equals(Optional.of(End.EXIT))
        || (site.point() instanceof KernelProbe code && code.isReturn());
  }

  private static BtfBinding binding(TypedFunction function, Optional<String> module) {
    return new BtfBinding(function.signature().id(), module);
  }

  private AttachSpec rawTracepoint(ProbeSite site, long cookie) {
    return new AttachSpec.RawTracepoint(told(site), event(site).event(), cookie);
  }

  private AttachSpec tracepoint(ProbeSite site, long cookie) {
    TracepointSelector.Event event = event(site);
    return new AttachSpec.Tracepoint(told(site), event.category(), event.event(), cookie);
  }

  private static TracepointSelector.Event event(ProbeSite site) {
    return (TracepointSelector.Event) ((AttachPoint.Tracepoint) site.point()).place();
  }

  /** Specs of probes that can be attached in one way only. */
  private final class Direct implements AttachPoint.Visitor<AttachSpec> {
    private final AttachSite site;

    Direct(AttachSite site) {
      this.site = site;
    }

    @Override
    public AttachSpec visit(KernelProbe point) {
      throw none(point);
    }

    @Override
    public AttachSpec visit(UserProbe point) {
      List<UserLocation> named = locate(() -> target.binaries().locate(point.place()));
      boolean mayMove = isEntry(point.place()) && !draft.group().use().seesInstruction();
      List<UserLocation> cheapest =
          mayMove ? locate(() -> named.stream().map(target.binaries()::cheapest).toList()) : named;
      AttachSite told =
          cheapest.equals(named)
              ? site
              : new AttachSite(
                  site.definition(),
                  site.span(),
                  site.pattern(),
                  site.missing(),
                  site.mechanism(),
                  site.reason() + PAST_START);
      return new AttachSpec.Uprobe(told, cheapest, point.isReturn());
    }

    @Override
    public AttachSpec visit(AttachPoint.Usdt point) {
      List<UserLocation> locations =
          locate(
              () ->
                  target.binaries().marks(point.place()).stream()
                      .map(UsdtProbe::location)
                      .toList());
      return new AttachSpec.Uprobe(site, locations, false);
    }

    /** Files and processes found in analysis can be gone by now. */
    private List<UserLocation> locate(Supplier<List<UserLocation>> search) {
      try {
        return search.get();
      } catch (UnreadableTargetException | ProbeSiteNotFoundException e) {
        throw new CompilationException(
            List.of(
                new Diagnostic(
                    Severity.ERROR,
                    DiagnosticCode.NOT_OFFERED,
                    site.span(),
                    site.definition() + " cannot be attached: " + e.getMessage(),
                    List.of())));
      }
    }

    @Override
    public AttachSpec visit(AttachPoint.Tracepoint point) {
      throw none(point);
    }

    @Override
    public AttachSpec visit(AttachPoint.RawTracepoint point) {
      return new AttachSpec.RawTracepoint(
          site,
          point.event(),
          0,
          FunctionPlan.typesAt(point, draft.group().use(), target)
              .map(types -> binding(types, Optional.empty())));
    }

    @Override
    public AttachSpec visit(TimerProbe point) {
      return new AttachSpec.PerfTimer(site, cpus(point), point.rate());
    }

    @Override
    public AttachSpec visit(CounterProbe point) {
      return new AttachSpec.CounterOverflow(site, point.event());
    }

    @Override
    public AttachSpec visit(AttachPoint.Watchpoint point) {
      WatchSelector place = point.place();
      long address =
          place.place() instanceof WatchSelector.Address fixed
              ? fixed.value()
              : target.symbols().addresses(place.place().text()).get(0);
      return new AttachSpec.Watchpoint(site, address, place.length(), place.access());
    }

    @Override
    public AttachSpec visit(AttachPoint.Iterator point) {
      TypedFunction types = FunctionPlan.typesAt(point, target).orElseThrow();
      return new AttachSpec.Iterator(site, binding(types, Optional.empty()));
    }

    @Override
    public AttachSpec visit(OffCpuProbe point) {
      throw none(point);
    }

    @Override
    public AttachSpec visit(TracerProbe point) {
      return new AttachSpec.TestRun(site, point);
    }

    @Override
    public AttachSpec visit(AttachPoint.AnyKind point) {
      throw none(point);
    }

    @Override
    public AttachSpec visit(AttachPoint.Unknown point) {
      throw none(point);
    }
  }

  private static Cpus cpus(TimerProbe point) {
    if (point instanceof TimerProbe.Profile profile) {
      return profile.cpu().isPresent() ? new Cpus.One(profile.cpu().getAsInt()) : new Cpus.Online();
    }
    return new Cpus.Any();
  }

  private static IllegalStateException none(AttachPoint point) {
    return new IllegalStateException(point.definition() + " is not attached directly");
  }
}
