package dev.ply.machine;

/**
 * How a kernel marks a thread that is in a system call of a program with other numbers: 32-bit
 * programs on a 64-bit kernel.
 *
 * @param mask a bit of a word in {@code task_struct}
 * @param firstOffset of that word in bytes, on the oldest kernels
 * @param moved the kernel from which it is elsewhere
 * @param offset of that word in bytes from then on
 */
public record ForeignStatus(int mask, int firstOffset, KernelVersion moved, int offset) {}
