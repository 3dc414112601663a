package dev.ply.kernel.user;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Suggestions;
import dev.ply.kernel.procfs.ProcessMaps;
import dev.ply.kernel.procfs.ProcessStatus;
import dev.ply.kernel.procfs.Procfs;
import dev.ply.kernel.untrusted.Allowance;
import dev.ply.kernel.untrusted.BudgetExceededException;
import dev.ply.kernel.untrusted.FileFacts;
import dev.ply.kernel.untrusted.MemoryBudget;
import dev.ply.kernel.untrusted.NotRegularFileException;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.untrusted.UnansweringFileException;
import dev.ply.kernel.untrusted.UntrustedFile;
import dev.ply.kernel.untrusted.UntrustedPath;
import dev.ply.kernel.untrusted.UntrustedPath.Links;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.target.UnreadableTargetException;
import dev.ply.target.UserLocation;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds files by the name of a program or library, or by PID. Thread-safe. */
final class BinaryFinder {
  private static final Path ROOT = Path.of("/");
  private static final int ELF = 0x7f454c46;

  /** Of {@code e_type}, after the identification. */
  private static final int TYPE_END = 18;

  /** The offset of the byte order, EI_DATA. */
  private static final int ORDER = 5;

  private static final int BIG_ENDIAN = 2;

  /** {@code ET_REL} and {@code ET_CORE}. */
  private static final Set<Short> NEVER_RUN = Set.of((short) 1, (short) 4);

  private static final Pattern PROCESS = Pattern.compile("[0-9]{1,9}");

  private static final Pattern LINK =
      Pattern.compile("/proc/(?:self|[0-9]+)/(?:root/|map_files/|exe$)");

  /** The suffix of a library's file name: {@code libc-2.31.so}, {@code libc.so.6}. */
  private static final Pattern VERSION = Pattern.compile("(-[0-9.]+)?\\.so(\\..*)?$");

  private static final List<String> LIBRARY_DIRECTORIES =
      List.of("/lib64", "/usr/lib64", "/lib", "/usr/lib", "/usr/local/lib");

  /** CPU time for processes and files of users other than root. */
  private static final Duration READING = Duration.ofSeconds(3);

  private final ReadBudget budget;
  private final List<Path> programDirectories;
  private final OptionalInt viewer;

  /**
   * Creates a finder.
   *
   * @param viewer the process whose paths and libraries are used, and whose hits alone count; this
   *     process and all hits if empty
   * @param memory for what processes have mapped, while it is looked through
   */
  BinaryFinder(OptionalInt viewer, MemoryBudget memory) {
    this(programDirectories().toList(), viewer, memory);
  }

  /** Returns the absolute directories of {@code $PATH}. */
  static Stream<Path> programDirectories() {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.of(path.split(File.pathSeparator, -1))
        .filter(directory -> directory.startsWith("/"))
        .flatMap(directory -> decodable(directory).stream());
  }

  /** Returns the path of this name; empty if no file can have it in this process's encoding. */
  static Optional<Path> decodable(String name) {
    try {
      return Optional.of(Path.of(name));
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  BinaryFinder(List<Path> programDirectories) {
    this(programDirectories, OptionalInt.empty(), MemoryBudget.ofHeap());
  }

  private BinaryFinder(List<Path> programDirectories, OptionalInt viewer, MemoryBudget memory) {
    this.budget = ReadBudget.of(READING, memory);
    this.programDirectories = programDirectories;
    this.viewer = viewer;
  }

  /**
   * An ELF file.
   *
   * @param root the file system that contains it: this process's, or that of a traced process
   * @param process the PID, if files are selected by process
   */
  record Binary(Path path, Path root, OptionalInt process) {
    /** Returns a location in the file. */
    UserLocation location(long offset, long counter) {
      return new UserLocation(path, offset, counter, process);
    }
  }

  /**
   * Returns the file, or the mapped files of a process.
   *
   * @throws ProbeSiteNotFoundException if not found
   * @throws UnreadableTargetException if it cannot be read
   */
  synchronized List<Binary> find(String name) {
    if (decodable(name).isEmpty()) {
      throw unknown(unnameable(name));
    }
    if (PROCESS.matcher(name).matches()) {
      return ofProcess(Integer.parseInt(name));
    }
    if (viewer.isPresent() && name.indexOf('/') < 0) {
      List<Binary> mapped =
          ofProcess(viewer.getAsInt()).stream()
              .filter(binary -> isNamed(binary.path().getFileName().toString(), name))
              .toList();
      if (!mapped.isEmpty()) {
        return mapped;
      }
    }
    Path file = name.indexOf('/') >= 0 ? absolute(name) : named(name);
    requireReadable(file);
    return List.of(new Binary(forKernel(file), rootOf(file), viewer));
  }

  /** The kernel resolves links in a uprobe's path from this process's root. */
  private static Path forKernel(Path file) {
    try {
      return UntrustedPath.forOthers(file);
    } catch (IOException e) {
      throw new UnreadableTargetException(file + " cannot be resolved: " + e.getMessage());
    }
  }

  private static String unnameable(String name) {
    return name.indexOf('\0') >= 0
        ? "no file has a zero byte in its name"
        : "the name has characters that this process's locale does not have: set LC_ALL=C.UTF-8";
  }

  /** An absolute path is below the viewer's root, unless it already leads there. */
  Path absolute(String name) {
    Path file = Path.of(name).toAbsolutePath();
    if (viewer.isPresent()) {
      Procfs.requireOwnPids();
    }
    boolean isElsewhere =
        viewer.isPresent()
            && name.startsWith("/")
            && !isOfProcess(file)
            && !seesSameFiles(viewer.getAsInt());
    return isElsewhere ? process(viewer.getAsInt(), "root").resolve(ROOT.relativize(file)) : file;
  }

  /** Returns the process whose files are meant, if there is one. */
  OptionalInt viewer() {
    return viewer;
  }

  /** Returns the directory that absolute paths begin at. */
  Path root() {
    return viewer.isPresent() && !seesSameFiles(viewer.getAsInt())
        ? process(viewer.getAsInt(), "root")
        : ROOT;
  }

  /** Returns the files in the directories of programs. */
  Stream<String> programs() {
    return programDirectories.stream()
        .flatMap(
            directory -> {
              try (Stream<Path> files = Files.list(directory)) {
                return files.map(Path::toString).toList().stream();
              } catch (IOException e) {
                // Directories in PATH need not exist.
                return Stream.empty();
              }
            });
  }

  /**
   * Returns the mapped files of a process.
   *
   * @throws ProbeSiteNotFoundException if not found
   * @throws UnreadableTargetException if it cannot be read
   */
  synchronized List<Binary> mapped(int pid) {
    return ofProcess(pid);
  }

  /**
   * Returns whether a process has the files of this one. Compares mount namespaces besides roots:
   * one directory can be the root of several.
   */
  static boolean seesSameFiles(int pid) {
    try {
      return Files.readSymbolicLink(process(pid, "ns/mnt"))
              .equals(Files.readSymbolicLink(Path.of("/proc/self/ns/mnt")))
          && FileFacts.isSame(process(pid, "root"), ROOT);
    } catch (IOException e) {
      // If it cannot be inspected, the kernel or the path will give the reason.
      return true;
    }
  }

  private static Path process(int pid, String file) {
    return Path.of("/proc", Integer.toString(pid), file);
  }

  /** Not Files.exists and isReadable, which use access(2) and so ignore capabilities. */
  private void requireReadable(Path file) {
    try {
      UntrustedFile.open(file, Links.FOLLOWED, budget).close();
    } catch (NotRegularFileException e) {
      throw unknown(file + " is not a program or library: it is not a file");
    } catch (NoSuchFileException e) {
      throw missing(file);
    } catch (AccessDeniedException e) {
      throw new UnreadableTargetException(file + " may not be read by this user");
    } catch (UnansweringFileException e) {
      throw new UnreadableTargetException(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new UnreadableTargetException(file + " cannot be read: " + e.getMessage());
    }
  }

  private ProbeSiteNotFoundException missing(Path file) {
    String name = file.getFileName().toString();
    Optional<String> hint =
        name.indexOf('@') > 0
            ? Optional.of(
                "a source line, program@file.c:12, cannot be probed yet; a function or an address"
                    + " can")
            : elsewhere(name).map(found -> "did you mean " + found + "?");
    return new ProbeSiteNotFoundException(
        DiagnosticCode.UNKNOWN_BINARY, "no file " + file, hint.stream().toArray(String[]::new));
  }

  /**
   * Returns a library of this name, in whichever version, or a program, where this system has it.
   */
  private Optional<Path> elsewhere(String file) {
    // A traced process may have other files.
    return viewer.isPresent()
        ? Optional.empty()
        : located(VERSION.matcher(file).replaceFirst(""), LibraryCache.read());
  }

  /** Returns whether a path leads through a link of a process, from wherever it is resolved. */
  private static boolean isOfProcess(Path file) {
    return LINK.matcher(file.toString()).lookingAt();
  }

  /** A path through /proc/PID/root is in that file system. */
  private static Path rootOf(Path file) {
    boolean isForeign =
        file.getNameCount() > 3
            && file.getName(0).toString().equals("proc")
            && file.getName(2).toString().equals("root");
    return isForeign ? ROOT.resolve(file.subpath(0, 3)) : ROOT;
  }

  private List<Binary> ofProcess(int pid) {
    ProcessMaps maps = maps(pid).orElseThrow(() -> unknown("no process " + pid));
    List<Binary> files =
        maps.codeFiles().stream()
            .map(mapping -> new Binary(maps.file(mapping), maps.root(), OptionalInt.of(pid)))
            // JIT compilers can map code from temporary files that are not ELF.
            .filter(binary -> isElf(binary.path()))
            .toList();
    if (files.isEmpty()) {
      throw unknown("process " + pid + " has no code: it is a kernel thread, or has exited");
    }
    return files;
  }

  private Optional<ProcessMaps> maps(int pid) {
    boolean isOfRoot = ProcessStatus.of(pid).filter(status -> status.user() == 0).isPresent();
    try (Allowance allowance = budget.allowance(isOfRoot)) {
      Optional<ProcessMaps> maps = ProcessMaps.of(pid, allowance);
      // They are not kept.
      allowance.release();
      return maps;
    } catch (BudgetExceededException e) {
      throw new UnreadableTargetException(
          "the memory map of process " + pid + " cannot be read: " + e.getMessage());
    }
  }

  private Path named(String name) {
    List<LibraryCache.Library> cache = LibraryCache.read();
    return located(name, cache).orElseThrow(() -> unknown(name, cache));
  }

  private Optional<Path> located(String name, List<LibraryCache.Library> cache) {
    return cache.stream()
        .filter(library -> isNamed(library.name(), name) && isElf(library.path()))
        .map(LibraryCache.Library::path)
        .findFirst()
        .or(() -> inDirectories(name))
        .or(() -> program(name));
  }

  /** Returns whether a file name has this soname stem. */
  private static boolean isNamed(String file, String name) {
    String library = name.startsWith("lib") ? name : "lib" + name;
    return file.equals(name)
        || file.equals(library)
        || (file.startsWith(library + ".so")
            && (file.length() == library.length() + 3 || file.charAt(library.length() + 3) == '.'));
  }

  /** Some systems keep the libraries of each architecture in a separate directory. */
  private static List<Path> libraryDirectories() {
    List<Path> directories = new ArrayList<>();
    for (String directory : LIBRARY_DIRECTORIES) {
      directories.add(Path.of(directory));
      try (Stream<Path> files = Files.list(Path.of(directory))) {
        files
            .filter(file -> file.getFileName().toString().contains("-linux-"))
            .filter(Files::isDirectory)
            .sorted()
            .forEach(directories::add);
      } catch (IOException e) {
        // Not all systems have all directories.
      }
    }
    return directories;
  }

  private Optional<Path> inDirectories(String name) {
    for (Path directory : libraryDirectories()) {
      try (Stream<Path> files = Files.list(directory)) {
        Optional<Path> found =
            files
                .filter(file -> isNamed(file.getFileName().toString(), name) && isElf(file))
                .sorted()
                .findFirst();
        if (found.isPresent()) {
          return found;
        }
      } catch (IOException e) {
        // Not all systems have all directories.
      }
    }
    return Optional.empty();
  }

  private Optional<Path> program(String name) {
    return programDirectories.stream()
        .map(directory -> directory.resolve(name))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }

  /**
   * Returns whether a file says that it is an ELF file. Files named like libraries can be linker
   * scripts; nothing runs from object files and core dumps. What is damaged counts.
   */
  synchronized boolean isElf(Path path) {
    try (UntrustedFile file = UntrustedFile.open(path, Links.FOLLOWED, budget)) {
      ByteBuffer start = file.read(0, (int) Math.min(TYPE_END, file.facts().size()));
      if (start.limit() < Integer.BYTES || start.getInt(0) != ELF) {
        return false;
      }
      boolean isBigEndian = start.limit() < TYPE_END || start.get(ORDER) == BIG_ENDIAN;
      start.order(isBigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
      return start.limit() < TYPE_END || !NEVER_RUN.contains(start.getShort(TYPE_END - 2));
    } catch (IOException e) {
      return false;
    }
  }

  private ProbeSiteNotFoundException unknown(String name, List<LibraryCache.Library> cache) {
    List<String> names = new ArrayList<>();
    cache.forEach(library -> names.add(shortName(library.name())));
    for (Path directory : programDirectories) {
      try (Stream<Path> files = Files.list(directory)) {
        files.forEach(file -> names.add(file.getFileName().toString()));
      } catch (IOException e) {
        // Directories in PATH need not exist.
      }
    }
    return new ProbeSiteNotFoundException(
        DiagnosticCode.UNKNOWN_BINARY,
        "library \"" + name + "\" not found, and no program of that name in $PATH",
        Suggestions.hint(
            shortName(name + ".so"), names.stream(), "give its path: uprobe:/usr/lib/…"));
  }

  private static String shortName(String library) {
    int end = library.indexOf(".so");
    return library.startsWith("lib") && end > 3 ? library.substring(3, end) : library;
  }

  private static ProbeSiteNotFoundException unknown(String message) {
    return new ProbeSiteNotFoundException(DiagnosticCode.UNKNOWN_BINARY, message);
  }
}
