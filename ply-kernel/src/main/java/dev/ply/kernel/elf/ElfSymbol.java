package dev.ply.kernel.elf;

/**
 * A function of a program or library.
 *
 * @param address as the file's own tables give it
 * @param size bytes, 0 where the file does not tell
 * @param isIndirect whether it is none itself but chooses one when the program starts
 * @param isSuperseded whether it is only there for programs that were linked with an older version
 *     of the library
 */
public record ElfSymbol(
    String name, long address, long size, boolean isIndirect, boolean isSuperseded) {}
