package dev.ply.kernel.user;

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
 * The functions that a process's runtime has made in memory. The list is read when it is first
 * asked for; if there is none and the process is a Java runtime, it is asked to write one, which is
 * removed again.
 */
final class JitSymbols {
  private final ProcessStatus process;
  private final boolean isJava;
  private final boolean isInOwnRoot;
  private final Path root;
  private Optional<PerfMap> functions = Optional.empty();
  private boolean asked;

  JitSymbols(ProcessStatus process, ProcessMaps maps) {
    this.process = process;
    this.isJava = isJava(maps);
    this.isInOwnRoot = maps.isInOwnRoot();
    // The process's own root leads nowhere once it has ended.
    this.root = isInOwnRoot ? Path.of("/") : maps.root();
  }

  /** Tells whether what a process has mapped makes it look like a Java runtime. */
  private static boolean isJava(ProcessMaps maps) {
    return maps.codeFiles().stream().anyMatch(file -> file.name().endsWith("/libjvm.so"));
  }

  /** Tells whether it is of this process, and not of one that had its number before. */
  boolean isOf(ProcessStatus status, ProcessMaps maps) {
    // A process that becomes another program has other files.
    return process.started().equals(status.started()) && isJava == isJava(maps);
  }

  /** Returns the function that has an address. */
  Optional<Symbol> at(long address, ReadBudget budget, JavaAttach runtimes) {
    if (!asked) {
      asked = true;
      functions = read(budget, runtimes);
    }
    return functions.flatMap(map -> map.at(address));
  }

  /** The directory stays the same one, whatever becomes of its name meanwhile. */
  private Optional<PerfMap> read(ReadBudget budget, JavaAttach runtimes) {
    try (UntrustedPath temporary =
        UntrustedPath.open(root.resolve("tmp"), isInOwnRoot ? Links.FOLLOWED : Links.REFUSED)) {
      return temporary.facts().isDirectory()
          ? read(temporary.path(), budget, runtimes)
          : Optional.empty();
    } catch (IOException e) {
      // No directory of that name, or the process has ended.
      return Optional.empty();
    }
  }

  private Optional<PerfMap> read(Path temporary, ReadBudget budget, JavaAttach runtimes)
      throws IOException {
    Path file = temporary.resolve("perf-" + process.ownPid() + ".map");
    if (!isJava || Files.exists(file, LinkOption.NOFOLLOW_LINKS) || !process.isStillThere()) {
      return PerfMap.read(file, process.user(), budget);
    }
    try {
      return runtimes.writePerfMap(process, temporary)
          ? PerfMap.read(file, process.user(), budget)
          : Optional.empty();
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
