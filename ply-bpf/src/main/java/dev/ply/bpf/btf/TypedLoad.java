package dev.ply.bpf.btf;

import dev.ply.type.Type.KernelStruct;

/**
 * What the kernel's verifier takes the result of a load for, where it knows the type of what is
 * loaded from: a member of a structure, an argument of a function.
 */
public sealed interface TypedLoad {
  /** A number. */
  record PlainNumber() implements TypedLoad {}

  /** An address that counts as a number, but is only loaded whole. */
  record PlainAddress() implements TypedLoad {}

  /** The address of a structure, which can be loaded from in turn. */
  record ObjectPointer(KernelStruct target, Mark mark) implements TypedLoad {}

  /**
   * The address of something else in memory, which is no number: of a number, a function, another
   * address, of no type.
   */
  record OtherPointer() implements TypedLoad {}

  /**
   * Nothing: programs that load this are refused.
   *
   * @param reason why, to be continued by nothing
   */
  record Refused(String reason) implements TypedLoad {}

  /** What a kernel's types say of an address, beyond what it is the address of. */
  enum Mark {
    /** Nothing. */
    NONE,
    /** It is in the memory of the process. */
    USER,
    /** It is to be added to a CPU's own offset. */
    PER_CPU,
    /** It is kept valid by RCU, and may be null. */
    RCU,
    /** As valid as the structure that it stands in while RCU is held, which tracing programs do. */
    SAFE_RCU,
    /** The same, or null. */
    SAFE_RCU_OR_NULL,
    /** As valid as the structure that it stands in. */
    SAFE,
    /** The same, or null. */
    SAFE_OR_NULL,
    /** It shares its place in a union with something else. */
    IN_UNION,
    /** An argument that may be null. */
    NULLABLE
  }
}
