package dev.ply.bpf.unwind;

import dev.ply.machine.Architecture;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Walks a user stack by unwind tables: the meaning of what programs do. Not thread-safe; for one
 * walk.
 */
public final class Unwinder {
  /** The usual maximum number of frames. */
  public static final int MOST_FRAMES = 127;

  /** The bits of an address that pointer authentication leaves alone (aarch64). */
  public static final long ADDRESS_BITS = (1L << 48) - 1;

  private static final int WORD = UnwindRule.WORD;

  private final boolean hasLink;
  private final SignalFrame signalFrame;
  private final List<MappedCode> mappings;
  private final UserMemory memory;
  private final List<Long> addresses = new ArrayList<>();
  private long pc;
  private long sp;
  private long fp;
  private long link;

  /** Whether {@code pc} is what the thread continues with, and not a return address. */
  private boolean isExact = true;

  private Unwinder(Architecture architecture, List<MappedCode> mappings, UserMemory memory) {
    this.hasLink = architecture == Architecture.AARCH64;
    this.signalFrame = SignalFrame.of(hasLink);
    this.mappings = mappings;
    this.memory = memory;
  }

  /** Thrown inside a walk where it ends. */
  private static final class Ended extends Exception {
    private static final long serialVersionUID = 1L;
    private final UnwindEnd end;

    Ended(UnwindEnd end) {
      super(end.name(), null, false, false);
      this.end = end;
    }
  }

  /**
   * Walks a stack.
   *
   * @param architecture x86-64 or aarch64
   * @param mostFrames the maximum number of addresses, a marker included
   */
  public static UnwoundStack unwind(
      Architecture architecture,
      UserRegisters registers,
      List<MappedCode> mappings,
      UserMemory memory,
      int mostFrames) {
    Unwinder unwinder = new Unwinder(architecture, mappings, memory);
    unwinder.pc = registers.pc();
    unwinder.sp = registers.sp();
    unwinder.fp = registers.fp();
    unwinder.link = registers.link();
    return new UnwoundStack(unwinder.addresses, unwinder.walk(mostFrames));
  }

  private UnwindEnd walk(int mostFrames) {
    try {
      while (addresses.size() < mostFrames) {
        addresses.add(pc);
        step();
        if (pc == 0) {
          return UnwindEnd.COMPLETE;
        }
      }
      return UnwindEnd.FULL;
    } catch (Ended e) {
      return addresses.size() < mostFrames || e.end == UnwindEnd.COMPLETE ? e.end : UnwindEnd.FULL;
    }
  }

  private void step() throws Ended {
    long address = isExact ? pc : pc - 1;
    Optional<MappedCode> code = mappings.stream().filter(one -> one.has(address)).findFirst();
    if (code.isEmpty()) {
      throw new Ended(UnwindEnd.NO_MAPPING);
    }
    if (code.get().rules().isEmpty()) {
      byFramePointer();
      return;
    }
    if (!(code.get().rules().get() instanceof UnwindTable table)) {
      throw new Ended(UnwindEnd.UNSUPPORTED);
    }
    UnwindRule rule = table.rule(address - code.get().bias());
    switch (rule.kind()) {
      case MISSING -> throw new Ended(UnwindEnd.NO_TABLE);
      case END -> throw new Ended(UnwindEnd.COMPLETE);
      case UNSUPPORTED -> throw new Ended(UnwindEnd.UNSUPPORTED);
      case SIGNAL -> interrupted();
      case SP -> framed(sp, sp + (long) rule.offset() * WORD, rule.saved());
      case FP -> framed(fp, fp + (long) rule.offset() * WORD, rule.saved());
      case PLT -> framed(sp, sp + ((pc & 15) >= rule.offset() ? 2 * WORD : WORD), 0);
      case FP_INDIRECT -> {
        long cfa = word(fp + (long) rule.offset() * WORD);
        long caller = word(cfa - WORD);
        enter(caller, cfa, word(fp));
      }
      case SP_INDIRECT -> {
        long cfa = word(sp + (long) rule.offset() * WORD) + WORD;
        framed(sp, cfa, rule.saved());
      }
      case SP_LINK -> {
        if (!isExact) {
          throw new Ended(UnwindEnd.UNSUPPORTED);
        }
        move(link, sp + (long) rule.offset() * WORD, fp);
      }
      case SP_LINK_SAVED -> linked(sp + (long) rule.offset() * WORD, rule.saved());
      case FP_LINK_SAVED -> linked(fp + (long) rule.offset() * WORD, rule.saved());
    }
  }

  /** Moves to the caller of a frame that may have saved the frame pointer. */
  private void framed(long register, long cfa, int saved) throws Ended {
    long place = saved == UnwindRule.AT_REGISTER ? register : cfa - (long) saved * WORD;
    long caller = word(hasLink ? place + WORD : cfa - WORD);
    enter(caller, cfa, saved == 0 ? fp : word(place));
  }

  private void linked(long cfa, int saved) throws Ended {
    enter(word(cfa - (long) saved * WORD), cfa, fp);
  }

  /** Moves to the caller of a function with a frame pointer, if it can be one. */
  private void byFramePointer() throws Ended {
    OptionalLong saved = memory.word(fp);
    OptionalLong caller = memory.word(fp + WORD);
    if (Long.compareUnsigned(fp, sp) < 0 || saved.isEmpty() || caller.isEmpty()) {
      throw new Ended(UnwindEnd.NO_TABLE);
    }
    enter(caller.getAsLong(), fp + 2 * WORD, saved.getAsLong());
  }

  /** Moves to what a signal handler interrupted. */
  private void interrupted() throws Ended {
    long frame = sp;
    pc = word(frame + signalFrame.pc());
    sp = word(frame + signalFrame.sp());
    fp = word(frame + signalFrame.fp());
    link = word(frame + signalFrame.link());
    isExact = true;
  }

  private void enter(long caller, long cfa, long callersFrame) throws Ended {
    if (Long.compareUnsigned(cfa, sp) <= 0) {
      throw new Ended(UnwindEnd.UNREADABLE);
    }
    move(caller, cfa, callersFrame);
  }

  /** Moves to the caller. A function whose return address is in a register needs no stack. */
  private void move(long caller, long cfa, long callersFrame) throws Ended {
    if (Long.compareUnsigned(cfa, sp) < 0) {
      throw new Ended(UnwindEnd.UNREADABLE);
    }
    pc = hasLink ? caller & ADDRESS_BITS : caller;
    sp = cfa;
    fp = callersFrame;
    isExact = false;
  }

  private long word(long address) throws Ended {
    OptionalLong word = memory.word(address);
    if (word.isEmpty()) {
      throw new Ended(UnwindEnd.UNREADABLE);
    }
    return word.getAsLong();
  }
}
