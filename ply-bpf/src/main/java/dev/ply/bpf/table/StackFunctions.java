package dev.ply.bpf.table;

import dev.ply.table.Datum;
import dev.ply.target.JavaCode;
import dev.ply.target.JavaCode.Tier;
import dev.ply.target.KernelSymbols;
import dev.ply.target.KernelSymbols.Range;
import dev.ply.target.KernelSymbols.Symbol;
import dev.ply.target.UserSymbols.Frame;
import dev.ply.target.UserSymbols.Location;
import java.util.List;
import java.util.Optional;

/** Stacks without their positions in functions: what makes two of them the same. */
final class StackFunctions {
  private StackFunctions() {}

  /** A function by its name in a file or kernel module; code without a name is its address. */
  private record Function(String name, String module, long address) {}

  /** Returns the functions of a kernel stack: equal if those of two stacks are. */
  static List<?> of(Datum.Stack stack, KernelSymbols symbols) {
    return stack.addresses().stream()
        .map(
            address -> {
              Optional<Range> range = symbols.rangeAt(address);
              return range.isPresent()
                  ? new Function(range.get().name(), range.get().module(), 0)
                  : new Function("", "", address);
            })
        .toList();
  }

  /** Returns the functions of a user stack: equal if those of two stacks are. */
  static List<?> of(Datum.UserStack stack) {
    return stack.frames().stream()
        .map(
            frame ->
                new Function(
                    frame.symbol().map(Symbol::name).orElse(""),
                    frame.binary().orElse(""),
                    frame.symbol().isPresent() ? 0 : frame.address()))
        .toList();
  }

  /** Returns a kernel stack whose addresses are those of the functions. */
  static Datum.Stack begins(Datum.Stack stack, KernelSymbols symbols) {
    return new Datum.Stack(
        stack.id(),
        stack.addresses().stream()
            .map(address -> address - symbols.rangeAt(address).map(Range::offset).orElse(0L))
            .toList(),
        stack.mode());
  }

  /** Returns a user stack whose addresses are those of the functions. */
  static Datum.UserStack begins(Datum.UserStack stack) {
    return new Datum.UserStack(
        stack.process(),
        stack.id(),
        stack.frames().stream().map(StackFunctions::begin).toList(),
        stack.mode());
  }

  /** A stack of functions can stand for one of interpreted and one of compiled methods. */
  private static JavaCode method(JavaCode code) {
    return code.method().isPresent() ? new JavaCode(Tier.ANY, code.method()) : code;
  }

  private static Frame begin(Frame frame) {
    if (frame.symbol().isEmpty()) {
      return frame;
    }
    Symbol symbol = frame.symbol().get();
    return new Frame(
        frame.address() - symbol.offset(),
        Optional.of(new Symbol(symbol.name(), 0, symbol.shown())),
        frame.binary(),
        Location.UNKNOWN,
        frame.path(),
        frame.java().map(StackFunctions::method));
  }
}
