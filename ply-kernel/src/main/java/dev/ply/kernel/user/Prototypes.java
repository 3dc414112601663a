package dev.ply.kernel.user;

import dev.ply.kernel.dwarf.DebugInfo;
import dev.ply.kernel.elf.DebugFile;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.untrusted.UntrustedFile;
import dev.ply.target.FunctionPrototype;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads what a file, or its debug file, says of a function. Nothing of the files is kept. */
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
    Optional<FunctionPrototype> own = released(loaded, address.getAsLong(), name);
    if (own.isPresent()) {
      return own;
    }
    Optional<UntrustedFile> debug = DebugFile.of(loaded, loaded.path(), ROOT);
    if (debug.isEmpty()) {
      return Optional.empty();
    }
    try (ElfFile file = ElfFile.of(debug.get())) {
      return released(file, address.getAsLong(), name);
    }
  }

  private static Optional<FunctionPrototype> released(ElfFile debug, long address, String name)
      throws IOException {
    try {
      return DebugInfo.prototype(debug, address, name);
    } finally {
      debug.allowance().release();
    }
  }
}
