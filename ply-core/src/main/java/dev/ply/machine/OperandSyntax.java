package dev.ply.machine;

/** How the operands of USDT arguments are written: as an assembler does. */
public enum OperandSyntax {
  /** {@code -8(%rbp)}, as on x86. */
  ATT,
  /** {@code [sp, 8]}, as on 64-bit Arm. */
  ARM,
  /** Not known: no argument is read. */
  UNKNOWN
}
