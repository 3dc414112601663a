package dev.ply.kernel.learn;

import dev.ply.bpf.unwind.UnwindTable;
import dev.ply.kernel.untrusted.FileFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * Unwind tables on disk, so that another trace does not compute them again: of root's files that
 * others cannot write, found by device, inode, size and time of change. These say that it is the
 * same file as long as the system runs, and the boot ID says that. A build ID would not: a
 * stranger's file can claim to have that of the C library. Not thread-safe.
 */
final class TableCache {
  /** Another directory than the usual; empty for none. */
  private static final String VARIABLE = "PLY_CACHE";

  private static final Path OF_ROOT = Path.of("/var/cache/ply");
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
  private static final long MOST_BYTES = 64 << 20;

  /** Smaller tables are computed as fast as they are read. */
  private static final int FEWEST_ROWS = 512;

  private static final int OTHERS_CAN_WRITE = 022;

  /** Time is counted in ticks: what was changed just now can be changed again in the same. */
  private static final Duration SETTLED = Duration.ofSeconds(2);

  private final Optional<UUID> boot;
  private final Optional<OwnDirectory> directory;

  private TableCache(Optional<UUID> boot, Optional<OwnDirectory> directory) {
    this.boot = boot;
    this.directory = directory;
  }

  /** Returns the cache of this user; one that stores nothing if there is no place for it. */
  static TableCache ofThisProcess() {
    Optional<Path> parent = parent();
    return parent.map(TableCache::in).orElseGet(TableCache::none);
  }

  /** Returns a cache that stores nothing. */
  static TableCache none() {
    return new TableCache(Optional.empty(), Optional.empty());
  }

  /** Returns the cache in a directory, which is created if it does not exist. */
  static TableCache in(Path parent) {
    return boot().map(boot -> in(parent, boot, MOST_BYTES)).orElseGet(TableCache::none);
  }

  static TableCache in(Path parent, UUID boot, long mostBytes) {
    return new TableCache(Optional.of(boot), OwnDirectory.open(parent, "unwind", mostBytes));
  }

  private static Optional<Path> parent() {
    String chosen = System.getenv(VARIABLE);
    String caches = System.getenv("XDG_CACHE_HOME");
    try {
      if (chosen != null) {
        return chosen.isEmpty() ? Optional.empty() : Optional.of(Path.of(chosen).toAbsolutePath());
      }
      if (Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)) {
        // Not what sudo may have left of another user's environment.
        return Optional.of(OF_ROOT);
      }
      Path home = Path.of(System.getProperty("user.home", "/"));
      Path usual = home.resolve(".cache");
      Path base = caches == null || !caches.startsWith("/") ? usual : Path.of(caches);
      return Optional.of(base.resolve("ply"));
    } catch (IOException | InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static Optional<UUID> boot() {
    try {
      return Optional.of(UUID.fromString(Files.readString(BOOT).strip()));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static boolean isTrusted(FileFacts facts) {
    return facts.isOfRoot()
        && (facts.mode() & OTHERS_CAN_WRITE) == 0
        && facts.changed() / 1_000_000 < System.currentTimeMillis() - SETTLED.toMillis();
  }

  private static String name(FileFacts facts) {
    return Long.toHexString(facts.device()) + "-" + Long.toHexString(facts.inode());
  }

  /** Returns the table of a file; empty if it is not here. */
  Optional<UnwindTable> find(FileFacts facts) {
    return directory.isPresent() && isTrusted(facts)
        ? directory
            .get()
            .read(name(facts))
            .flatMap(content -> TableFile.decode(boot.orElseThrow(), facts, content))
        : Optional.empty();
  }

  /** Stores the table of a file, if others cannot change the file. */
  void store(FileFacts facts, UnwindTable table) {
    if (directory.isPresent()
        && isTrusted(facts)
        && table.size() >= FEWEST_ROWS
        && TableFile.size(table) <= MOST_BYTES / 2) {
      directory.get().write(name(facts), TableFile.encode(boot.orElseThrow(), facts, table));
    }
  }
}
