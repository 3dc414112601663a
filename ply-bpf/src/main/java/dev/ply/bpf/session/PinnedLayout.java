package dev.ply.bpf.session;

import dev.ply.analysis.typing.MapContent;
import dev.ply.bpf.encoding.InstructionEncoder;
import dev.ply.bpf.object.AttachSite;
import dev.ply.bpf.object.AttachSpec;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.MapLayout;
import dev.ply.bpf.object.ProbeProgram;
import dev.ply.bpf.object.StackTraces;
import dev.ply.type.Type;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The layout of a trace's pinned maps, as text: a line for each map and for each table. Traces with
 * equal texts can share maps.
 */
public final class PinnedLayout {
  /** Maps of one session each: its events, its losses, memory during a hit. */
  private static final Set<String> UNSHARED =
      Set.of(
          BpfObject.EVENTS,
          BpfObject.ERRORS,
          BpfObject.LOSSES,
          BpfObject.PACKETS,
          BpfObject.PROCESSES,
          BpfObject.SCRATCH,
          BpfObject.ZEROES);

  private static final String MAP = "map ";

  private final List<BpfMap> maps;
  private final String text;

  private PinnedLayout(List<BpfMap> maps, String text) {
    this.maps = maps;
    this.text = text;
  }

  /** Returns the layout of a compiled script. */
  public static PinnedLayout of(BpfObject object) {
    return of(object, object.maps().stream().filter(PinnedLayout::isShared).toList());
  }

  private static PinnedLayout of(BpfObject object, List<BpfMap> shared) {
    List<String> lines = new ArrayList<>();
    for (BpfMap map : shared) {
      String sizes = map.keySize() + " " + map.valueSize() + " " + map.slots();
      lines.add(MAP + map.name() + " " + map.type() + " " + sizes + " " + map.maxEntries());
    }
    object.tables().forEach(table -> lines.add(describe(table)));
    for (StackTraces stacks : object.stacks()) {
      lines.add("stacks " + stacks.number() + " " + stacks.mode() + " in " + stacks.map());
    }
    new TreeMap<>(object.probeNames())
        .forEach((number, name) -> lines.add("probe " + number + " is " + name));
    return new PinnedLayout(shared, String.join("\n", lines));
  }

  /**
   * Returns the layout of a compiled script whose programs stay attached: they are part of it, and
   * so are their losses.
   *
   * @throws IllegalArgumentException if the script sends events, which nobody would read
   */
  public static PinnedLayout ofAttached(BpfObject object) {
    if (!object.events().isEmpty()) {
      throw new IllegalArgumentException(
          "a trace that sends events cannot stay attached: nobody reads them when its session is"
              + " closed; collect in maps instead");
    }
    PinnedLayout maps =
        of(
            object,
            object.maps().stream()
                .filter(map -> isShared(map) || map.name().equals(BpfObject.LOSSES))
                .toList());
    return new PinnedLayout(maps.maps, maps.text + "\nprograms " + digest(object));
  }

  /** Returns the SHA-256 of all programs and their probe sites, in hexadecimal. */
  private static String digest(BpfObject object) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      InstructionEncoder encoder =
          new InstructionEncoder(ByteOrder.LITTLE_ENDIAN, String::hashCode);
      for (ProbeProgram first : object.programs()) {
        Optional<ProbeProgram> program = Optional.of(first);
        while (program.isPresent()) {
          for (AttachSpec spec : program.get().specs()) {
            digest.update(spec.getClass().getSimpleName().getBytes(StandardCharsets.UTF_8));
            for (AttachSite site : spec.sites()) {
              digest.update(site.definition().getBytes(StandardCharsets.UTF_8));
            }
          }
          digest.update(encoder.encode(program.get().program().code()).bytes());
          program = program.get().next();
        }
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private static boolean isShared(BpfMap map) {
    return map.content().isEmpty() && !UNSHARED.contains(map.name()) && map.keySize() > 0;
  }

  private static String describe(MapLayout table) {
    String keys =
        table.symbol().keys().stream().map(Type::name).collect(Collectors.joining(", ", "[", "]"));
    MapContent content = table.symbol().content();
    String value =
        content instanceof MapContent.Aggregated aggregated
            ? aggregated.function().canonicalName() + aggregated.shape().constants() + " of "
            : "";
    Type type =
        content instanceof MapContent.Aggregated aggregated
            ? aggregated.valueType()
            : content.type();
    String known = table.keys().stream().map(PinnedLayout::hex).collect(Collectors.joining(" "));
    String place =
        table
            .shared()
            .map(shared -> " in " + shared.map().name() + " from " + shared.number())
            .orElse("");
    return table.symbol().name()
        + place
        + keys
        + ": "
        + value
        + type.name()
        + (" " + known).stripTrailing();
  }

  private static String hex(ByteBuffer key) {
    byte[] bytes = new byte[key.capacity()];
    key.get(0, bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** Returns the maps to pin. */
  public List<BpfMap> maps() {
    return maps;
  }

  /**
   * Returns the text.
   *
   * @return lines without final newline; those that begin with {@code map} are followed by its name
   */
  public String text() {
    return text;
  }

  /** Returns the names of the maps of a layout's text. */
  public static List<String> namesOf(String text) {
    return text.lines()
        .filter(line -> line.startsWith(MAP))
        .map(line -> line.substring(MAP.length(), line.indexOf(' ', MAP.length())))
        .toList();
  }

  /**
   * Checks that the maps in a directory have this layout.
   *
   * @param pinned the text of those in the directory
   * @throws IllegalStateException with the first difference
   */
  public void require(Path directory, String pinned) {
    if (pinned.equals(text)) {
      return;
    }
    List<String> there = pinned.lines().toList();
    List<String> here = text.lines().toList();
    int i = 0;
    while (i < there.size() && i < here.size() && there.get(i).equals(here.get(i))) {
      i++;
    }
    throw new IllegalStateException(
        directory
            + " has the maps of another trace: there "
            + line(there, i)
            + ", here "
            + line(here, i));
  }

  private static String line(List<String> lines, int index) {
    return index < lines.size() ? '"' + lines.get(index) + '"' : "no more maps";
  }
}
