package dev.ply.export;

import dev.ply.result.Result;
import dev.ply.target.Target;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import jdk.jfr.AnnotationElement;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.EventFactory;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import jdk.jfr.Timestamp;
import jdk.jfr.ValueDescriptor;

/**
 * Commits the events of a trace to the Flight Recorder of this JVM, so that JDK Mission Control and
 * event streams have them on one time line with those of the JVM. A listener to all results:
 *
 * <pre>{@code
 * tracer.prepare(script).listen(new FlightRecorderEvents(new RunningKernel()))
 * }</pre>
 *
 * <p>Each call that sends events is a type of events, {@code ply.print}, with the fields of its
 * values; each row of a map that is shown is an event of the type of the map. Flight Recorder sets
 * the start of such an event to when it is committed, which is after it happened: at most the time
 * that the trace needs to read it. The field {@code happened} has the event's own time, in
 * milliseconds, and {@code took} its duration, if it has one. Events have no stack trace: the
 * thread that commits them is not the one that was traced.
 *
 * <p>The module jdk.jfr is needed by this class alone.
 */
public final class FlightRecorderEvents implements Consumer<Result> {
  private final BootClock clock;
  private final JfrResults results;
  private final Map<JfrType, EventFactory> factories = new HashMap<>();

  /**
   * Creates a listener.
   *
   * @param target that the results come from
   */
  public FlightRecorderEvents(Target target) {
    this.clock = new BootClock(target.wallClock(), InstantSource.system());
    this.results = new JfrResults(target, clock);
  }

  @Override
  public synchronized void accept(Result result) {
    results.accept(result, this::commit);
  }

  private void commit(JfrResults.Event event) {
    EventFactory factory = factories.computeIfAbsent(event.type(), FlightRecorderEvents::factory);
    if (!factory.getEventType().isEnabled()) {
      return;
    }
    Event committed = factory.newEvent();
    int next = 0;
    committed.set(next++, milliseconds(event.time()));
    if (event.duration().isPresent()) {
      committed.set(next++, event.duration().getAsLong());
    }
    for (int i = 0; i < event.values().size(); i++) {
      boolean isTime = event.type().fields().get(i).content() == JfrType.Content.TIME;
      Object value = event.values().get(i);
      if (value instanceof JfrResults.Stack stack) {
        committed.set(next++, stack.folded());
      } else {
        committed.set(next++, isTime ? (Object) milliseconds((Long) value) : value);
      }
    }
    committed.commit();
  }

  private long milliseconds(long bootTime) {
    return Math.floorDiv(clock.epochNanos(bootTime), 1_000_000L);
  }

  private static EventFactory factory(JfrType type) {
    List<ValueDescriptor> fields = new ArrayList<>();
    fields.add(
        new ValueDescriptor(
            long.class,
            "happened",
            List.of(
                new AnnotationElement(Label.class, "Happened"),
                new AnnotationElement(Timestamp.class, Timestamp.MILLISECONDS_SINCE_EPOCH))));
    if (type.hasDuration()) {
      fields.add(
          new ValueDescriptor(
              long.class,
              "took",
              List.of(
                  new AnnotationElement(Label.class, "Took"),
                  new AnnotationElement(Timespan.class, Timespan.NANOSECONDS))));
    }
    for (JfrType.Field field : type.fields()) {
      List<AnnotationElement> annotations = new ArrayList<>();
      annotations.add(new AnnotationElement(Label.class, field.label()));
      switch (field.content()) {
        case TIME ->
            annotations.add(
                new AnnotationElement(Timestamp.class, Timestamp.MILLISECONDS_SINCE_EPOCH));
        case NANOSECONDS ->
            annotations.add(new AnnotationElement(Timespan.class, Timespan.NANOSECONDS));
        case BYTES -> annotations.add(new AnnotationElement(DataAmount.class, DataAmount.BYTES));
        case NONE -> {
          // A plain number or a string.
        }
      }
      fields.add(new ValueDescriptor(typeOf(field.kind()), field.name(), annotations));
    }
    return EventFactory.create(
        List.of(
            new AnnotationElement(Name.class, type.name()),
            new AnnotationElement(Label.class, type.label()),
            new AnnotationElement(Category.class, new String[] {"ply"}),
            new AnnotationElement(StackTrace.class, false)),
        fields);
  }

  private static Class<?> typeOf(JfrType.Kind kind) {
    return switch (kind) {
      case LONG -> long.class;
      case DOUBLE -> double.class;
      case STRING, STACK -> String.class;
    };
  }
}
