package dev.ply.kernel.elf;

/**
 * A section header of an ELF file.
 *
 * @param nameOffset the offset of the name in the section name table
 * @param type {@code sh_type}
 * @param flags {@code sh_flags}
 * @param address the load address, 0 if not loaded
 * @param offset bytes from the file's start
 * @param size in bytes
 * @param link the index of the associated section: a symbol table's string table
 */
record ElfSection(
    int nameOffset, int type, long flags, long address, long offset, long size, int link) {
  private static final int COMPRESSED = 0x800;

  /** The section type without content in the file. */
  private static final int NOBITS = 8;

  /** Returns its size in the file in bytes, at most {@link Long#MAX_VALUE}. */
  long storedSize() {
    return type == NOBITS ? 0 : size < 0 ? Long.MAX_VALUE : size;
  }

  /** Returns whether its content starts with a compression header. */
  boolean isCompressed() {
    return (flags & COMPRESSED) != 0;
  }
}
