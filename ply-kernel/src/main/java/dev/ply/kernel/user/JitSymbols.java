package dev.ply.kernel.user;

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
  private final int pid;
  private final boolean isJava;
  private final Path root;
  private final String fileName;
  private final int owner;
  private final String started;
  private Optional<PerfMap> functions = Optional.empty();
  private boolean asked;

  JitSymbols(ProcessMaps maps) {
    this.pid = maps.pid();
    this.isJava = JavaRuntime.isIn(maps);
    // The process's own root leads nowhere once it has ended.
    this.root = maps.isInOwnRoot() ? Path.of("/") : maps.root();
    this.fileName = "perf-" + ownNumber(pid) + ".map";
    this.owner = owner(pid);
    this.started = started(pid);
  }

  /** Tells whether it is of this process, and not of one that had its number before. */
  boolean isOf(ProcessMaps maps) {
    // A process that becomes another program has other files.
    return started.equals(started(maps.pid())) && isJava == JavaRuntime.isIn(maps);
  }

  /** Returns the function that has an address. */
  Optional<Symbol> at(long address) {
    if (!asked) {
      asked = true;
      functions = read();
    }
    return functions.flatMap(map -> map.at(address));
  }

  private Optional<PerfMap> read() {
    Path file = root.resolve("tmp").resolve(fileName);
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) || !isJava || !started.equals(started(pid))) {
      return PerfMap.read(file, owner);
    }
    JavaRuntime.writePerfMap(pid);
    Optional<PerfMap> written = PerfMap.read(file, owner);
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // The file stays behind, as those of other tools do.
      return written;
    }
    return written;
  }

  /** Returns the number that a process has for itself: that of the innermost namespace. */
  private static String ownNumber(int pid) {
    String line = line(Path.of("/proc/" + pid + "/status"), "NSpid:");
    return line.isEmpty() ? Integer.toString(pid) : line.substring(line.lastIndexOf('\t') + 1);
  }

  private static int owner(int pid) {
    String[] fields = line(Path.of("/proc/" + pid + "/status"), "Uid:").split("\t", -1);
    return fields.length > 2 ? Integer.parseInt(fields[2]) : -1;
  }

  /** Returns when a process was started, by which it is told from others of its number. */
  private static String started(int pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      // Field 22; the name, which may have anything in it, is field 2.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      return fields[19];
    } catch (IOException e) {
      return "";
    }
  }

  private static String line(Path file, String beginning) {
    try {
      return Files.readAllLines(file).stream()
          .filter(line -> line.startsWith(beginning))
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }
}
