package dev.ply.kernel.user;

import dev.ply.target.KernelSymbols.Symbol;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The functions that a runtime has made in a process's memory, as it lists them in a file: a line
 * for each, with address and size in hexadecimal, and the name. perf(1) made the format usual.
 */
final class PerfMap {
  private final TreeMap<Long, Function> functions = new TreeMap<>(Long::compareUnsigned);

  private record Function(long size, String name) {}

  /**
   * Reads a list, if it is there and belongs to who may speak for the process.
   *
   * @param owner the user that the process runs as
   */
  static Optional<PerfMap> read(Path file, int owner) {
    try {
      if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        return Optional.empty();
      }
      int wrote = (Integer) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
      if (wrote != owner && wrote != 0) {
        return Optional.empty();
      }
      PerfMap map = new PerfMap();
      for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
        map.add(line);
      }
      return Optional.of(map);
    } catch (IOException | UnsupportedOperationException e) {
      return Optional.empty();
    }
  }

  /** Of functions at one address, the later is the one that is there now. */
  private void add(String line) {
    int size = line.indexOf(' ');
    int name = line.indexOf(' ', size + 1);
    if (size <= 0 || name < 0) {
      return;
    }
    try {
      functions.put(
          address(line.substring(0, size)),
          new Function(address(line.substring(size + 1, name)), line.substring(name + 1).strip()));
    } catch (NumberFormatException e) {
      // What is no function of this list, others may understand.
      return;
    }
  }

  private static long address(String text) {
    return Long.parseUnsignedLong(text.startsWith("0x") ? text.substring(2) : text, 16);
  }

  /** Returns the function that has an address. */
  Optional<Symbol> at(long address) {
    Map.Entry<Long, Function> before = functions.floorEntry(address);
    return before != null
            && Long.compareUnsigned(address - before.getKey(), before.getValue().size()) < 0
        ? Optional.of(new Symbol(before.getValue().name(), address - before.getKey()))
        : Optional.empty();
  }
}
