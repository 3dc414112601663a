package dev.ply.kernel.attach;

import dev.ply.target.Architecture;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The numbers of system calls by the names that their tracepoints have, which are those of the
 * kernel's functions: {@code newstat}, not {@code stat}. They are part of the kernel's binary
 * interface, and never change. From {@code arch/x86/entry/syscalls/syscall_64.tbl} up to Linux
 * 6.18; a call that is not listed has no number here.
 */
final class SystemCallTable {
  private static final Map<Architecture, Map<String, Integer>> TABLES = new ConcurrentHashMap<>();

  private SystemCallTable() {}

  static OptionalInt number(Architecture architecture, String name) {
    Integer number = TABLES.computeIfAbsent(architecture, SystemCallTable::read).get(name);
    return number == null ? OptionalInt.empty() : OptionalInt.of(number);
  }

  /** Reads lines of a number and a name. */
  private static Map<String, Integer> read(Architecture architecture) {
    String file = "system-calls." + architecture.canonicalName();
    try (InputStream in = SystemCallTable.class.getResourceAsStream(file)) {
      Map<String, Integer> table = new HashMap<>();
      if (in != null) {
        String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        text.lines()
            .forEach(
                line -> {
                  int space = line.indexOf(' ');
                  table.put(line.substring(space + 1), Integer.valueOf(line.substring(0, space)));
                });
      }
      return Map.copyOf(table);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
