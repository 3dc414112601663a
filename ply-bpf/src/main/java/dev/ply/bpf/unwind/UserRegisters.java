package dev.ply.bpf.unwind;

/**
 * The registers of a thread that a walk starts with.
 *
 * @param pc the instruction that it continues with
 * @param sp the stack pointer
 * @param fp the frame pointer: rbp, x29
 * @param link the register that can have the return address: the link register x30, or rdi
 */
public record UserRegisters(long pc, long sp, long fp, long link) {}
