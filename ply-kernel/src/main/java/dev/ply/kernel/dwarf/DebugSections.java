package dev.ply.kernel.dwarf;

import dev.ply.kernel.elf.DebugSection;
import dev.ply.kernel.elf.ElfFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The sections that descriptions of functions and types are in.
 *
 * @param info {@code .debug_info}, and after it {@code .debug_types} of DWARF 4
 * @param abbreviations {@code .debug_abbrev}
 * @param strings {@code .debug_str}
 * @param lineStrings {@code .debug_line_str}
 * @param stringOffsets {@code .debug_str_offsets}
 * @param addresses {@code .debug_addr}
 * @param typeUnits where the types are that units of their own describe
 */
record DebugSections(
    ByteBuffer info,
    ByteBuffer abbreviations,
    ByteBuffer strings,
    ByteBuffer lineStrings,
    ByteBuffer stringOffsets,
    ByteBuffer addresses,
    TypeUnits typeUnits) {
  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  /** Reads the sections of a file; empty if it has no descriptions. */
  static Optional<DebugSections> read(ElfFile file) throws IOException {
    Optional<ByteBuffer> info = DebugSection.read(file, ".debug_info");
    if (info.isEmpty()) {
      return Optional.empty();
    }
    ByteBuffer types = section(file, ".debug_types");
    ByteBuffer all = info.get();
    if (types.limit() > 0) {
      file.allowance().claim((long) all.limit() + types.limit());
      all = ByteBuffer.allocate(all.limit() + types.limit()).order(all.order());
      all.put(info.get().duplicate().rewind()).put(types.duplicate().rewind()).rewind();
      file.allowance().release((long) info.get().limit() + types.limit());
    }
    return Optional.of(
        new DebugSections(
            all,
            section(file, ".debug_abbrev"),
            section(file, ".debug_str"),
            section(file, ".debug_line_str"),
            section(file, ".debug_str_offsets"),
            section(file, ".debug_addr"),
            TypeUnits.read(all, info.get().limit(), file.allowance())));
  }

  private static ByteBuffer section(ElfFile file, String name) throws IOException {
    return DebugSection.read(file, name).orElse(NONE);
  }
}
