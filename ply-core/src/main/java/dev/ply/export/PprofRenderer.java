package dev.ply.export;

import dev.ply.table.Datum;
import dev.ply.table.Row;
import dev.ply.table.TableSchema;
import dev.ply.target.Target;
import dev.ply.text.TextBuffer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/**
 * The format of pprof, profile.proto, compressed by gzip: a sample for each row of each map. Other
 * parts of a key than stacks are labels. Several maps are values of one profile, of which a sample
 * has those of its own map.
 */
public final class PprofRenderer extends ProfileRenderer {
  private final Instant begin;

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
    this.begin = Instant.ofEpochMilli(clock.millis());
  }

  @Override
  void write(TextBuffer out, List<StackMap> maps) {
    try (GZIPOutputStream compressed = new GZIPOutputStream(into(out))) {
      TextBuffer raw = new TextBuffer(compressed);
      write(raw, maps, new PprofWriter(raw));
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

  private void write(TextBuffer raw, List<StackMap> maps, PprofWriter profile) {
    int width = 0;
    for (StackMap map : maps) {
      for (StackProfile.ValueType value : map.values()) {
        profile.value(maps.size() == 1 ? value : named(map, value));
        width++;
      }
    }
    int first = 0;
    for (StackMap map : maps) {
      for (Row<Datum> row : map.map().table()) {
        sample(profile, map, row, first, width);
        raw.spill();
      }
      first += map.values().size();
    }
    profile.time(begin, Duration.ZERO);
    maps.stream().flatMap(map -> map.period().stream()).findFirst().ifPresent(profile::period);
  }

  /** Of several maps, the name of each tells its values. */
  private static StackProfile.ValueType named(StackMap map, StackProfile.ValueType value) {
    String name = map.map().name();
    return new StackProfile.ValueType(
        map.values().size() == 1 ? name : name + " " + value.type(), value.unit());
  }

  private static void sample(
      PprofWriter profile, StackMap map, Row<Datum> row, int first, int width) {
    Optional<long[]> numbers = map.numbers(row);
    if (numbers.isEmpty()) {
      return;
    }
    long[] values = new long[width];
    System.arraycopy(numbers.get(), 0, values, first, numbers.get().length);
    profile.sample(map.stack(row), values, sample -> labels(profile, map, row, sample));
  }

  private static void labels(
      PprofWriter profile, StackMap map, Row<Datum> row, ProtobufWriter sample) {
    List<TableSchema.Column> columns = map.map().schema().keys();
    for (int i = 0; i < columns.size(); i++) {
      Datum part = row.key().parts().get(i);
      if (part.isStack()) {
        continue;
      }
      String name = columns.get(i).name();
      Optional<String> unit = unit(columns.get(i).unit());
      // Readers drop a zero without unit.
      if (part instanceof Datum.Int number && unit.isPresent()) {
        profile.label(sample, name, number.value(), unit.get());
      } else {
        profile.label(sample, name, part instanceof Datum.Text text ? text.text() : part.toText());
      }
    }
  }

  private static Optional<String> unit(TableSchema.Unit unit) {
    return switch (unit) {
      case NANOSECONDS -> Optional.of("nanoseconds");
      case BYTES -> Optional.of("bytes");
      case PAGES, CALLS, NONE -> Optional.empty();
    };
  }
}
