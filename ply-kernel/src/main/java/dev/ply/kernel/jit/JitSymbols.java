package dev.ply.kernel.jit;

import dev.ply.kernel.hotspot.HotSpotMemory;
import dev.ply.kernel.hotspot.HotSpotTables;
import dev.ply.kernel.hotspot.JavaFrames;
import dev.ply.kernel.procfs.ProcessMaps;
import dev.ply.kernel.procfs.ProcessMaps.Mapping;
import dev.ply.kernel.procfs.ProcessStatus;
import dev.ply.kernel.untrusted.Allowance;
import dev.ply.kernel.untrusted.BudgetExceededException;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.untrusted.UntrustedPath;
import dev.ply.kernel.untrusted.UntrustedPath.Links;
import dev.ply.target.KernelSymbols.Symbol;
import dev.ply.target.UserSymbols.Frame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The JIT-compiled functions of a process. Those of a Java runtime are found in its memory;
 * otherwise the perf map is read on first use. A Java runtime that has none, and whose memory
 * cannot be read, is asked to write it, and the file is then removed.
 */
public final class JitSymbols {
  /** The heap size of a frame of a Java runtime, with its part of the names. */
  private static final int FRAME_BYTES = 1 << 10;

  /** A runtime that starts does not tell yet where its code will be. */
  private static final int MOST_LOOKS = 12;

  /** The pause after the first look in ns; each is twice the one before. */
  private static final long PAUSE = 20_000_000;

  private final ProcessStatus process;
  private final Optional<Mapping> library;
  private final ProcessMaps maps;
  private final boolean isInOwnRoot;
  private final Path root;
  private Optional<PerfMap> functions = Optional.empty();
  private Optional<JavaFrames> java = Optional.empty();
  private Optional<Allowance> memory = Optional.empty();
  private boolean asked;
  private int looks;
  private long nextLook = System.nanoTime();

  public JitSymbols(ProcessStatus process, ProcessMaps maps) {
    this.process = process;
    this.library = library(maps);
    this.maps = maps;
    this.isInOwnRoot = maps.isInOwnRoot();
    // The process's root is gone once it has exited.
    this.root = isInOwnRoot ? Path.of("/") : maps.root();
  }

  /** Returns the mapping of libjvm, if this process is a Java runtime. */
  private static Optional<Mapping> library(ProcessMaps maps) {
    return maps.codeFiles().stream().filter(file -> file.name().endsWith("/libjvm.so")).findFirst();
  }

  /** Returns whether the process is a Java runtime. */
  public boolean isJava() {
    return library.isPresent();
  }

  /** Returns the UID of the process. */
  public int user() {
    return process.user();
  }

  /** Returns whether it belongs to this process, and not to an earlier one with its PID. */
  public boolean isOf(ProcessStatus status, ProcessMaps maps) {
    // A child of a runtime shares the runtime's memory until it calls execve(2); then it maps
    // other files, or the same library at another address.
    return process.started().equals(status.started())
        && library.map(Mapping::start).equals(library(maps).map(Mapping::start));
  }

  /** Reads the layout of a Java runtime, the slow part of finding its frames, ahead of time. */
  public void prepare(ReadBudget budget) {
    if (java.isEmpty() && looks < MOST_LOOKS && System.nanoTime() - nextLook >= 0) {
      java = library.flatMap(found -> HotSpotTables.read(maps, found, budget, JavaFrames::of));
      nextLook = System.nanoTime() + (PAUSE << looks);
      looks++;
    }
  }

  /**
   * Returns the frames of code of a Java runtime, the innermost one first; empty if it is none, or
   * its memory cannot be read.
   *
   * @param word an address, or what stands for an interpreted method
   * @param isCaller whether the address is a return address
   */
  public Optional<List<Frame>> javaFrames(long word, boolean isCaller, ReadBudget budget) {
    prepare(budget);
    return java.filter(frames -> frames.has(word))
        .flatMap(frames -> javaFrames(frames, word, isCaller, budget));
  }

  private Optional<List<Frame>> javaFrames(
      JavaFrames frames, long word, boolean isCaller, ReadBudget budget) {
    Optional<List<Frame>> known = frames.known(word, isCaller);
    if (known.isPresent()) {
      return known;
    }
    try (Allowance reading = budget.allowance(process.user() == 0);
        HotSpotMemory memory = HotSpotMemory.open(process.pid())) {
      reading.requireTime();
      boolean isNew = frames.earlier(word, isCaller).isEmpty();
      List<Frame> found = frames.find(memory, word, isCaller);
      if (isNew) {
        claim(frames, found.size(), budget);
      }
      return Optional.of(found);
    } catch (IOException | RuntimeException e) {
      // Ended, or nothing that HotSpot writes.
      return frames.earlier(word, isCaller);
    }
  }

  private void claim(JavaFrames frames, int count, ReadBudget budget) {
    try {
      Allowance claimed = memory.orElseGet(() -> none(budget));
      memory = Optional.of(claimed);
      claimed.claim((long) FRAME_BYTES * count);
    } catch (BudgetExceededException e) {
      frames.forget();
      memory.ifPresent(Allowance::release);
    }
  }

  private Allowance none(ReadBudget budget) {
    try (Allowance claimed = budget.allowance(process.user() == 0)) {
      return claimed;
    }
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
    memory.ifPresent(Allowance::release);
    java.ifPresent(JavaFrames::forget);
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
      if (isJava()) {
        runtimes.missing().add(process.pid(), MissingNames.Reason.ENDED);
      }
      return Optional.empty();
    }
  }

  private Optional<PerfMap> read(Path temporary, ReadBudget budget, JavaAttach runtimes)
      throws IOException {
    Path file = temporary.resolve("perf-" + process.ownPid() + ".map");
    if (library.isEmpty() || java.isPresent() || Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
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
