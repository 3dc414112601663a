package dev.ply.kernel.unwind;

import dev.ply.bpf.unwind.UnwindRule;
import dev.ply.bpf.unwind.UnwindRule.Kind;
import dev.ply.kernel.unwind.SavedRegister.AtCfa;
import dev.ply.kernel.unwind.SavedRegister.AtFramePointer;
import dev.ply.kernel.unwind.SavedRegister.InRegister;
import dev.ply.kernel.unwind.SavedRegister.Unchanged;
import dev.ply.kernel.unwind.SavedRegister.Undefined;

/**
 * The rules that call frame information has for an instruction, of the registers that are tracked.
 *
 * @param frame where the caller's frame pointer is
 * @param link where the return address is
 */
record FrameRules(Cfa cfa, SavedRegister frame, SavedRegister link) {
  /** The rules before any instruction. */
  static final FrameRules NONE =
      new FrameRules(new Cfa.Unknown(), new Unchanged(), new Unchanged());

  FrameRules withCfa(Cfa changed) {
    return new FrameRules(changed, frame, link);
  }

  /** Returns these rules with one of a register, if that is tracked. */
  FrameRules with(long register, SavedRegister where, FrameMachine machine) {
    if (register == machine.framePointer()) {
      return new FrameRules(cfa, where, link);
    }
    return register == machine.returnAddress() ? new FrameRules(cfa, frame, where) : this;
  }

  /**
   * Returns the row's rule.
   *
   * @param isSignalFrame whether the function is marked as one that signal handlers return to
   */
  UnwindRule rule(FrameMachine machine, boolean isSignalFrame) {
    if (isSignalFrame
        && (machine == FrameMachine.AARCH64
            || (cfa instanceof Cfa.Known known && known.kind() == Kind.SIGNAL))) {
      return UnwindRule.SIGNAL;
    }
    if (link instanceof Undefined) {
      return UnwindRule.END;
    }
    return machine.hasLinkRegister() ? ofLinked(machine) : ofPushed(machine);
  }

  /** Returns the rule where calls push the return address. */
  private UnwindRule ofPushed(FrameMachine machine) {
    if (link instanceof InRegister register
        && register.number() == machine.link()
        && isUnchanged(frame)) {
      return ofRegister(machine, Kind.SP_LINK, Kind.UNSUPPORTED, frame);
    }
    if (!(link instanceof AtCfa address) || address.offset() != -UnwindRule.WORD) {
      return UnwindRule.UNSUPPORTED;
    }
    if (cfa instanceof Cfa.Known known) {
      return switch (known.kind()) {
        case PLT -> new UnwindRule(Kind.PLT, known.offset(), 0);
        case FP_INDIRECT ->
            frame instanceof AtFramePointer
                ? new UnwindRule(Kind.FP_INDIRECT, known.offset(), 0)
                : UnwindRule.UNSUPPORTED;
        default -> rule(known.kind(), known.offset() * (long) UnwindRule.WORD, frame);
      };
    }
    return ofRegister(machine, Kind.SP, Kind.FP, frame);
  }

  /** Returns the rule where calls leave the return address in the link register. */
  private UnwindRule ofLinked(FrameMachine machine) {
    if (link instanceof Unchanged && isUnchanged(frame)) {
      return ofRegister(machine, Kind.SP_LINK, Kind.UNSUPPORTED, new Unchanged());
    }
    if (!(link instanceof AtCfa address)) {
      return UnwindRule.UNSUPPORTED;
    }
    if (isUnchanged(frame)) {
      return ofRegister(machine, Kind.SP_LINK_SAVED, Kind.FP_LINK_SAVED, link);
    }
    return frame instanceof AtCfa saved && saved.offset() + UnwindRule.WORD == address.offset()
        ? ofRegister(machine, Kind.SP, Kind.FP, frame)
        : UnwindRule.UNSUPPORTED;
  }

  private static boolean isUnchanged(SavedRegister register) {
    return register instanceof Unchanged || register instanceof Undefined;
  }

  private UnwindRule ofRegister(
      FrameMachine machine, Kind ofStack, Kind ofFrame, SavedRegister saved) {
    if (!(cfa instanceof Cfa.OfRegister base)) {
      return UnwindRule.UNSUPPORTED;
    }
    if (base.register() == machine.stackPointer()) {
      return rule(ofStack, base.offset(), saved);
    }
    return base.register() == machine.framePointer() && ofFrame != Kind.UNSUPPORTED
        ? rule(ofFrame, base.offset(), saved)
        : UnwindRule.UNSUPPORTED;
  }

  /** Returns a rule if its numbers fit. */
  private static UnwindRule rule(Kind kind, long offset, SavedRegister saved) {
    long depth;
    if (isUnchanged(saved)) {
      depth = 0;
    } else if (saved instanceof AtCfa place && place.offset() < 0) {
      depth = -place.offset();
    } else {
      return UnwindRule.UNSUPPORTED;
    }
    if (offset % UnwindRule.WORD != 0 || depth % UnwindRule.WORD != 0) {
      return UnwindRule.UNSUPPORTED;
    }
    long words = offset / UnwindRule.WORD;
    long deep = depth / UnwindRule.WORD;
    if (deep > UnwindRule.MOST_SAVED) {
      // Only a frame pointer can be so deep, in kinds that know it.
      deep = depth == offset && (kind == Kind.SP || kind == Kind.FP) ? UnwindRule.AT_REGISTER : -1;
    }
    return UnwindRule.fits(words, deep)
        ? new UnwindRule(kind, (int) words, (int) deep)
        : UnwindRule.UNSUPPORTED;
  }
}
