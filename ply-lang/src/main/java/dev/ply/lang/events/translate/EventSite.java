package dev.ply.lang.events.translate;

import dev.ply.lang.events.EventDefinition;
import dev.ply.lang.events.EventLocation;
import dev.ply.lang.events.ProbeError;
import dev.ply.lang.events.Problems;
import dev.ply.lang.events.Problems.Reported;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.KernelProbe;
import dev.ply.probe.UserProbe;
import dev.ply.selector.KernelSelector;
import dev.ply.selector.UserSelector;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.target.Target;
import dev.ply.target.UnreadableTargetException;
import java.util.Optional;
import java.util.OptionalLong;

/** Where an event is, as a probe of a script. */
final class EventSite implements EventLocation.Visitor<AttachPoint, Reported> {
  private final EventDefinition event;
  private final Target target;
  private final Problems problems;

  EventSite(EventDefinition event, Target target, Problems problems) {
    this.event = event;
    this.target = target;
    this.problems = problems;
  }

  /** Returns the probe of the event. */
  AttachPoint point() throws Reported {
    return event.location().accept(this);
  }

  /** Returns the entry of the function whose return is probed. */
  AttachPoint entry() {
    return new KernelProbe.Kprobe(kernelEntry(event.location()));
  }

  /** Returns where an event is in its file; 0 in the kernel. */
  long fileOffset() throws Reported {
    if (event.location() instanceof EventLocation.FileOffset file) {
      return file.offset();
    }
    if (!(event.location() instanceof EventLocation.FileSymbol symbol)) {
      return 0;
    }
    try {
      UserSelector function = new UserSelector.Function(path(symbol.path()), symbol.name());
      return target.binaries().locate(function).get(0).offset();
    } catch (ProbeSiteNotFoundException e) {
      throw problems.error(
          event.locationSpan(), String.valueOf(e.getMessage()), e.hints().toArray(String[]::new));
    } catch (UnreadableTargetException e) {
      throw problems.error(event.locationSpan(), String.valueOf(e.getMessage()));
    }
  }

  @Override
  public AttachPoint visit(EventLocation.Symbol symbol) {
    return symbol.offset() == 0
        ? inKernel(function(symbol))
        : new KernelProbe.Kprobe(new KernelSelector.Inside(function(symbol), symbol.offset()));
  }

  @Override
  public AttachPoint visit(EventLocation.Address address) {
    return inKernel(new KernelSelector.Address(address.value()));
  }

  private AttachPoint inKernel(KernelSelector.Entry entry) {
    return event.isReturn()
        ? new KernelProbe.Kretprobe(entry, event.maxActive())
        : new KernelProbe.Kprobe(entry);
  }

  @Override
  public AttachPoint visit(EventLocation.FileSymbol symbol) {
    return inFile(new UserSelector.Function(path(symbol.path()), symbol.name()));
  }

  @Override
  public AttachPoint visit(EventLocation.FileOffset file) throws Reported {
    try {
      OptionalLong address = target.binaries().address(path(file.path()), file.offset());
      if (address.isPresent()) {
        return inFile(
            new UserSelector.Address(
                path(file.path()), address.getAsLong(), file.counter().orElse(0)));
      }
      throw problems.error(
          ProbeError.BAD_UPROBE_OFFS,
          event.locationSpan(),
          "the file has no code there; it is an offset in the file, not an address");
    } catch (ProbeSiteNotFoundException e) {
      throw problems.error(
          ProbeError.FILE_NOT_FOUND, event.locationSpan(), String.valueOf(e.getMessage()));
    } catch (UnreadableTargetException e) {
      throw problems.error(
          ProbeError.NO_REGULAR_FILE, event.locationSpan(), String.valueOf(e.getMessage()));
    }
  }

  private AttachPoint inFile(UserSelector.Entry place) {
    return event.isReturn() ? new UserProbe.Uretprobe(place) : new UserProbe.Uprobe(place);
  }

  @Override
  public AttachPoint visit(EventLocation.Event other) throws Reported {
    try {
      if (target.tracepoints().id(other.category(), other.name()).isEmpty()) {
        throw problems.error(
            ProbeError.BAD_ATTACH_EVENT,
            event.locationSpan(),
            Problems.nearest(
                other.text(),
                target.tracepoints().names().map(name -> name.replace(':', '.')),
                "ply -l 'tracepoint:" + other.category() + ":*' lists events"));
      }
    } catch (UnreadableTargetException e) {
      throw problems.error(event.locationSpan(), String.valueOf(e.getMessage()));
    }
    return new AttachPoint.Tracepoint(other.category(), other.name());
  }

  @Override
  public AttachPoint visit(EventLocation.Tracepoint tracepoint) throws Reported {
    if (target.types().isKnown() && target.types().rawTracepoint(tracepoint.name()).isEmpty()) {
      throw problems.error(
          ProbeError.NO_TRACEPOINT,
          event.locationSpan(),
          Problems.nearest(
              tracepoint.name(),
              target.tracepoints().names().map(name -> name.substring(name.indexOf(':') + 1)),
              "write its name without a category: sched_switch"));
    }
    return new AttachPoint.RawTracepoint(tracepoint.name());
  }

  private static KernelSelector.Entry kernelEntry(EventLocation location) {
    return location instanceof EventLocation.Symbol symbol
        ? function(symbol)
        : new KernelSelector.Address(((EventLocation.Address) location).value());
  }

  private static KernelSelector.Function function(EventLocation.Symbol symbol) {
    int colon = symbol.name().indexOf(':');
    return new KernelSelector.Function(
        colon < 0 ? Optional.empty() : Optional.of(symbol.name().substring(0, colon)),
        symbol.function());
  }

  /** The name of a file in the working directory could be a library's, too. */
  private static String path(String path) {
    return path.indexOf('/') < 0 ? "./" + path : path;
  }
}
