package dev.ply.kernel.user;

import dev.ply.ir.TypeName;
import dev.ply.kernel.dwarf.DebugInfo;
import dev.ply.kernel.elf.DebugFile;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.untrusted.UntrustedFile;
import dev.ply.target.FunctionPrototype;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads what a file, or its debug file, says of functions. Memory of the results alone stays
 * claimed.
 */
final class Prototypes {
  private static final Path ROOT = Path.of("/");

  private Prototypes() {}

  /**
   * Returns the parameters of the function that begins at an offset of a file.
   *
   * @param name of its symbol
   * @throws IOException if the debug information is damaged, or too much for the file's allowance
   */
  static Optional<FunctionPrototype> read(ElfFile loaded, long offset, String name)
      throws IOException {
    OptionalLong address = loaded.address(offset);
    if (address.isEmpty()) {
      return Optional.empty();
    }
    Reader<Optional<FunctionPrototype>> reader =
        file -> DebugInfo.prototype(file, address.getAsLong(), name);
    Optional<FunctionPrototype> own = released(loaded, reader);
    return own.isPresent() ? own : ofDebugFile(loaded, reader).flatMap(found -> found);
  }

  /**
   * Returns the types of the numbers and addresses that functions return, by the functions' offsets
   * in the file.
   *
   * @param functions the names of their symbols by their offsets
   * @throws IOException if the debug information is damaged, or too much for the file's allowance
   */
  static Map<Long, TypeName> results(ElfFile loaded, Map<Long, String> functions)
      throws IOException {
    return byOffset(loaded, functions, DebugInfo::results);
  }

  /**
   * Returns how functions are declared, by their offsets in the file: the parameters, and as the
   * last the type of the result.
   *
   * @param functions the names of their symbols by their offsets
   * @throws IOException if the debug information is damaged, or too much for the file's allowance
   */
  static Map<Long, List<String>> declarations(ElfFile loaded, Map<Long, String> functions)
      throws IOException {
    return byOffset(loaded, functions, DebugInfo::declarations);
  }

  /** Reads something of functions by their addresses. */
  private interface FunctionReader<T> {
    Map<Long, T> read(ElfFile debug, Map<Long, String> functions) throws IOException;
  }

  private static <T> Map<Long, T> byOffset(
      ElfFile loaded, Map<Long, String> functions, FunctionReader<T> functionReader)
      throws IOException {
    Map<Long, Long> offsets = new HashMap<>();
    Map<Long, String> byAddress = new HashMap<>();
    functions.forEach(
        (offset, name) ->
            loaded
                .address(offset)
                .ifPresent(
                    address -> {
                      offsets.put(address, offset);
                      byAddress.put(address, name);
                    }));
    Reader<Map<Long, T>> reader = file -> functionReader.read(file, byAddress);
    Map<Long, T> own = released(loaded, reader);
    Map<Long, T> found = own.isEmpty() ? ofDebugFile(loaded, reader).orElse(Map.of()) : own;
    Map<Long, T> results = new HashMap<>();
    found.forEach(
        (address, value) -> results.put(Objects.requireNonNull(offsets.get(address)), value));
    return results;
  }

  /** Reads something from a file's debug information. */
  private interface Reader<T> {
    T read(ElfFile debug) throws IOException;
  }

  private static <T> Optional<T> ofDebugFile(ElfFile loaded, Reader<T> reader) throws IOException {
    Optional<UntrustedFile> debug = DebugFile.of(loaded, loaded.path(), ROOT);
    if (debug.isEmpty()) {
      return Optional.empty();
    }
    try (ElfFile file = ElfFile.of(debug.get())) {
      return Optional.of(released(file, reader));
    }
  }

  private static <T> T released(ElfFile debug, Reader<T> reader) throws IOException {
    try {
      return reader.read(debug);
    } finally {
      debug.allowance().releaseRead();
    }
  }
}
