package dev.ply.kernel.jit;

import dev.ply.kernel.procfs.ProcessMaps;
import dev.ply.kernel.procfs.ProcessMaps.Mapping;
import dev.ply.kernel.procfs.ProcessStatus;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.untrusted.UntrustedPath;
import dev.ply.kernel.untrusted.UntrustedPath.Links;
import dev.ply.target.KernelSymbols.Symbol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The JIT-compiled functions of a process. Its perf map is read on first use; a Java runtime
 * without one is asked to write it, and the file is then removed.
 */
public final class JitSymbols {
  private final ProcessStatus process;
  private final boolean isJava;
  private final ProcessMaps maps;
  private final boolean isInOwnRoot;
  private final Path root;
  private Optional<PerfMap> functions = Optional.empty();
  private boolean asked;

  public JitSymbols(ProcessStatus process, ProcessMaps maps) {
    this.process = process;
    this.isJava = isJava(maps);
    this.maps = maps;
    this.isInOwnRoot = maps.isInOwnRoot();
    // The process's root is gone once it has exited.
    this.root = isInOwnRoot ? Path.of("/") : maps.root();
  }

  /** Returns whether a process maps a Java runtime. */
  private static boolean isJava(ProcessMaps maps) {
    return library(maps).isPresent();
  }

  private static Optional<Mapping> library(ProcessMaps maps) {
    return maps.codeFiles().stream().filter(file -> file.name().endsWith("/libjvm.so")).findFirst();
  }

  /** Returns whether the process is a Java runtime. */
  public boolean isJava() {
    return isJava;
  }

  /** Returns the UID of the process. */
  public int user() {
    return process.user();
  }

  /** Returns whether it belongs to this process, and not to an earlier one with its PID. */
  public boolean isOf(ProcessStatus status, ProcessMaps maps) {
    // After execve(2) a process maps other files.
    return process.started().equals(status.started()) && isJava == isJava(maps);
  }

  /** Returns the function that contains an address. */
  public Optional<Symbol> at(long address, ReadBudget budget, JavaAttach runtimes) {
    if (!asked) {
      asked = true;
      functions = read(budget, runtimes);
    }
    return functions.flatMap(map -> map.at(address));
  }

  /** Releases the memory claimed for its functions, when the process is forgotten. */
  public void release() {
    functions.ifPresent(PerfMap::release);
    functions = Optional.empty();
  }

  /** The directory is held by descriptor, whatever happens to its path. */
  private Optional<PerfMap> read(ReadBudget budget, JavaAttach runtimes) {
    try (UntrustedPath temporary =
        UntrustedPath.open(root.resolve("tmp"), isInOwnRoot ? Links.FOLLOWED : Links.REFUSED)) {
      return temporary.facts().isDirectory()
          ? read(temporary.path(), budget, runtimes)
          : Optional.empty();
    } catch (IOException e) {
      // No such directory, or the process has exited.
      if (isJava) {
        runtimes.missing().add(process.pid(), MissingNames.Reason.ENDED);
      }
      return Optional.empty();
    }
  }

  private Optional<PerfMap> read(Path temporary, ReadBudget budget, JavaAttach runtimes)
      throws IOException {
    Path file = temporary.resolve("perf-" + process.ownPid() + ".map");
    Optional<Mapping> library = library(maps);
    if (library.isEmpty() || Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return PerfMap.read(file, process.user(), budget);
    }
    boolean isWritten =
        runtimes.writePerfMap(
            process, temporary, () -> HotSpotRuntime.of(maps, library.get(), budget));
    if (!isWritten) {
      return Optional.empty();
    }
    try {
      return PerfMap.read(file, process.user(), budget);
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
