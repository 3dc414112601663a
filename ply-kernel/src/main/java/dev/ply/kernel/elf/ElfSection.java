package dev.ply.kernel.elf;

/**
 * A part of an ELF file, as its header describes it.
 *
 * @param nameOffset where the name is in the section of names
 * @param type {@code sh_type}
 * @param address where it is loaded, 0 if it is not
 * @param offset bytes from the file's start
 * @param size in bytes
 * @param link the number of the section that belongs to it: a symbol table's names
 */
record ElfSection(int nameOffset, int type, long address, long offset, long size, int link) {}
