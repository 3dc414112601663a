package dev.ply.kernel.user;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.kernel.procfs.ProcessStatus;
import dev.ply.kernel.procfs.Procfs;
import dev.ply.kernel.untrusted.FileFacts;
import dev.ply.kernel.user.BinaryFinder.Binary;
import dev.ply.selector.Glob;
import dev.ply.target.BinaryCatalog;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.target.UnreadableTargetException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Finds the programs and libraries that a pattern selects. A pattern with a slash is one of paths.
 * Without, it is one of names: of what the traced process has mapped, or without one of the
 * programs in {@code $PATH}, the libraries that the loader knows, and what any process has mapped.
 * {@code *} alone is all that is mapped.
 */
final class MatchingBinaries {
  private static final String MAPPED = "*";

  private static final int NOBODY = 65534;

  /** Files; a whole {@code /usr/bin} has more than a thousand. */
  private static final int MOST_FILES = 4096;

  /** Entries of directories, which anybody can fill. */
  private static final int MOST_ENTRIES = 1 << 17;

  private final BinaryFinder finder;
  private final List<String> unsearched = new ArrayList<>();

  MatchingBinaries(BinaryFinder finder) {
    this.finder = finder;
  }

  /**
   * Returns the names of the files; those of root are looked at before those of others.
   *
   * @throws ProbeSiteNotFoundException if not found, or too many directories to look at
   * @throws UnreadableTargetException if the traced process cannot be read
   */
  BinaryCatalog.Matching matching(String pattern) {
    if (isFile(pattern)) {
      return new BinaryCatalog.Matching(List.of(pattern), Optional.empty());
    }
    List<String> found = distinct(candidates(pattern));
    Optional<String> left =
        unsearched.isEmpty()
            ? Optional.empty()
            : Optional.of("not looked at: " + String.join(", ", unsearched));
    if (found.isEmpty()) {
      throw new ProbeSiteNotFoundException(
          DiagnosticCode.UNKNOWN_BINARY,
          "no program or library matches " + pattern,
          left.stream().toArray(String[]::new));
    }
    return new BinaryCatalog.Matching(found, left);
  }

  private Stream<String> candidates(String pattern) {
    Glob glob = new Glob(pattern);
    if (pattern.indexOf('/') >= 0) {
      PathPattern paths = new PathPattern(MOST_ENTRIES);
      List<String> matching = paths.paths(pattern, finder.root());
      if (paths.isExhausted()) {
        throw tooMany(pattern + " would search more than " + MOST_ENTRIES + " directory entries");
      }
      return matching.stream();
    }
    if (finder.viewer().isPresent()) {
      return mapped(finder.viewer().getAsInt()).filter(path -> glob.matches(fileName(path)));
    }
    Stream<String> mapped = mappedByAny().stream();
    return pattern.equals(MAPPED)
        ? mapped
        : Stream.of(finder.programs().sorted(), libraries(), mapped)
            .flatMap(names -> names)
            .filter(path -> glob.matches(fileName(path)));
  }

  private static Stream<String> libraries() {
    return LibraryCache.read().stream().map(library -> library.path().toString()).sorted();
  }

  private static String fileName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** Returns what a process has mapped, by paths as it sees them. */
  private Stream<String> mapped(int pid) {
    return finder.mapped(pid).stream().map(binary -> seenBy(pid, binary.path().toString()));
  }

  private static String seenBy(int pid, String path) {
    String root = "/proc/" + pid + "/root/";
    return path.startsWith(root) ? path.substring(root.length() - 1) : path;
  }

  /** Returns what processes have mapped; those that end meanwhile, or are another's, are none. */
  private Set<String> mappedByAny() {
    // What this process sees by its own name is so called, not by that of a process.
    Set<String> found =
        new TreeSet<>(
            Comparator.<String, Boolean>comparing(path -> path.startsWith("/proc/"))
                .thenComparing(Comparator.naturalOrder()));
    int unreadable = 0;
    List<Integer> processes = List.of();
    try {
      processes = inTurns(processes());
    } catch (UnreadableTargetException e) {
      unsearched.add("what processes have in memory: " + e.getMessage());
    }
    for (int pid : processes) {
      try {
        Stream<String> paths = finder.mapped(pid).stream().map(binary -> binary.path().toString());
        boolean seesSame = BinaryFinder.seesSameFiles(pid);
        paths.map(path -> seesSame ? seenBy(pid, path) : path).forEach(found::add);
      } catch (ProbeSiteNotFoundException e) {
        // It has ended, or is a thread of the kernel.
      } catch (UnreadableTargetException e) {
        unreadable++;
      }
    }
    if (unreadable > 0) {
      unsearched.add(
          unreadable
              + " of "
              + processes.size()
              + " processes, of which one has too much in memory"
              + " or cannot be read");
    }
    return found;
  }

  /**
   * Orders processes: root's and those of this user first, then one of each other user in turn. A
   * user with many processes takes the time from nobody else.
   */
  private static List<Integer> inTurns(List<Integer> processes) {
    Map<Integer, Integer> turns = new HashMap<>();
    Map<Integer, Integer> turn = new HashMap<>();
    int self = user(Math.toIntExact(ProcessHandle.current().pid()));
    for (int pid : processes) {
      int owner = user(pid);
      turn.put(pid, owner == 0 || owner == self ? 0 : turns.merge(owner, 1, Integer::sum));
    }
    return processes.stream().sorted(Comparator.comparing(turn::get)).toList();
  }

  private static int user(int pid) {
    return ProcessStatus.of(pid).map(ProcessStatus::user).orElse(NOBODY);
  }

  private static List<Integer> processes() {
    Procfs.requireOwnPids();
    List<Integer> found = new ArrayList<>();
    try (DirectoryStream<Path> all =
        Files.newDirectoryStream(
            Path.of("/proc"), path -> path.getFileName().toString().matches("[0-9]{1,9}"))) {
      all.forEach(path -> found.add(Integer.parseInt(path.getFileName().toString())));
    } catch (IOException e) {
      throw new UnreadableTargetException("/proc cannot be read: " + e.getMessage());
    }
    found.sort(null);
    return found;
  }

  /** Returns whether a path with special characters is that of a file. */
  boolean isFile(String name) {
    return name.indexOf('/') >= 0
        && BinaryFinder.decodable(name)
            .filter(path -> FileFacts.isRegular(finder.absolute(name)))
            .isPresent();
  }

  /** A file by one of its names. */
  private record Named(String name, FileFacts facts) {}

  /** Links are several names of one file, whose probes would count each hit several times. */
  private List<String> distinct(Stream<String> names) {
    Set<Identity> files = new HashSet<>();
    List<Named> different =
        names
            .filter(name -> name.chars().noneMatch(c -> c == '"' || c == '\n' || c == '\r'))
            .flatMap(name -> named(name).stream())
            .filter(file -> file.facts().isRegular() && files.add(Identity.of(file.facts())))
            .sorted(Comparator.comparing(file -> !file.facts().isOfRoot()))
            .toList();
    List<String> found = new ArrayList<>();
    int searched = 0;
    while (searched < different.size() && found.size() < MOST_FILES) {
      String name = different.get(searched++).name();
      if (finder.isElf(finder.absolute(name))) {
        found.add(name);
      }
    }
    if (searched < different.size()) {
      unsearched.add((different.size() - searched) + " of " + different.size() + " files");
    }
    return found;
  }

  private Optional<Named> named(String name) {
    return facts(finder.absolute(name)).map(facts -> new Named(name, facts));
  }

  /** The identity of a file under all its names, while it exists. */
  private record Identity(long device, long inode) {
    static Identity of(FileFacts facts) {
      return new Identity(facts.device(), facts.inode());
    }
  }

  private static Optional<FileFacts> facts(Path path) {
    try {
      return Optional.of(FileFacts.of(path));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static ProbeSiteNotFoundException tooMany(String message) {
    return new ProbeSiteNotFoundException(
        DiagnosticCode.TOO_MANY_PLACES, message, "narrow the pattern");
  }

  /** Returns the program of a process, by its path as it sees it. */
  static Optional<String> program(BinaryFinder finder, int pid) {
    List<Binary> mapped = finder.mapped(pid);
    Path link = Path.of("/proc/" + pid + "/exe");
    Optional<Identity> program = facts(link).map(Identity::of);
    return mapped.stream()
        .filter(
            binary -> program.isPresent() && facts(binary.path()).map(Identity::of).equals(program))
        .map(binary -> seenBy(pid, binary.path().toString()))
        .findFirst()
        .or(() -> Optional.of(link.toString()));
  }
}
