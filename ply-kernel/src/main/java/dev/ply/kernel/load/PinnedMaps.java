package dev.ply.kernel.load;

import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.FixedContent;
import dev.ply.bpf.session.PinnedLayout;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.sys.BpfAttr;
import dev.ply.kernel.sys.BpfCommand;
import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.sys.NativeMemory;
import dev.ply.kernel.sys.SystemCalls;
import dev.ply.name.Errno;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The maps of a trace in a directory of a BPF filesystem, and beside them a frozen map with their
 * layout as text, by which a trace knows its own. The file of a map has its name; dots, which the
 * kernel reserves, are underscores.
 */
public final class PinnedMaps {
  private static final String LAYOUT = ":layout";

  /** The offset of value_size in struct bpf_map_info. */
  private static final int VALUE_SIZE = 12;

  private static final int MAP_INFO = 88;

  private final Path directory;
  private final Set<String> names;

  private PinnedMaps(Path directory, Set<String> names) {
    this.directory = directory;
    this.names = names;
  }

  /**
   * Opens a directory, which is created if missing.
   *
   * @throws IllegalStateException if it has the maps of another trace
   * @throws UncheckedIOException if it is not on a BPF filesystem, or cannot be created
   * @throws KernelException if the kernel refuses
   */
  public static PinnedMaps open(Path directory, PinnedLayout layout) {
    try {
      // Looked at first: only a BPF filesystem gets the directory.
      String type = Files.getFileStore(existing(directory)).type();
      if (!type.equals("bpf")) {
        throw new IOException(
            directory
                + " is not on a BPF filesystem (but "
                + type
                + "): mount -t bpf bpf /sys/fs/bpf");
      }
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    BpfMap text =
        BpfMap.constants(LAYOUT, FixedContent.of(layout.text().getBytes(StandardCharsets.UTF_8)));
    FileDescriptor created = pinned(file(directory, LAYOUT), text);
    try (created) {
      layout.require(directory, text(created));
    }
    return new PinnedMaps(
        directory, layout.maps().stream().map(BpfMap::name).collect(Collectors.toSet()));
  }

  /** Returns the directory, or its closest ancestor that exists. */
  private static Path existing(Path directory) {
    Path found = directory.toAbsolutePath();
    for (Path parent = found.getParent();
        parent != null && !Files.exists(found);
        parent = found.getParent()) {
      found = parent;
    }
    return found;
  }

  private static String text(FileDescriptor layout) {
    NativeMemory info = NativeMemory.allocate(MAP_INFO);
    check(
        SystemCalls.tryBpf(BpfCommand.OBJ_GET_INFO, BpfAttr.info(layout.number(), info)),
        BpfCommand.OBJ_GET_INFO,
        LAYOUT);
    NativeMemory value = NativeMemory.allocate(info.bytes().getInt(VALUE_SIZE));
    check(
        SystemCalls.tryBpf(
            BpfCommand.MAP_LOOKUP_ELEM,
            BpfAttr.element(layout.number(), NativeMemory.allocate(Integer.BYTES), value)),
        BpfCommand.MAP_LOOKUP_ELEM,
        LAYOUT);
    byte[] text = new byte[value.size()];
    value.bytes().get(0, text);
    return new String(text, StandardCharsets.UTF_8);
  }

  private static void check(Errno errno, BpfCommand command, String object) {
    if (!errno.isSuccess()) {
      throw new KernelException(errno, "bpf(" + command + ") of " + object);
    }
  }

  /** Returns whether a map is pinned here. */
  public boolean holds(BpfMap map) {
    return names.contains(map.name());
  }

  /** Opens a map; creates and pins it if it is missing. */
  public LoadedMap map(BpfMap map) {
    return LoadedMap.existing(map, pinned(file(directory, map.name()), map));
  }

  /** Another process can create the file in between: the first one wins. */
  private static FileDescriptor pinned(Path file, BpfMap map) {
    Optional<FileDescriptor> existing = find(file);
    if (existing.isPresent()) {
      return existing.get();
    }
    try (LoadedMap fresh = LoadedMap.create(map)) {
      Errno errno =
          SystemCalls.tryBpf(BpfCommand.OBJ_PIN, BpfAttr.pin(file.toString(), fresh.descriptor()));
      if (errno != Errno.EEXIST) {
        check(errno, BpfCommand.OBJ_PIN, file.toString());
      }
    }
    return find(file)
        .orElseThrow(() -> new KernelException(Errno.ENOENT, "bpf(OBJ_GET) of " + file));
  }

  private static Optional<FileDescriptor> find(Path file) {
    try {
      return Optional.of(
          SystemCalls.openBpf(BpfCommand.OBJ_GET, BpfAttr.path(file.toString()), file.toString()));
    } catch (KernelException e) {
      if (e.errno() == Errno.ENOENT) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /**
   * Removes the files of a trace's maps, and the directory if nothing else is in it. Does nothing
   * if it has no maps of ply.
   *
   * @throws UncheckedIOException if a file cannot be removed
   */
  public static void remove(Path directory) {
    Path layout = file(directory, LAYOUT);
    Optional<FileDescriptor> found = find(layout);
    if (found.isEmpty()) {
      return;
    }
    try (FileDescriptor descriptor = found.get()) {
      for (String name : PinnedLayout.namesOf(text(descriptor))) {
        Files.deleteIfExists(file(directory, name));
      }
      Files.delete(layout);
      try (var others = Files.list(directory)) {
        if (others.findAny().isEmpty()) {
          Files.delete(directory);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path file(Path directory, String map) {
    return directory.resolve(map.replace('.', '_'));
  }
}
