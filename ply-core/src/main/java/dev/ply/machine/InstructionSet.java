package dev.ply.machine;

/** The machine code that is decoded. */
public enum InstructionSet {
  /** AMD and Intel, 64 bits. */
  X86_64,
  /** AMD and Intel, 32 bits. */
  I386,
  /** Arm, 64 bits: instructions of 4 bytes. */
  AARCH64
}
