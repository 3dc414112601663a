package dev.ply.bpf.unwind;

import java.util.List;

/**
 * How to find a frame's caller: its canonical frame address (CFA), the return address and the saved
 * frame pointer. Encoded in 32 bits: the kind in the highest 4, then {@code saved} in 8, then
 * {@code offset} in 20, signed.
 *
 * @param kind what the CFA and the return address are computed from
 * @param offset what is added to the register, in 8-byte words; for {@link Kind#PLT} the offset in
 *     an entry, in bytes, from which on a word more is pushed
 * @param saved how many words below the CFA the caller's frame pointer is saved; 0 if the frame
 *     pointer is still the caller's; {@link #AT_REGISTER} if the register that the CFA is computed
 *     from points to it. For {@link Kind#SP_LINK_SAVED} and {@link Kind#FP_LINK_SAVED} it is the
 *     return address that is saved there
 */
public record UnwindRule(Kind kind, int offset, int saved) {
  /** The largest number of words below the CFA. */
  public static final int MOST_SAVED = 0xfe;

  /**
   * The value of {@code saved} for a frame pointer at the low end of a frame, of any size: that is
   * where compilers for aarch64 save it.
   */
  public static final int AT_REGISTER = 0xff;

  /** The size of a saved register, in bytes. */
  public static final int WORD = 8;

  /** The lowest bit of {@code saved}. */
  public static final int SAVED_SHIFT = 20;

  /** The lowest bit of the kind. */
  public static final int KIND_SHIFT = 28;

  private static final int OFFSET_LIMIT = 1 << (SAVED_SHIFT - 1);

  /** Code without unwind information. */
  public static final UnwindRule MISSING = new UnwindRule(Kind.MISSING, 0, 0);

  /** The outermost function of a thread. */
  public static final UnwindRule END = new UnwindRule(Kind.END, 0, 0);

  /** Code whose rule does not fit any kind. */
  public static final UnwindRule UNSUPPORTED = new UnwindRule(Kind.UNSUPPORTED, 0, 0);

  /** The trampoline that signal handlers return to. */
  public static final UnwindRule SIGNAL = new UnwindRule(Kind.SIGNAL, 0, 0);

  private static final List<Kind> KINDS = List.of(Kind.values());

  /**
   * What the CFA and the return address are computed from. Unless otherwise noted, the return
   * address is the word below the CFA on x86-64, and the word above the saved frame pointer on
   * aarch64.
   */
  public enum Kind {
    /** There is no unwind information. */
    MISSING(0),
    /** There is no caller. */
    END(1),
    /** The rule is an expression, or from a register that is not tracked. */
    UNSUPPORTED(2),
    /** The CFA is relative to the stack pointer. */
    SP(3),
    /** The CFA is relative to the frame pointer. */
    FP(4),
    /** A stub of the procedure linkage table: the CFA depends on the instruction in it. */
    PLT(5),
    /** The interrupted registers are in the kernel's signal frame. */
    SIGNAL(6),
    /** The CFA is stored relative to the frame pointer, the caller's frame pointer at it. */
    FP_INDIRECT(7),
    /** The CFA is a word above the address that is stored relative to the stack pointer. */
    SP_INDIRECT(8),
    /**
     * Relative to the stack pointer, the return address in the link register, or in rdi on x86-64,
     * where vfork(3) keeps it from the child.
     */
    SP_LINK(9),
    /** Relative to the stack pointer, only the return address is saved (aarch64). */
    SP_LINK_SAVED(10),
    /** Relative to the frame pointer, only the return address is saved (aarch64). */
    FP_LINK_SAVED(11);

    private final int number;

    Kind(int number) {
      this.number = number;
    }

    /** Returns the number that rows have. */
    public int number() {
      return number;
    }
  }

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a number does not fit
   */
  public UnwindRule {
    if (!fits(offset, saved)) {
      throw new IllegalArgumentException(kind + " of " + offset + " and " + saved + " words");
    }
  }

  /** Returns whether the numbers of a rule can be encoded. */
  public static boolean fits(long offset, long saved) {
    return offset >= -OFFSET_LIMIT && offset < OFFSET_LIMIT && saved >= 0 && saved <= AT_REGISTER;
  }

  /** Returns the rule as 32 bits. */
  public int encoded() {
    return (kind.number() << KIND_SHIFT)
        | (saved << SAVED_SHIFT)
        | (offset & ((1 << SAVED_SHIFT) - 1));
  }

  /** Returns the rule of 32 bits; of an unknown kind, {@link #UNSUPPORTED}. */
  public static UnwindRule decoded(int bits) {
    int kind = bits >>> KIND_SHIFT;
    if (kind >= KINDS.size()) {
      return UNSUPPORTED;
    }
    int unused = Integer.SIZE - SAVED_SHIFT;
    return new UnwindRule(
        KINDS.get(kind), (bits << unused) >> unused, (bits >>> SAVED_SHIFT) & AT_REGISTER);
  }

  /** Returns the rule as {@code sp+16 fp@-16}: the CFA, and where registers are saved below it. */
  @Override
  public String toString() {
    return switch (kind) {
      case MISSING -> "none";
      case END -> "end";
      case UNSUPPORTED -> "unsupported";
      case SIGNAL -> "signal frame";
      case PLT -> "plt>=" + offset;
      case SP -> relative("sp") + frame();
      case FP -> relative("fp") + frame();
      case FP_INDIRECT -> "[" + relative("fp") + "] fp@[fp]";
      case SP_INDIRECT -> "[" + relative("sp") + "]+8" + frame();
      case SP_LINK -> relative("sp") + " ra in register";
      case SP_LINK_SAVED -> relative("sp") + " ra@-" + saved * WORD;
      case FP_LINK_SAVED -> relative("fp") + " ra@-" + saved * WORD;
    };
  }

  private String relative(String register) {
    return register + (offset < 0 ? "" : "+") + offset * WORD;
  }

  private String frame() {
    return saved == 0 ? "" : " fp@-" + (saved == AT_REGISTER ? offset : saved) * WORD;
  }
}
