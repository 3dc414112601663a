package dev.ply.export;

import dev.ply.result.EventRenderer;
import dev.ply.result.EventShape;
import dev.ply.result.EventValues;
import dev.ply.result.Renderer;
import dev.ply.result.Result;
import dev.ply.table.Datum;
import dev.ply.table.DatumFormat;
import dev.ply.table.ValueFormat;
import dev.ply.target.Target;
import dev.ply.text.TextBuffer;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A recording of JDK Flight Recorder: each call that sends events is a type of events, and so is
 * each map, with an event for each row when it was shown. Times are those that events have, of
 * others when they were received. Written in chunks of their own metadata, the last at {@link
 * Result.End}; does not need the module jdk.jfr.
 */
public final class JfrRenderer implements Renderer {
  private static final long MAGIC = 0x464c5200;
  private static final int MAJOR = 2;
  private static final int HEADER = 68;
  private static final int METADATA = 0;
  private static final int POOL = 1;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /** Integers are compressed. */
  private static final int FEATURES = 1;

  /** A chunk with so many bytes of events is written. */
  private static final int CHUNK = 1 << 20;

  private final Target target;
  private final BootClock clock;
  private final JfrResults results;
  private final JfrBuffer events = new JfrBuffer();
  private final Set<JfrType> used = new HashSet<>();
  private final JfrStacks stacks = new JfrStacks();
  private long begin = Long.MAX_VALUE;
  private long end = Long.MIN_VALUE;

  /**
   * Creates a renderer.
   *
   * @param target that the results come from
   */
  public JfrRenderer(Target target) {
    this(target, InstantSource.system());
  }

  JfrRenderer(Target target, InstantSource now) {
    this.target = target;
    this.clock = new BootClock(target.wallClock(), now);
    this.results = new JfrResults(target, clock);
  }

  @Override
  public ValueFormat conversions() {
    return new DatumFormat(target).raw();
  }

  @Override
  public EventRenderer prepare(EventShape shape, EventValues values) {
    return EventSink.writer(target, shape, values, this::event);
  }

  @Override
  public boolean shows(Result result) {
    return JfrResults.shows(result);
  }

  @Override
  public synchronized boolean render(TextBuffer out, Result result) {
    results.accept(result, event -> add(out, event));
    if (result instanceof Result.End) {
      writeChunk(out);
    }
    return shows(result);
  }

  private synchronized void event(
      TextBuffer out, EventFields fields, List<Datum> values, Optional<String> line) {
    results.event(event -> add(out, event), fields, values, line);
  }

  /** Adds an event, and writes the chunk if it is long. */
  private void add(TextBuffer out, JfrResults.Event event) {
    used.add(event.type());
    long start = event.time() - event.duration().orElse(0);
    begin = Math.min(begin, start);
    end = Math.max(end, event.time());
    JfrBuffer content = new JfrBuffer().number(event.type().id()).number(start);
    event.duration().ifPresent(content::number);
    if (event.type().hasStack()) {
      content.number(stacks.number(event.stack()));
    }
    for (Object value : event.values()) {
      if (value instanceof Long number) {
        content.number(number);
      } else if (value instanceof Double number) {
        content.real(number);
      } else if (value instanceof String text) {
        content.text(text);
      }
    }
    events.event(content);
    if (events.length() > CHUNK) {
      writeChunk(out);
    }
  }

  /** Writes what has been added as a chunk. */
  private void writeChunk(TextBuffer out) {
    long from = begin == Long.MAX_VALUE ? clock.now() : begin;
    long duration = Math.max(0, end - from);
    JfrBuffer constants = new JfrBuffer().number(POOL).number(from).number(0).number(0).raw(0, 1);
    stacks.appendTo(constants);
    JfrBuffer pool = new JfrBuffer().event(constants);
    JfrBuffer metadata = new JfrBuffer().event(metadata(from));
    long poolAt = (long) HEADER + events.length();
    long metadataAt = poolAt + pool.length();
    new JfrBuffer()
        .raw(MAGIC, Integer.BYTES)
        .raw(MAJOR, Short.BYTES)
        .raw(0, Short.BYTES)
        .raw(metadataAt + metadata.length(), Long.BYTES)
        .raw(poolAt, Long.BYTES)
        .raw(metadataAt, Long.BYTES)
        .raw(clock.epochNanos(from), Long.BYTES)
        .raw(duration, Long.BYTES)
        .raw(from, Long.BYTES)
        .raw(NANOS_PER_SECOND, Long.BYTES)
        .raw(FEATURES, Integer.BYTES)
        .appendTo(out);
    events.appendTo(out);
    pool.appendTo(out);
    metadata.appendTo(out);
    out.spill();
    events.clear();
    used.clear();
    stacks.clear();
    begin = Long.MAX_VALUE;
    end = Long.MIN_VALUE;
  }

  private JfrBuffer metadata(long from) {
    JfrElement.Ids ids = new JfrElement.Ids();
    JfrElement classes = new JfrElement("metadata");
    ids.declarations().forEach(classes::add);
    results.types().stream().filter(used::contains).forEach(type -> classes.add(type.element(ids)));
    JfrElement root =
        new JfrElement("root")
            .add(classes)
            .add(new JfrElement("region").with("locale", "en_US").with("gmtOffset", "0"));
    Map<String, Integer> strings = new LinkedHashMap<>();
    JfrBuffer tree = new JfrBuffer();
    root.append(tree, strings);
    JfrBuffer content =
        new JfrBuffer().number(METADATA).number(from).number(0).number(1).number(strings.size());
    strings.keySet().forEach(content::text);
    return content.append(tree);
  }
}
