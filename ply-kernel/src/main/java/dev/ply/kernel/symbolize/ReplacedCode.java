package dev.ply.kernel.symbolize;

import dev.ply.kernel.mapping.FileIdentity;
import dev.ply.kernel.mapping.FileMapping;
import dev.ply.kernel.mapping.ProcessImage;
import dev.ply.kernel.procfs.ProcessMaps.Mapping;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Code that processes have unloaded, and where other code has been since. Stack traces have no
 * time: which of the files an address was in is unknown then. For one thread.
 */
final class ReplacedCode {
  private static final String DELETED = " (deleted)";

  /** The former mappings of a process, of which the oldest are dropped. */
  private static final int MOST = 64;

  private final Map<Integer, List<Mapping>> former = new HashMap<>();

  /** A file at an address: a library that is loaded again at the same is the same. */
  private record Loaded(String name, long bias) {
    static Loaded of(Mapping mapping) {
      return new Loaded(fileName(mapping.name()), mapping.start() - mapping.offset());
    }

    static Loaded of(FileMapping mapping) {
      return new Loaded(fileName(mapping.name()), mapping.start() - mapping.offset());
    }

    private static String fileName(String path) {
      String name = path.substring(path.lastIndexOf('/') + 1);
      return name.endsWith(DELETED) ? name.substring(0, name.length() - DELETED.length()) : name;
    }
  }

  /**
   * Keeps what a process has unloaded between two looks at it: nothing if none of its files are
   * left, as after execve(2), which other stack traces come from.
   */
  void update(int process, List<Mapping> before, List<Mapping> now) {
    Set<Mapping> current = new HashSet<>(now);
    List<Mapping> code =
        before.stream().filter(mapping -> mapping.isExecutable() && mapping.isFile()).toList();
    List<Mapping> gone = code.stream().filter(mapping -> !current.contains(mapping)).toList();
    if (gone.size() == code.size()) {
      former.remove(process);
    } else if (!gone.isEmpty()) {
      List<Mapping> all = former.computeIfAbsent(process, unused -> new ArrayList<>());
      all.removeAll(gone);
      all.addAll(gone);
      all.subList(0, Math.max(0, all.size() - MOST)).clear();
    }
  }

  /** Forgets a process. */
  void forget(int process) {
    former.remove(process);
  }

  /** Forgets all processes. */
  void clear() {
    former.clear();
  }

  /** Returns the former mappings of a process, the latest last. */
  List<Mapping> of(int process) {
    return former.getOrDefault(process, List.of());
  }

  /** Returns the last of the former mappings that had an address. */
  Optional<Mapping> at(int process, long address) {
    return of(process).stream()
        .filter(mapping -> mapping.has(address))
        .reduce((before, after) -> after);
  }

  /**
   * Returns the names of the files that have been at an address; empty if it was one.
   *
   * @param now the current mapping there
   * @param images the recorded images, the latest first
   */
  Optional<String> filesAt(
      int process, Optional<Mapping> now, List<ProcessImage> images, long address) {
    Set<Loaded> loaded = new LinkedHashSet<>();
    Set<Long> inodes = new HashSet<>();
    List<Mapping> seen = new ArrayList<>(of(process));
    now.ifPresent(seen::add);
    for (Mapping mapping : seen) {
      if (mapping.isFile() && mapping.has(address)) {
        loaded.add(Loaded.of(mapping));
        inodes.add(mapping.inode());
      }
    }
    boolean isReplaced = loaded.size() > 1 || inodes.size() > 1;
    for (ProcessImage image : images) {
      Set<Loaded> inImage = new LinkedHashSet<>();
      Set<FileIdentity> identities = new HashSet<>();
      for (FileMapping mapping : image.allAt(address)) {
        if (mapping.isFile()) {
          inImage.add(Loaded.of(mapping));
          identities.add(mapping.identity());
        }
      }
      // The mappings that were seen are those of the first image, unless execve(2) came between.
      boolean isOfSeen = image.unrecorded().stream().anyMatch(origin -> origin == process);
      isReplaced |= inImage.size() > 1 || areSeveral(identities);
      if (isOfSeen || isReplaced) {
        loaded.addAll(inImage);
        isReplaced |= loaded.size() > 1;
      }
    }
    return isReplaced ? Optional.of(names(loaded)) : Optional.empty();
  }

  /** One that has a build ID in one record has none in another, if its page was not in memory. */
  private static boolean areSeveral(Set<FileIdentity> identities) {
    long withBuildId = identities.stream().filter(FileIdentity.BuildId.class::isInstance).count();
    return withBuildId > 1 || identities.size() - withBuildId > 1;
  }

  private static String names(Set<Loaded> loaded) {
    List<String> names = loaded.stream().map(Loaded::name).distinct().toList();
    return names.size() == 1 ? names.get(0) + " (replaced)" : String.join(" or ", names);
  }
}
