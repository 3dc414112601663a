package dev.ply.bpf.vm;

import dev.ply.ir.SourceSpan;
import java.util.Optional;

/** The end of a run by something that no correct program does. */
public final class VmFault extends RuntimeException {
  private static final long serialVersionUID = 1;
  private static final int NOWHERE = -1;

  /** What a program did wrong. */
  public enum Kind {
    /** Dereferenced null, or an address in the first page. */
    NULL_DEREFERENCE,
    /** Accessed an address where nothing is mapped. */
    INVALID_ADDRESS,
    /** Accessed bytes outside the object its pointer points to. */
    OUT_OF_BOUNDS,
    /** Wrote to memory that may only be read. */
    READ_ONLY,
    /** Operated atomically on an address that is not a multiple of the size. */
    MISALIGNED,
    /** Read a register that nothing wrote, or that a call destroyed. */
    UNINITIALISED_REGISTER,
    /** Read stack bytes that nothing wrote. */
    UNINITIALISED_MEMORY,
    /** Called a helper with an argument it does not take. */
    BAD_ARGUMENT,
    /** Executed more instructions than the limit. */
    STEP_LIMIT,
    /** Nested local calls deeper than eight frames. */
    CALL_DEPTH,
    /** Ended without submitting or discarding a reserved record. */
    UNRELEASED_RECORD,
    /** Ran past the last instruction. */
    END_OF_CODE,
    /** Executed an instruction or helper that this machine does not have. */
    UNSUPPORTED,
    /** Could not be linked: unknown labels or maps, virtual registers, writes to r10. */
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

  /** Creates a fault whose place is still to be told by {@link #at}. */
  VmFault(Kind kind, String reason) {
    this(kind, reason, NOWHERE, SourceSpan.NONE);
  }

  /** Returns this fault as one of the instruction at {@code index}. */
  VmFault at(int index, SourceSpan span) {
    VmFault located = new VmFault(kind, reason, index, span);
    located.setStackTrace(getStackTrace());
    return located;
  }

  /** Returns whether the fault has its place. */
  boolean isLocated() {
    return index != NOWHERE;
  }

  /** Returns what went wrong. */
  public Kind kind() {
    return kind;
  }

  /** Returns what went wrong in words, without the place. */
  public String reason() {
    return reason;
  }

  /** Returns the faulting instruction's index in the program's list, marks counted. */
  public int index() {
    return index;
  }

  /** Returns the piece of source that the faulting instruction comes from, if a mark tells it. */
  public Optional<SourceSpan> span() {
    // A deserialised fault has lost its span.
    return span != null && span.isKnown() ? Optional.of(span) : Optional.empty();
  }

  private static String located(String reason, int index, SourceSpan span) {
    String place = index == NOWHERE ? "" : "instruction " + index + ": ";
    return (span.isKnown() ? span + ": " : "") + place + reason;
  }
}
