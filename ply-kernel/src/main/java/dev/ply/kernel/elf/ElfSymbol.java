package dev.ply.kernel.elf;

/**
 * A function or variable of a program or library.
 *
 * @param address as in the ELF file
 * @param size bytes, 0 if unknown
 * @param isIndirect whether it is an indirect function (IFUNC), resolved at load time
 * @param isSuperseded whether it is an old version, kept for programs linked against it
 */
public record ElfSymbol(
    String name, long address, long size, boolean isIndirect, boolean isSuperseded) {}
