package dev.ply.bpf.btf;

import dev.ply.type.Type.KernelStruct;

/**
 * The verifier's type of a load through a typed pointer: of a structure's member, or a function's
 * argument.
 */
public sealed interface TypedLoad {
  /** A number. */
  record PlainNumber() implements TypedLoad {}

  /** An address that the verifier treats as a number, but only loads whole. */
  record PlainAddress() implements TypedLoad {}

  /** A pointer to a structure, which can be loaded from in turn. */
  record ObjectPointer(KernelStruct target, Mark mark) implements TypedLoad {}

  /** A pointer to something else: a number, a function, a pointer, void. */
  record OtherPointer() implements TypedLoad {}

  /**
   * A load that the verifier rejects.
   *
   * @param reason the reason, a complete clause
   */
  record Refused(String reason) implements TypedLoad {}

  /** Facts about a pointer from its type, besides the target. */
  enum Mark {
    /** Nothing. */
    NONE,
    /** User memory. */
    USER,
    /** A per-CPU address, relative to a CPU's offset. */
    PER_CPU,
    /** Protected by RCU, can be null. */
    RCU,
    /** As valid as the structure that contains it, inside an RCU section as in tracing programs. */
    SAFE_RCU,
    /** The same, or null. */
    SAFE_RCU_OR_NULL,
    /** As valid as the structure that contains it. */
    SAFE,
    /** The same, or null. */
    SAFE_OR_NULL,
    /** A member of a union. */
    IN_UNION,
    /** An argument that can be null. */
    NULLABLE
  }
}
