package dev.ply.kernel.user;

import dev.ply.kernel.privilege.Capability;
import dev.ply.kernel.privilege.CapabilitySet;
import dev.ply.kernel.untrusted.Allowance;
import dev.ply.kernel.untrusted.BudgetExceededException;
import dev.ply.target.UnreadableTargetException;
import dev.ply.type.TextBytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a process has mapped into its memory, as {@code /proc/PID/maps} tells. Sorted by address.
 */
final class ProcessMaps {
  private static final Pattern SPACES = Pattern.compile(" +");
  private static final String DELETED = " (deleted)";

  /** For processes of other users, and those that have more capabilities than this one. */
  private static final List<Capability> READING = List.of(Capability.CAP_SYS_PTRACE);

  /** Twice what the kernel allows unless {@code vm.max_map_count} is raised. */
  private static final int MOST_MAPPINGS = 1 << 17;

  /** Of a mapping without its name. */
  private static final int MAPPING_BYTES = 64;

  private static final int CHUNK = 1 << 16;

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
   * @throws BudgetExceededException if a process has too much
   */
  static Optional<ProcessMaps> of(int pid, Allowance allowance) throws BudgetExceededException {
    try (InputStream in = Files.newInputStream(Path.of("/proc/" + pid + "/maps"))) {
      return Optional.of(new ProcessMaps(pid, read(in, allowance), isInOwnRoot(pid)));
    } catch (AccessDeniedException e) {
      throw new UnreadableTargetException(
          "the memory map of process "
              + pid
              + " cannot be read, which takes CAP_SYS_PTRACE: "
              + CapabilitySet.ofThisProcess().remedy(READING));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (BudgetExceededException e) {
      allowance.release();
      throw e;
    } catch (IOException e) {
      // ESRCH, where the process ends while its file is read.
      return Optional.empty();
    }
  }

  /** Reads a list of mappings. */
  static List<Mapping> read(InputStream in, Allowance allowance) throws IOException {
    return new Reader(allowance).read(in);
  }

  /** Splits the list into lines as it comes, and keeps each name once. */
  private static final class Reader {
    private final Allowance allowance;
    private final List<Mapping> mappings = new ArrayList<>();
    private final Map<String, String> names = new HashMap<>();
    private byte[] waiting = new byte[0];

    Reader(Allowance allowance) {
      this.allowance = allowance;
    }

    List<Mapping> read(InputStream in) throws IOException {
      for (byte[] part = in.readNBytes(CHUNK); part.length > 0; part = in.readNBytes(CHUNK)) {
        byte[] bytes = new byte[waiting.length + part.length];
        System.arraycopy(waiting, 0, bytes, 0, waiting.length);
        System.arraycopy(part, 0, bytes, waiting.length, part.length);
        addLines(bytes);
        allowance.requireTime();
      }
      return mappings;
    }

    private void addLines(byte[] bytes) throws BudgetExceededException {
      int start = 0;
      for (int i = 0; i < bytes.length; i++) {
        if (bytes[i] == '\n') {
          add(new String(bytes, start, i - start, StandardCharsets.ISO_8859_1));
          start = i + 1;
        }
      }
      waiting = Arrays.copyOfRange(bytes, start, bytes.length);
    }

    private void add(String line) throws BudgetExceededException {
      if (mappings.size() == MOST_MAPPINGS) {
        return;
      }
      Mapping mapping = parse(line);
      String name = names.get(mapping.name());
      if (name == null) {
        name = mapping.name();
        allowance.claim(2L * name.length());
        names.put(name, name);
      }
      allowance.claim(MAPPING_BYTES);
      mappings.add(
          new Mapping(
              mapping.start(), mapping.end(), mapping.isExecutable(), mapping.offset(), name));
    }
  }

  /**
   * Reads a line: {@code 7f0000-7f1000 r-xp 00002000 08:01 4711 /usr/lib/libc.so.6}.
   *
   * @param line its bytes, one char each (ISO 8859-1)
   */
  static Mapping parse(String line) {
    String[] fields = SPACES.split(line, 6);
    int dash = fields[0].indexOf('-');
    String name = fields.length > 5 ? fields[5] : "";
    return new Mapping(
        Long.parseUnsignedLong(fields[0].substring(0, dash), 16),
        Long.parseUnsignedLong(fields[0].substring(dash + 1), 16),
        fields[1].charAt(2) == 'x',
        Long.parseUnsignedLong(fields[2], 16),
        TextBytes.decode(name.getBytes(StandardCharsets.ISO_8859_1)));
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
    int low = 0;
    int high = mappings.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Long.compareUnsigned(mappings.get(middle).end(), address) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < mappings.size() && mappings.get(low).has(address)
        ? Optional.of(mappings.get(low))
        : Optional.empty();
  }

  /** Returns the root of the file system that the process sees. */
  Path root() {
    return Path.of("/proc/" + pid + "/root");
  }

  /** Returns the path by which this process reaches a mapped file's name, if it can be one here. */
  Optional<Path> named(Mapping mapping) {
    try {
      return Optional.of(root().resolve(mapping.name().substring(1)));
    } catch (InvalidPathException e) {
      // Bytes that are no characters in this process's encoding.
      return Optional.empty();
    }
  }

  /** Returns the link to the file that is mapped, whatever its name leads to now. */
  Path mapped(Mapping mapping) {
    return Path.of(
        "/proc/"
            + pid
            + "/map_files/"
            + Long.toHexString(mapping.start())
            + "-"
            + Long.toHexString(mapping.end()));
  }

  /** Returns where a mapped file can be opened now, even if it has no name any more. */
  Path file(Mapping mapping) {
    // Not Files.exists: the access(2) below it disregards capabilities.
    return named(mapping)
        .filter(name -> !mapping.name().endsWith(DELETED) && Files.isRegularFile(name))
        .orElseGet(() -> mapped(mapping));
  }

  /** Returns a mapping of code for each file that has code in memory, in the order of addresses. */
  List<Mapping> codeFiles() {
    Set<String> names = new HashSet<>();
    return mappings.stream()
        .filter(Mapping::isExecutable)
        .filter(Mapping::isFile)
        .filter(mapping -> names.add(mapping.name()))
        .toList();
  }
}
