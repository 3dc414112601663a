package dev.ply.table;

import dev.ply.binding.ComponentKind;
import dev.ply.binding.Decoded;
import dev.ply.symbol.Demangled;
import dev.ply.target.KernelSymbols;
import dev.ply.target.KernelSymbols.Symbol;
import dev.ply.target.SourceLine;
import dev.ply.target.UserSymbols;
import dev.ply.type.Escapes;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A stack trace of the kernel or of a process.
 *
 * @param frames the frames, innermost first; empty where a thread has no such stack: kernel threads
 *     have no user stack
 * @param isLost whether the kernel could not store the trace; then there are no frames
 */
@Decoded(ComponentKind.STACK)
public record Stack(List<Frame> frames, boolean isLost) {
  private static final Stack LOST = new Stack(List.of(), true);

  /** Copies the frames. */
  public Stack {
    frames = List.copyOf(frames);
  }

  /**
   * A frame of a stack trace. Names are those of files that other users can write: they can contain
   * anything. Frames are equal if address, symbol, offset and module are.
   */
  public static final class Frame {
    private final long address;
    private final Optional<String> symbol;
    private final long offset;
    private final Optional<String> module;
    private final UserSymbols.Location location;

    private Frame(
        long address,
        Optional<String> symbol,
        long offset,
        Optional<String> module,
        UserSymbols.Location location) {
      this.address = address;
      this.symbol = symbol;
      this.offset = offset;
      this.module = module;
      this.location = location;
    }

    /**
     * A frame without source line.
     *
     * @param address of the instruction; of callers, the return address
     * @param symbol the function, a method as the JIT compiler named it; empty if unknown
     * @param offset bytes from the start of the function, 0 if that is unknown
     * @param module the name of the ELF file; empty for the kernel and compiled code
     */
    public Frame(long address, Optional<String> symbol, long offset, Optional<String> module) {
      this(address, symbol, offset, module, UserSymbols.Location.UNKNOWN);
    }

    /** {@return the address of the instruction; of callers, the return address} */
    public long address() {
      return address;
    }

    /**
     * {@return the function as its file names it, a method as the JIT compiler does; empty if
     * unknown}
     */
    public Optional<String> symbol() {
      return symbol;
    }

    /** {@return bytes from the start of the function, 0 if that is unknown} */
    public long offset() {
      return offset;
    }

    /** {@return the name of the ELF file; empty for the kernel and compiled code} */
    public Optional<String> module() {
      return module;
    }

    /**
     * {@return the source line: of the instruction, in a caller's frame of its call; empty for the
     * kernel, methods of JVMs, and files without debug information}
     *
     * <p>The first call for a file reads its line table: in the file itself, or in the debug file
     * that its build ID or debug link names. That takes up to seconds and happens on the calling
     * thread, so a listener should leave it to another. Time and memory are limited for each
     * session; what exceeds them has no lines. Works after the session is closed, as long as the
     * file is unchanged and the process, or one that sees the same files, can still open it.
     */
    public Optional<SourceLine> line() {
      return location.line();
    }

    /**
     * {@return the function, one of C++ or Rust by its name as programmers write it; without a
     * symbol the file, and without both the address}
     */
    public String function() {
      return symbol
          .map(Demangled::text)
          .or(() -> module.map(name -> "[" + name + "]"))
          .orElseGet(() -> "0x" + Long.toHexString(address));
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Frame frame
          && frame.address == address
          && frame.offset == offset
          && frame.symbol.equals(symbol)
          && frame.module.equals(module);
    }

    @Override
    public int hashCode() {
      return Objects.hash(address, symbol, offset, module);
    }

    /** {@return function, offset and file, control characters escaped} */
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
   * @throws IllegalArgumentException if it is not a stack
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
    throw new IllegalArgumentException("not a stack: " + datum);
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
        frame.binary(),
        frame.location());
  }

  /** {@return a line per frame, innermost first; {@code <lost>} if the stack is lost} */
  @Override
  public String toString() {
    return isLost
        ? "<lost>"
        : frames.stream().map(Frame::toString).collect(Collectors.joining("\n"));
  }
}
