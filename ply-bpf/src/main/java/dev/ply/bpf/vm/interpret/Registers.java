package dev.ply.bpf.vm.interpret;

import static dev.ply.bpf.vm.memory.VmFault.Kind.UNINITIALISED_REGISTER;

import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.HelperSignature;
import dev.ply.bpf.vm.memory.VmFault;

/** Bit sets of initialised registers, and what calls do to them. */
public final class Registers {
  /** r0. */
  public static final int RESULT = 1;

  /** r1 to r5. */
  public static final int ARGUMENTS = 0b11_1110;

  /** r6 to r9. */
  static final int SAVED = 0b11_1100_0000;

  /** r10. */
  public static final int FRAME_POINTER = 1 << 10;

  private Registers() {}

  /**
   * Returns the registers that are initialised at the entry of a program, or of a callback with a
   * number of arguments.
   */
  public static int atEntry(int arguments) {
    return FRAME_POINTER | ((1 << arguments) - 1) << 1;
  }

  /** Returns what is initialised at the entry of a function that is called. */
  public static int inCallee(int caller) {
    return (caller & ARGUMENTS) | FRAME_POINTER;
  }

  /** Returns what is initialised in the caller after a function has returned. */
  public static int afterCall(int caller, int callee) {
    return (callee & RESULT) | (caller & SAVED) | FRAME_POINTER;
  }

  /** Returns what is initialised after a call of a helper. */
  public static int afterHelper(int before, Helper helper) {
    boolean returns = helper.signature().result() != HelperSignature.Result.NOTHING;
    return (before & ~(ARGUMENTS | RESULT)) | (returns ? RESULT : 0);
  }

  /** Returns the fault of reading the first of the missing registers. */
  public static VmFault uninitialised(int missing) {
    int register = Integer.numberOfTrailingZeros(missing);
    String since = register >= 1 && register <= 5 ? " since entry or the last call" : "";
    return new VmFault(UNINITIALISED_REGISTER, "reads r" + register + ", uninitialised" + since);
  }
}
