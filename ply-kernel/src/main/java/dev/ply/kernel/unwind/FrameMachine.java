package dev.ply.kernel.unwind;

import java.util.Arrays;
import java.util.Optional;

/** The DWARF register numbers of an instruction set, of those that unwinding tracks. */
enum FrameMachine {
  X86_64(62, 7, 6, 16, 5),
  AARCH64(183, 31, 29, 30, 30);

  private final int machine;
  private final int stackPointer;
  private final int framePointer;
  private final int returnAddress;
  private final int link;

  FrameMachine(int machine, int stackPointer, int framePointer, int returnAddress, int link) {
    this.machine = machine;
    this.stackPointer = stackPointer;
    this.framePointer = framePointer;
    this.returnAddress = returnAddress;
    this.link = link;
  }

  /** Returns the one of an ELF file's {@code e_machine}, if it is supported. */
  static Optional<FrameMachine> of(int machine) {
    return Arrays.stream(values()).filter(one -> one.machine == machine).findFirst();
  }

  int stackPointer() {
    return stackPointer;
  }

  int framePointer() {
    return framePointer;
  }

  /** Returns the column of the return address: on aarch64, the link register. */
  int returnAddress() {
    return returnAddress;
  }

  /** Returns the register that can have the return address. */
  int link() {
    return link;
  }

  /** Returns whether calls leave the return address in a register. */
  boolean hasLinkRegister() {
    return this == AARCH64;
  }
}
