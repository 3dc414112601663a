package dev.ply.bpf.vm.memory;

import dev.ply.diagnostic.SourceSpan;
import java.util.Optional;

/** A run-time fault of a program, such as an access out of bounds. */
public final class VmFault extends RuntimeException {
  private static final long serialVersionUID = 1;
  private static final int UNLOCATED = -1;

  /** The kind of fault. */
  public enum Kind {
    /** Dereferenced null or an address in the first page. */
    NULL_DEREFERENCE,
    /** Accessed an unmapped address. */
    INVALID_ADDRESS,
    /** Accessed bytes outside the object its pointer points to. */
    OUT_OF_BOUNDS,
    /** Wrote to read-only memory. */
    READ_ONLY,
    /** Misaligned atomic operation. */
    MISALIGNED,
    /** Read an uninitialised or clobbered register. */
    UNINITIALISED_REGISTER,
    /** Read uninitialised stack bytes. */
    UNINITIALISED_MEMORY,
    /** Passed an invalid argument to a helper. */
    BAD_ARGUMENT,
    /** Exceeded the step limit. */
    STEP_LIMIT,
    /** Exceeded the maximum call depth of eight frames. */
    CALL_DEPTH,
    /** Exited with an unreleased ring buffer record. */
    UNRELEASED_RECORD,
    /** Ran past the end of the program. */
    END_OF_CODE,
    /** Executed an unsupported instruction or helper. */
    UNSUPPORTED,
    /** Failed to link: undefined labels or maps, virtual registers, writes to r10. */
    MALFORMED
  }

  private final Kind kind;
  private final String reason;
  private final int index;
  private final transient SourceSpan span;

  private VmFault(Kind kind, String reason, int index, SourceSpan span) {
    super(located(reason, index, span));
    this.kind = kind;
    this.reason = reason;
    this.index = index;
    this.span = span;
  }

  /** Creates a fault to be located by {@link #at}. */
  public VmFault(Kind kind, String reason) {
    this(kind, reason, UNLOCATED, SourceSpan.NONE);
  }

  /** Returns this fault at the instruction with {@code index}. */
  public VmFault at(int index, SourceSpan span) {
    VmFault located = new VmFault(kind, reason, index, span);
    located.setStackTrace(getStackTrace());
    return located;
  }

  /** Returns whether the faulting instruction is known. */
  public boolean isLocated() {
    return index != UNLOCATED;
  }

  /** {@return the kind of fault} */
  public Kind kind() {
    return kind;
  }

  /** {@return the message without the position} */
  public String reason() {
    return reason;
  }

  /** {@return the index of the faulting instruction; pseudo-instructions count} */
  public int index() {
    return index;
  }

  /** {@return the source span of the faulting instruction, if known} */
  public Optional<SourceSpan> span() {
    // A deserialised fault has lost its span.
    return span != null && span.isKnown() ? Optional.of(span) : Optional.empty();
  }

  private static String located(String reason, int index, SourceSpan span) {
    String position = index == UNLOCATED ? "" : "instruction " + index + ": ";
    return (span.isKnown() ? span + ": " : "") + position + reason;
  }
}
