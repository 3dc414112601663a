package dev.ply.kernel.user;

import dev.ply.kernel.privilege.Capability;
import dev.ply.kernel.privilege.CapabilitySet;
import dev.ply.target.UnreadableTargetException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a process has mapped into its memory, as {@code /proc/PID/maps} tells. */
final class ProcessMaps {
  private static final String DELETED = " (deleted)";

  /** For processes of other users, and those that have more capabilities than this one. */
  private static final List<Capability> READING = List.of(Capability.CAP_SYS_PTRACE);

  private final int pid;
  private final List<Mapping> mappings;
  private final boolean isInOwnRoot;

  private ProcessMaps(int pid, List<Mapping> mappings, boolean isInOwnRoot) {
    this.pid = pid;
    this.isInOwnRoot = isInOwnRoot;
    this.mappings = List.copyOf(mappings);
  }

  /**
   * A part of a process's memory.
   *
   * @param offset of its first byte in the file
   * @param name the file's path as the process sees it, a name in brackets, or nothing
   */
  record Mapping(long start, long end, boolean isExecutable, long offset, String name) {
    boolean isFile() {
      return name.startsWith("/") && !name.startsWith("/memfd:") && !name.startsWith("/dev/zero");
    }

    boolean has(long address) {
      return Long.compareUnsigned(address - start, end - start) < 0;
    }
  }

  /**
   * Reads what a process has now; empty if there is no such process.
   *
   * @throws UnreadableTargetException if this process may not look
   */
  static Optional<ProcessMaps> of(int pid) {
    try {
      List<Mapping> mappings = new ArrayList<>();
      for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/maps"))) {
        mappings.add(parse(line));
      }
      return Optional.of(new ProcessMaps(pid, mappings, isInOwnRoot(pid)));
    } catch (AccessDeniedException e) {
      throw new UnreadableTargetException(
          "the memory map of process "
              + pid
              + " cannot be read, which takes CAP_SYS_PTRACE: "
              + CapabilitySet.ofThisProcess().remedy(READING));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      // ESRCH, where the process ends while its file is read.
      return Optional.empty();
    }
  }

  /** Reads a line: {@code 7f0000-7f1000 r-xp 00002000 08:01 4711 /usr/lib/libc.so.6}. */
  static Mapping parse(String line) {
    String[] fields = line.split(" +", 6);
    int dash = fields[0].indexOf('-');
    return new Mapping(
        Long.parseUnsignedLong(fields[0].substring(0, dash), 16),
        Long.parseUnsignedLong(fields[0].substring(dash + 1), 16),
        fields[1].charAt(2) == 'x',
        Long.parseUnsignedLong(fields[2], 16),
        fields.length > 5 ? fields[5] : "");
  }

  /** Tells whether two processes see the same files: their roots are one directory. */
  private static boolean isInOwnRoot(int pid) throws IOException {
    return Files.isSameFile(Path.of("/proc/" + pid + "/root"), Path.of("/"));
  }

  /** Tells whether the process sees the same files as this one. */
  boolean isInOwnRoot() {
    return isInOwnRoot;
  }

  int pid() {
    return pid;
  }

  List<Mapping> mappings() {
    return mappings;
  }

  /** Returns what is at an address. */
  Optional<Mapping> at(long address) {
    return mappings.stream().filter(mapping -> mapping.has(address)).findFirst();
  }

  /** Returns the root of the file system that the process sees. */
  Path root() {
    return Path.of("/proc/" + pid + "/root");
  }

  /** Returns where a mapped file can be opened now, even if it has no name any more. */
  Path file(Mapping mapping) {
    Path named = root().resolve(mapping.name().substring(1));
    return mapping.name().endsWith(DELETED) || !Files.exists(named)
        ? Path.of(
            "/proc/"
                + pid
                + "/map_files/"
                + Long.toHexString(mapping.start())
                + "-"
                + Long.toHexString(mapping.end()))
        : named;
  }

  /** Returns a mapping of code for each file that has code in memory, in the order of addresses. */
  List<Mapping> codeFiles() {
    List<String> names = new ArrayList<>();
    List<Mapping> files = new ArrayList<>();
    for (Mapping mapping : mappings) {
      if (mapping.isExecutable() && mapping.isFile() && !names.contains(mapping.name())) {
        names.add(mapping.name());
        files.add(mapping);
      }
    }
    return files;
  }
}
