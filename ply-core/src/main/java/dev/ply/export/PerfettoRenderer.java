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
import dev.ply.type.IntFormat;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A trace of Perfetto: each event is a TrackEvent on the track of its thread, its process or its
 * CPU, as far as its values tell; one with a duration is a slice that ends at the event. Maps are
 * counters. Packets are written as they come.
 */
public final class PerfettoRenderer implements Renderer {
  private static final int SLICE_BEGIN = 1;
  private static final int SLICE_END = 2;
  private static final int INSTANT = 3;

  /** Spans that need more lines than this on one track are instants. */
  private static final int MOST_LANES = 256;

  private final Target target;
  private final BootClock clock;
  private final Map<String, Track> tracks = new HashMap<>();
  private final PerfettoPackets packets;
  private final PerfettoCounters counters;

  /** A track with the lines that its spans need. */
  private static final class Track {
    private final long id;
    private final List<Lane> lanes = new ArrayList<>();
    private final List<Long> ids = new ArrayList<>();

    Track(long id) {
      this.id = id;
      lanes.add(new Lane());
      ids.add(id);
    }
  }

  /**
   * Creates a renderer.
   *
   * @param target that the results come from
   */
  public PerfettoRenderer(Target target) {
    this(target, InstantSource.system());
  }

  PerfettoRenderer(Target target, InstantSource now) {
    this.target = target;
    this.clock = new BootClock(target.wallClock(), now);
    this.packets = new PerfettoPackets(clock);
    this.counters = new PerfettoCounters(target, packets);
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
    return result instanceof Result.Event
        || result instanceof Result.Line
        || result instanceof Result.Lost
        || (result instanceof Result.Snapshot snapshot
            && snapshot.occasion() != Result.Occasion.ADDED);
  }

  @Override
  public synchronized boolean render(TextBuffer out, Result result) {
    if (result instanceof Result.Event event) {
      event(out, new EventFields(event.shape()), event.values(), Optional.empty());
    } else if (result instanceof Result.Line line) {
      EventFields none = new EventFields(new EventShape(new EventShape.Form.Print(), List.of()));
      event(out, none, List.of(), Optional.of(line.text().stripTrailing()));
    } else if (result instanceof Result.Lost lost) {
      String text = lost.loss().sentence(lost.count());
      EventFields none = new EventFields(new EventShape(new EventShape.Form.Print(), List.of()));
      event(out, none, List.of(), Optional.of(text));
    } else if (result instanceof Result.Snapshot snapshot) {
      counters.write(out, snapshot, clock.now());
    }
    return shows(result);
  }

  private synchronized void event(
      TextBuffer out, EventFields fields, List<Datum> values, Optional<String> line) {
    long end = fields.time(values, clock).orElseGet(clock::now);
    Track track = track(out, fields, values);
    String name =
        fields.probe(values).or(() -> line.filter(text -> !text.isEmpty())).orElse(fields.name());
    OptionalLong duration = fields.duration(values);
    // Before the boot there is no time.
    OptionalLong id =
        duration.isPresent() && duration.getAsLong() <= end
            ? lane(out, track, end - duration.getAsLong(), end)
            : OptionalLong.empty();
    boolean isSlice = id.isPresent();
    ProtobufWriter event =
        new ProtobufWriter()
            .text(22, "ply")
            .text(23, name)
            .number(9, isSlice ? SLICE_BEGIN : INSTANT)
            .number(11, id.orElse(track.id));
    for (EventFields.Field field : fields.fields()) {
      event.message(4, annotation(field, values));
    }
    packets.event(out, isSlice ? end - duration.getAsLong() : end, event);
    if (isSlice) {
      packets.event(out, end, new ProtobufWriter().number(9, SLICE_END).number(11, id.getAsLong()));
    }
    out.spill();
  }

  /** Returns the line of a track for a span; empty if there would be too many. */
  private OptionalLong lane(TextBuffer out, Track track, long begin, long end) {
    for (int i = 0; i < track.lanes.size(); i++) {
      if (track.lanes.get(i).add(begin, end)) {
        return OptionalLong.of(track.ids.get(i));
      }
    }
    if (track.lanes.size() == MOST_LANES) {
      return OptionalLong.empty();
    }
    Lane lane = new Lane();
    boolean unused = lane.add(begin, end);
    String name = "overlapping " + track.lanes.size();
    long id = packets.track(out, new ProtobufWriter().number(5, track.id).text(2, name));
    track.lanes.add(lane);
    track.ids.add(id);
    return OptionalLong.of(id);
  }

  /** Returns the track of a thread, else that of a process or of a CPU, else that of the call. */
  private Track track(TextBuffer out, EventFields fields, List<Datum> values) {
    OptionalLong pid = fields.pid(values);
    OptionalLong tid = fields.tid(values);
    OptionalLong cpu = fields.cpu(values);
    Optional<String> comm = fields.comm(values);
    if (pid.isPresent() && tid.isPresent()) {
      ProtobufWriter thread =
          new ProtobufWriter().number(1, pid.getAsLong()).number(2, tid.getAsLong());
      comm.ifPresent(name -> thread.text(5, name));
      return track(out, "thread " + pid.getAsLong() + " " + tid.getAsLong(), 4, thread);
    } else if (pid.isPresent()) {
      ProtobufWriter process = new ProtobufWriter().number(1, pid.getAsLong());
      comm.ifPresent(name -> process.text(6, name));
      return track(out, "process " + pid.getAsLong(), 3, process);
    } else if (tid.isPresent()) {
      return track(out, "thread " + tid.getAsLong() + comm.map(name -> " " + name).orElse(""));
    } else if (cpu.isPresent()) {
      return track(out, "CPU " + cpu.getAsLong());
    }
    return track(out, comm.orElse(fields.name()));
  }

  private Track track(TextBuffer out, String name) {
    Track known = tracks.get("named " + name);
    if (known != null) {
      return known;
    }
    Track track = new Track(packets.track(out, new ProtobufWriter().text(2, name)));
    tracks.put("named " + name, track);
    return track;
  }

  private Track track(TextBuffer out, String key, int field, ProtobufWriter descriptor) {
    Track known = tracks.get(key);
    if (known != null) {
      return known;
    }
    Track track = new Track(packets.track(out, new ProtobufWriter().message(field, descriptor)));
    tracks.put(key, track);
    return track;
  }

  private ProtobufWriter annotation(EventFields.Field field, List<Datum> values) {
    ProtobufWriter annotation = new ProtobufWriter().text(10, field.name());
    Datum value = values.get(field.index());
    if (field.items() == 1
        && value instanceof Datum.Int number
        && !number.type().isStack()
        && number.type().format() != IntFormat.PROBE) {
      return number.type().isSigned() || number.value() >= 0
          ? annotation.number(4, number.value())
          : annotation.number(3, number.value());
    } else if (value instanceof Datum.Real real) {
      return annotation.real(5, real.value());
    }
    List<Datum> parts = values.subList(field.index(), field.index() + field.items());
    return annotation.text(6, text(parts));
  }

  private String text(List<Datum> parts) {
    StringBuilder all = new StringBuilder();
    for (Datum part : parts) {
      all.append(all.isEmpty() ? "" : " ");
      all.append(
          part instanceof Datum.Text text
              ? text.text()
              : new DatumFormat(target).raw().format(part).strip());
    }
    return all.toString();
  }
}
