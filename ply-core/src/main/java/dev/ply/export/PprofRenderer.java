package dev.ply.export;

import dev.ply.table.Datum;
import dev.ply.table.FlameGraph;
import dev.ply.table.FrameKind;
import dev.ply.table.Row;
import dev.ply.table.TableSchema;
import dev.ply.target.Target;
import dev.ply.text.TextBuffer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/**
 * The format of pprof, profile.proto, compressed by gzip: a sample for each row of each map. Other
 * parts of a key than stacks are labels. Several maps are values of one profile, of which a sample
 * has those of its own map.
 */
public final class PprofRenderer extends ProfileRenderer {
  private static final String KERNEL = "[kernel.kallsyms]";

  private final long begin;

  /**
   * Creates a renderer; the profile's time is now.
   *
   * @param target that the results come from
   */
  public PprofRenderer(Target target) {
    this(target, InstantSource.system());
  }

  PprofRenderer(Target target, InstantSource clock) {
    super(target);
    this.begin = clock.millis() * 1_000_000;
  }

  @Override
  void write(TextBuffer out, List<StackMap> maps) {
    try (GZIPOutputStream compressed = new GZIPOutputStream(into(out))) {
      TextBuffer raw = new TextBuffer(compressed);
      new Profile(raw).write(maps);
      raw.writeTo(compressed);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a stream whose bytes a buffer gets, and passes on. */
  private static OutputStream into(TextBuffer out) {
    return new OutputStream() {
      @Override
      public void write(int value) {
        out.append((byte) value);
      }

      @Override
      public void write(byte[] bytes, int start, int length) {
        for (int i = start; i < start + length; i++) {
          out.append(bytes[i]);
        }
        out.spill();
      }
    };
  }

  /** The fields of a Profile, each written as soon as it is known. */
  private final class Profile {
    private final TextBuffer raw;
    private final ProtobufWriter profile;
    private final Map<String, Integer> strings = new HashMap<>();
    private final Map<String, Integer> mappings = new HashMap<>();
    private final Map<FlameGraph.Frame, Integer> locations = new HashMap<>();

    Profile(TextBuffer raw) {
      this.raw = raw;
      this.profile = new ProtobufWriter(raw);
    }

    void write(List<StackMap> maps) {
      int unused = string("");
      int width = 0;
      for (StackMap map : maps) {
        for (StackMap.Value value : map.values()) {
          profile.message(1, type(maps.size() == 1 ? value.type() : type(map, value), value));
          width++;
        }
      }
      int first = 0;
      for (StackMap map : maps) {
        for (Row<Datum> row : map.map().table()) {
          sample(map, row, first, width);
          raw.spill();
        }
        first += map.values().size();
      }
      profile.number(9, begin);
      maps.stream().flatMap(map -> map.period().stream()).findFirst().ifPresent(this::period);
    }

    /** Of several maps, the name of each tells its values. */
    private String type(StackMap map, StackMap.Value value) {
      return map.values().size() == 1 ? map.map().name() : map.map().name() + " " + value.type();
    }

    private ProtobufWriter type(String type, StackMap.Value value) {
      return new ProtobufWriter().number(1, string(type)).number(2, string(value.unit()));
    }

    private void period(Duration period) {
      profile.message(11, type("cpu", new StackMap.Value("cpu", "nanoseconds")));
      profile.number(12, period.toNanos());
    }

    private void sample(StackMap map, Row<Datum> row, int first, int width) {
      Optional<long[]> numbers = map.numbers(row);
      if (numbers.isEmpty()) {
        return;
      }
      List<FlameGraph.Frame> frames = new ArrayList<>(map.frames(row));
      frames.removeIf(frame -> frame.kind() == FrameKind.KEY);
      Collections.reverse(frames);
      long[] ids = new long[frames.size()];
      for (int i = 0; i < ids.length; i++) {
        ids[i] = location(frames.get(i));
      }
      long[] values = new long[width];
      System.arraycopy(numbers.get(), 0, values, first, numbers.get().length);
      ProtobufWriter sample = new ProtobufWriter().packed(1, ids).packed(2, values);
      labels(map, row, sample);
      profile.message(2, sample);
    }

    private void labels(StackMap map, Row<Datum> row, ProtobufWriter sample) {
      List<TableSchema.Column> columns = map.map().schema().keys();
      for (int i = 0; i < columns.size(); i++) {
        Datum part = row.key().parts().get(i);
        boolean isStack =
            part instanceof Datum.Stack
                || part instanceof Datum.UserStack
                || part instanceof Datum.MissingStack;
        if (isStack) {
          continue;
        }
        ProtobufWriter label = new ProtobufWriter().number(1, string(columns.get(i).name()));
        Optional<String> unit = unit(columns.get(i).unit());
        // Readers drop a zero without unit.
        if (part instanceof Datum.Int number && unit.isPresent()) {
          label.number(3, number.value()).number(4, string(unit.get()));
        } else {
          label.number(2, string(part instanceof Datum.Text text ? text.text() : part.toText()));
        }
        sample.message(3, label);
      }
    }

    private static Optional<String> unit(TableSchema.Unit unit) {
      return switch (unit) {
        case NANOSECONDS -> Optional.of("nanoseconds");
        case BYTES -> Optional.of("bytes");
        case PAGES, CALLS, NONE -> Optional.empty();
      };
    }

    /** Returns the location of a function, which is written with its function and mapping. */
    private int location(FlameGraph.Frame frame) {
      Integer known = locations.get(frame);
      if (known != null) {
        return known;
      }
      int id = locations.size() + 1;
      locations.put(frame, id);
      String file = file(frame);
      int name = string(frame.name());
      ProtobufWriter function = new ProtobufWriter().number(1, id).number(2, name).number(3, name);
      ProtobufWriter location = new ProtobufWriter().number(1, id);
      if (!file.isEmpty()) {
        function.number(4, string(file));
        location.number(2, mapping(file));
      }
      profile.message(5, function);
      profile.message(4, location.message(4, new ProtobufWriter().number(1, id)));
      return id;
    }

    private String file(FlameGraph.Frame frame) {
      return frame.module().orElse(frame.kind() == FrameKind.KERNEL ? KERNEL : "");
    }

    private int mapping(String file) {
      Integer known = mappings.get(file);
      if (known != null) {
        return known;
      }
      int id = mappings.size() + 1;
      mappings.put(file, id);
      profile.message(3, new ProtobufWriter().number(1, id).number(5, string(file)).number(7, 1));
      return id;
    }

    private int string(String text) {
      Integer known = strings.get(text);
      if (known != null) {
        return known;
      }
      int index = strings.size();
      strings.put(text, index);
      profile.text(6, text);
      return index;
    }
  }
}
