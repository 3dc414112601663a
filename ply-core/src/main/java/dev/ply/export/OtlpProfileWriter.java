package dev.ply.export;

import dev.ply.table.FlameGraph;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntConsumer;

/**
 * Writes an export request of OpenTelemetry's profiles. The first entry of each dictionary table is
 * empty, as the protocol wants it. A profile there has one value per sample, so a map with several
 * becomes several profiles.
 */
final class OtlpProfileWriter {
  private static final int MAPPINGS = 1;
  private static final int LOCATIONS = 2;
  private static final int FUNCTIONS = 3;
  private static final int LINKS = 4;
  private static final int STRINGS = 5;
  private static final int ATTRIBUTES = 6;
  private static final int STACKS = 7;

  private final ProtobufWriter dictionary = new ProtobufWriter();
  private final Map<String, Integer> strings = new HashMap<>();
  private final Map<String, Integer> mappings = new HashMap<>();
  private final Map<Function, Integer> functions = new HashMap<>();
  private final Map<List<ProfileFrame>, Integer> locations = new HashMap<>();
  private final Map<List<ProfileFrame>, Integer> stacks = new HashMap<>();
  private final Map<Map.Entry<String, String>, Integer> attributes = new HashMap<>();

  /** A function; without a source file its name is empty. */
  private record Function(String name, String symbol, String source) {}

  OtlpProfileWriter() {
    for (int table : new int[] {MAPPINGS, LOCATIONS, FUNCTIONS, ATTRIBUTES, STACKS}) {
      dictionary.message(table, new ProtobufWriter());
    }
    dictionary.message(
        LINKS, new ProtobufWriter().bytes(1, new byte[16]).bytes(2, new byte[Long.BYTES]));
    dictionary.text(STRINGS, "");
    strings.put("", 0);
  }

  byte[] request(StackProfile profile, Map<String, String> resource) {
    ProtobufWriter scope = new ProtobufWriter().message(1, new ProtobufWriter().text(1, "dev.ply"));
    for (int i = 0; i < profile.values().size(); i++) {
      scope.message(2, profile(profile, i));
    }
    ProtobufWriter attributesOfResource = new ProtobufWriter();
    resource.forEach(
        (name, value) ->
            attributesOfResource.message(
                1,
                new ProtobufWriter()
                    .text(1, name)
                    .message(2, new ProtobufWriter().text(1, value))));
    ProtobufWriter all = new ProtobufWriter().message(1, attributesOfResource).message(2, scope);
    return new ProtobufWriter().message(1, all).message(2, dictionary).toBytes();
  }

  private ProtobufWriter profile(StackProfile profile, int value) {
    ProtobufWriter message = new ProtobufWriter().message(1, type(profile.values().get(value)));
    for (StackProfile.Sample sample : profile.samples()) {
      message.message(
          2,
          new ProtobufWriter()
              .number(1, stack(sample.frames()))
              .packed(2, attributes(sample.labels()))
              .packed(4, sample.values().get(value)));
    }
    message.fixed(3, PprofWriter.nanos(profile.begin())).number(4, profile.time().toNanos());
    profile
        .interval()
        .ifPresent(
            period ->
                message
                    .message(5, type(new StackProfile.ValueType("cpu", "nanoseconds")))
                    .number(6, period.toNanos()));
    return message.bytes(7, id()).packed(11, attribute("ply.map", profile.map()));
  }

  /** Returns an identity, by which a request that arrives twice is known. */
  private static byte[] id() {
    UUID id = UUID.randomUUID();
    return ByteBuffer.allocate(2 * Long.BYTES)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }

  private ProtobufWriter type(StackProfile.ValueType type) {
    return new ProtobufWriter().number(1, string(type.type())).number(2, string(type.unit()));
  }

  private long[] attributes(Map<String, String> labels) {
    return labels.entrySet().stream()
        .mapToLong(label -> attribute(label.getKey(), label.getValue()))
        .toArray();
  }

  private int attribute(String key, String value) {
    return entry(
        attributes,
        Map.entry(key, value),
        1,
        id -> {
          int name = string(key);
          dictionary.message(
              ATTRIBUTES,
              new ProtobufWriter().number(1, name).message(2, new ProtobufWriter().text(1, value)));
        });
  }

  private int stack(List<ProfileFrame> frames) {
    return entry(
        stacks,
        frames,
        1,
        id -> {
          long[] leafFirst =
              ProfileFrame.instructions(frames).stream().mapToLong(this::location).toArray();
          dictionary.message(STACKS, new ProtobufWriter().packed(1, leafFirst));
        });
  }

  /** Returns the location of an instruction: one line for each function inlined there. */
  private int location(List<ProfileFrame> frames) {
    return entry(
        locations,
        frames,
        1,
        id -> {
          ProfileFrame outer = frames.get(frames.size() - 1);
          String file = PprofWriter.file(outer.function());
          ProtobufWriter location =
              new ProtobufWriter().number(1, file.isEmpty() ? 0 : mapping(file));
          for (ProfileFrame frame : frames) {
            ProtobufWriter line = new ProtobufWriter().number(1, function(frame));
            if (frame.line().isPresent()) {
              line.number(2, frame.number());
            }
            location.message(3, line);
          }
          location.packed(4, attribute("profile.frame.type", kind(outer.function())));
          dictionary.message(LOCATIONS, location);
        });
  }

  private int function(ProfileFrame frame) {
    return entry(
        functions,
        new Function(frame.name(), frame.symbol(), frame.source().orElse("")),
        1,
        id -> {
          ProtobufWriter function =
              new ProtobufWriter()
                  .number(1, string(frame.name()))
                  .number(2, string(frame.symbol()));
          frame.source().ifPresent(source -> function.number(3, string(source)));
          dictionary.message(FUNCTIONS, function);
        });
  }

  /** Returns the kind of a frame as OpenTelemetry's conventions call it. */
  private static String kind(FlameGraph.Frame frame) {
    return switch (frame.kind()) {
      case KERNEL -> "kernel";
      case NATIVE -> "native";
      case COMPILED, INTERPRETED -> "jit";
      case C1, C2, INLINED, JAVA, STUB -> "jvm";
      case ALL, KEY, LOST -> "unknown";
    };
  }

  private int mapping(String file) {
    return entry(
        mappings,
        file,
        1,
        id -> {
          dictionary.message(MAPPINGS, new ProtobufWriter().number(4, string(file)));
        });
  }

  private int string(String text) {
    return entry(
        strings,
        text,
        0,
        id -> {
          dictionary.text(STRINGS, text);
        });
  }

  /**
   * Returns the number of an entry of a table, which is written when it is new.
   *
   * @param before the entries that the table has beside those of the map
   */
  private static <K> int entry(Map<K, Integer> table, K key, int before, IntConsumer write) {
    Integer known = table.get(key);
    if (known != null) {
      return known;
    }
    int id = table.size() + before;
    table.put(key, id);
    write.accept(id);
    return id;
  }
}
