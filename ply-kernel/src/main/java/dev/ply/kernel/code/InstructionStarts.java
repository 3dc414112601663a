package dev.ply.kernel.code;

import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.elf.ElfSymbol;
import dev.ply.machine.Architecture;
import dev.ply.machine.InstructionSet;
import java.io.IOException;
import java.util.Optional;

/**
 * Finds where the instructions of a function start, by decoding from its first byte. A breakpoint
 * in the middle of an instruction changes what the program executes.
 */
public final class InstructionStarts {
  /** Code further from its function's start than this is not decoded. */
  private static final int FURTHEST = 1 << 24;

  /** The size of an instruction of 64-bit Arm in bytes. */
  private static final int ARM_INSTRUCTION = 4;

  /** More bytes than the longest instruction has. */
  private static final int MARGIN = 16;

  private InstructionStarts() {}

  /** The content of a function at an offset. */
  public sealed interface Finding {
    /** An instruction starts there. */
    record Start() implements Finding {}

    /**
     * An instruction covers it.
     *
     * @param start where that instruction starts, in bytes from the function's start
     * @param next where the next one does
     */
    record Inside(long start, long next) implements Finding {}

    /**
     * Data, or instructions that cannot be decoded.
     *
     * @param start where they are, in bytes from the function's start
     */
    record Undecoded(long start) implements Finding {}
  }

  /**
   * Returns what is at an offset of a function; empty on architectures that are not decoded.
   *
   * @param offset bytes from the function's start, not negative
   */
  public static Optional<Finding> at(ElfFile file, ElfSymbol function, long offset)
      throws IOException {
    if (offset == 0) {
      return Optional.of(new Finding.Start());
    }
    Optional<InstructionSet> set = Architecture.instructionSet(file.machine());
    if (set.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        switch (set.get()) {
          case X86_64, I386 ->
              offset > FURTHEST
                  ? new Finding.Undecoded(FURTHEST)
                  : decode(
                      file.code(function.address(), (int) offset + MARGIN),
                      offset,
                      set.get() == InstructionSet.X86_64);
          case AARCH64 -> ofArm(offset);
        });
  }

  private static Finding ofArm(long offset) {
    long start = offset - offset % ARM_INSTRUCTION;
    return start == offset
        ? new Finding.Start()
        : new Finding.Inside(start, start + ARM_INSTRUCTION);
  }

  /** Decodes x86 code from its first byte to an offset. */
  static Finding decode(byte[] code, long offset, boolean is64) {
    int at = 0;
    while (at < offset) {
      int length = X86Length.at(code, at, is64);
      if (length == 0) {
        return new Finding.Undecoded(at);
      }
      if (at + length > offset) {
        return new Finding.Inside(at, at + length);
      }
      at += length;
    }
    return X86Length.at(code, at, is64) == 0 ? new Finding.Undecoded(at) : new Finding.Start();
  }
}
