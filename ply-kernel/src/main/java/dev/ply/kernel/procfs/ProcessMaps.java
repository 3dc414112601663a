package dev.ply.kernel.procfs;

import dev.ply.kernel.privilege.Capability;
import dev.ply.kernel.privilege.CapabilitySet;
import dev.ply.kernel.untrusted.Allowance;
import dev.ply.kernel.untrusted.BudgetExceededException;
import dev.ply.kernel.untrusted.FileFacts;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.untrusted.UntrustedFile;
import dev.ply.kernel.untrusted.UntrustedPath.Links;
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

/** The memory mappings of a process, from {@code /proc/PID/maps}. Sorted by address. */
public final class ProcessMaps {
  private static final Pattern SPACES = Pattern.compile(" +");
  private static final String DELETED = " (deleted)";

  /** For processes of other users, or with more capabilities. */
  private static final List<Capability> READING = List.of(Capability.CAP_SYS_PTRACE);

  /** Twice the kernel's default of {@code vm.max_map_count}. */
  private static final int MOST_MAPPINGS = 1 << 17;

  /** The memory for a mapping without its name. */
  private static final int MAPPING_BYTES = 64;

  private static final int CHUNK = 1 << 16;

  /** This process's root, written so that no traced process's root is meant. */
  private static final Path OWN_ROOT = Path.of("/proc/self/root");

  private final int pid;
  private final List<Mapping> mappings;
  private final String rootName;
  private final boolean sharesMounts;
  private final boolean isInOwnRoot;

  private ProcessMaps(int pid, List<Mapping> mappings) throws IOException {
    this.pid = pid;
    this.rootName = Files.readSymbolicLink(root()).toString();
    this.sharesMounts = mounts(Integer.toString(pid)).equals(mounts("self"));
    // The same root can have other mounts below it, such as a private /tmp.
    this.isInOwnRoot = sharesMounts && FileFacts.isSame(root(), Path.of("/"));
    this.mappings = List.copyOf(mappings);
  }

  /**
   * A mapping.
   *
   * @param offset of its first byte in the file
   * @param inode of the file; 0 without file
   * @param name the file's path as the kernel shows it to this process, a name in brackets, or
   *     empty
   */
  public record Mapping(
      long start, long end, boolean isExecutable, long offset, long inode, String name) {
    public boolean isFile() {
      return name.startsWith("/") && !name.startsWith("/memfd:") && !name.startsWith("/dev/zero");
    }

    /** Returns whether it contains an address. */
    public boolean has(long address) {
      return Long.compareUnsigned(address - start, end - start) < 0;
    }
  }

  /**
   * Reads the current mappings; empty if the process does not exist.
   *
   * @throws UnreadableTargetException if this process lacks the permission, or procfs is of another
   *     PID namespace
   * @throws BudgetExceededException if there are too many
   */
  public static Optional<ProcessMaps> of(int pid, Allowance allowance)
      throws BudgetExceededException {
    Procfs.requireOwnPids();
    try (InputStream in = Files.newInputStream(Path.of("/proc/" + pid + "/maps"))) {
      return Optional.of(new ProcessMaps(pid, read(in, allowance)));
    } catch (AccessDeniedException e) {
      throw new UnreadableTargetException(
          "the memory map of process "
              + pid
              + " cannot be read, which requires CAP_SYS_PTRACE: "
              + CapabilitySet.ofThisProcess().remedy(READING));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (BudgetExceededException e) {
      allowance.release();
      throw e;
    } catch (IOException e) {
      // ESRCH: the process exits during reading.
      return Optional.empty();
    }
  }

  /** Parses a list of mappings. */
  public static List<Mapping> read(InputStream in, Allowance allowance) throws IOException {
    return new Reader(allowance).read(in);
  }

  /** Splits the input into lines and interns names. */
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
              mapping.start(),
              mapping.end(),
              mapping.isExecutable(),
              mapping.offset(),
              mapping.inode(),
              name));
    }
  }

  /**
   * Parses a line: {@code 7f0000-7f1000 r-xp 00002000 08:01 4711 /usr/lib/libc.so.6}.
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
        Long.parseUnsignedLong(fields[4]),
        TextBytes.decode(name.getBytes(StandardCharsets.ISO_8859_1)));
  }

  private static Path mounts(String process) throws IOException {
    return Files.readSymbolicLink(Path.of("/proc/" + process + "/ns/mnt"));
  }

  /** Returns whether the process has this one's root directory and mount namespace. */
  public boolean isInOwnRoot() {
    return isInOwnRoot;
  }

  public int pid() {
    return pid;
  }

  public List<Mapping> mappings() {
    return mappings;
  }

  /** Returns the mapping that contains an address. */
  public Optional<Mapping> at(long address) {
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

  /** Returns the root directory of the process. */
  public Path root() {
    return Path.of("/proc/" + pid + "/root");
  }

  /**
   * Returns the path of a mapped file as seen from this process; empty if its name cannot be
   * decoded, or is not a path here. The kernel names files from the reader's root, or from the top
   * of another mount namespace: the name of a chrooted process's root comes before them.
   */
  public Optional<Path> named(Mapping mapping) {
    try {
      Optional<Path> inRoot = below(rootName, mapping.name()).map(root()::resolve);
      // Others were mapped before the process changed its root.
      return inRoot.isPresent() || !sharesMounts
          ? inRoot
          : below("/", mapping.name()).map(OWN_ROOT::resolve);
    } catch (InvalidPathException e) {
      // Bytes that cannot be decoded in this process's encoding.
      return Optional.empty();
    }
  }

  /** Returns the rest of the absolute name of a file below a directory. */
  static Optional<String> below(String directory, String name) {
    String start = directory.endsWith("/") ? directory : directory + "/";
    return name.startsWith(start) ? Optional.of(name.substring(start.length())) : Optional.empty();
  }

  /** Returns the link to the mapped file in map_files, independent of its name. */
  public Path mapped(Mapping mapping) {
    return Path.of(
        "/proc/"
            + pid
            + "/map_files/"
            + Long.toHexString(mapping.start())
            + "-"
            + Long.toHexString(mapping.end()));
  }

  /** Returns whether a mapping has code of a file, or of the kernel's {@link Vdso}. */
  public static boolean hasFile(Mapping mapping) {
    return mapping.isFile() || Vdso.is(mapping);
  }

  /**
   * Opens a mapped file, even if it has been unlinked.
   *
   * @throws IOException if it cannot be opened, or the mapping {@linkplain #hasFile has none}
   */
  public UntrustedFile open(Mapping mapping, ReadBudget budget) throws IOException {
    if (!mapping.isFile()) {
      return Vdso.open(budget);
    }
    try {
      return UntrustedFile.open(mapped(mapping), Links.FOLLOWED, budget);
    } catch (IOException e) {
      Optional<Path> name = named(mapping);
      if (name.isEmpty()) {
        throw e;
      }
      // Without CAP_SYS_ADMIN, only the path can be used.
      return UntrustedFile.open(name.get(), Links.FOLLOWED, budget);
    }
  }

  /** Returns a path to open a mapped file by, even if it has been unlinked. */
  public Path file(Mapping mapping) {
    return named(mapping)
        .filter(name -> !mapping.name().endsWith(DELETED) && FileFacts.isRegular(name))
        .orElseGet(() -> mapped(mapping));
  }

  /** Returns an executable mapping for each mapped file, by address. */
  public List<Mapping> codeFiles() {
    Set<String> names = new HashSet<>();
    return mappings.stream()
        .filter(Mapping::isExecutable)
        .filter(Mapping::isFile)
        .filter(mapping -> names.add(mapping.name()))
        .toList();
  }
}
