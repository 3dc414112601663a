package dev.ply.result;

import dev.ply.target.KernelSymbols;
import dev.ply.target.KernelSymbols.Symbol;
import dev.ply.target.UserSymbols;
import dev.ply.type.Escapes;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A stack trace of the kernel or of a process.
 *
 * @param frames the frames, innermost first; empty where a thread has no such stack: kernel threads
 *     have no user stack
 * @param isLost whether the kernel could not store the trace; then there are no frames
 */
public record Stack(List<Frame> frames, boolean isLost) {
  private static final Stack LOST = new Stack(List.of(), true);

  /**
   * Copies the frames.
   *
   * @param frames the frames, innermost first; empty where a thread has no such stack: kernel
   *     threads have no user stack
   * @param isLost whether the kernel could not store the trace; then there are no frames
   */
  public Stack {
    frames = List.copyOf(frames);
  }

  /**
   * A frame of a stack trace. Names are those of files that other users can write: they can contain
   * anything.
   *
   * @param address of the instruction; of callers, the return address
   * @param symbol the function, a method as the JIT compiler named it; empty if unknown
   * @param offset bytes from the start of the function, 0 if that is unknown
   * @param module the name of the ELF file; empty for the kernel and compiled code
   */
  public record Frame(long address, Optional<String> symbol, long offset, Optional<String> module) {
    /** {@return the function, without a symbol the file, and without both the address} */
    public String function() {
      return symbol
          .or(() -> module.map(name -> "[" + name + "]"))
          .orElseGet(() -> "0x" + Long.toHexString(address));
    }

    /** Returns function, offset and file, control characters escaped. */
    @Override
    public String toString() {
      String shown = offset == 0 ? function() : function() + "+" + offset;
      String file = symbol.isPresent() ? module.map(name -> " (" + name + ")").orElse("") : "";
      return Escapes.escape(shown + file);
    }
  }

  /**
   * {@return a stack with these frames, innermost first}
   *
   * @param frames innermost first
   */
  public static Stack of(List<Frame> frames) {
    return new Stack(frames, false);
  }

  /** {@return the stack that the kernel could not store} */
  public static Stack lost() {
    return LOST;
  }

  /**
   * {@return the stack of a datum, kernel addresses symbolised}
   *
   * @param datum a stack of the kernel or of a process, or a missing one
   * @param symbols those of the kernel it comes from
   * @throws IllegalArgumentException if it is no stack
   */
  public static Stack of(Datum datum, KernelSymbols symbols) {
    if (datum instanceof Datum.Stack stack) {
      return of(stack.addresses().stream().map(address -> frame(address, symbols)).toList());
    }
    if (datum instanceof Datum.UserStack stack) {
      return of(stack.frames().stream().map(Stack::frame).toList());
    }
    if (datum instanceof Datum.MissingStack missing) {
      return missing.reason() == Datum.MissingStack.Reason.LOST ? LOST : of(List.of());
    }
    throw new IllegalArgumentException("this is no stack: " + datum);
  }

  private static Frame frame(long address, KernelSymbols symbols) {
    Optional<KernelSymbols.Range> symbol = symbols.rangeAt(address);
    return new Frame(
        address,
        symbol.map(KernelSymbols.Range::name),
        symbol.map(KernelSymbols.Range::offset).orElse(0L),
        symbol.map(KernelSymbols.Range::module).filter(module -> !module.isEmpty()));
  }

  private static Frame frame(UserSymbols.Frame frame) {
    return new Frame(
        frame.address(),
        frame.symbol().map(Symbol::name),
        frame.symbol().map(Symbol::offset).orElse(0L),
        frame.binary());
  }

  /** Returns a line per frame, innermost first; {@code <lost>} if the stack is lost. */
  @Override
  public String toString() {
    return isLost
        ? "<lost>"
        : frames.stream().map(Frame::toString).collect(Collectors.joining("\n"));
  }
}
