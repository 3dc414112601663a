package dev.ply.lang.events.translate;

import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.MemoryBuiltins;
import dev.ply.builtin.catalog.SymbolBuiltins;
import dev.ply.ir.Expr;
import dev.ply.lang.events.EventDefinition;
import dev.ply.lang.events.EventKind;
import dev.ply.lang.events.EventLocation;
import dev.ply.lang.events.EventSpace;
import dev.ply.lang.events.Fetch;
import dev.ply.lang.events.ProbeError;
import dev.ply.lang.events.Problems;
import dev.ply.lang.events.Problems.Reported;
import dev.ply.lang.events.Registers;
import dev.ply.selector.KernelSelector;
import dev.ply.target.KernelTypes;
import dev.ply.target.Target;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The values that the arguments of one event read, and the addresses they read at. */
final class FetchValues {
  private final EventDefinition event;
  private final EventSpace space;
  private final Target target;
  private final boolean isCall;
  private final long fileOffset;
  private final EntryValues entries;
  private final RecordFields fields;
  private final Problems problems;
  private final Optional<KernelTypes.Function> function;

  /**
   * Creates the values.
   *
   * @param isCall whether the event is at a system call, named by a function of old kernels
   * @param fileOffset where the event is in its file, 0 in the kernel
   */
  FetchValues(
      EventDefinition event,
      EventSpace space,
      Target target,
      boolean isCall,
      long fileOffset,
      EntryValues entries,
      Problems problems) {
    this.event = event;
    this.space = space;
    this.target = target;
    this.isCall = isCall;
    this.fileOffset = fileOffset;
    this.entries = entries;
    this.fields = new RecordFields(event, target, problems);
    this.problems = problems;
    this.function = findFunction();
  }

  private Optional<KernelTypes.Function> findFunction() {
    if (event.location() instanceof EventLocation.Symbol symbol && symbol.offset() == 0) {
      int colon = symbol.name().indexOf(':');
      return target
          .types()
          .function(
              new KernelSelector.Function(
                  colon < 0 ? Optional.empty() : Optional.of(symbol.name().substring(0, colon)),
                  symbol.function()));
    }
    return event.location() instanceof EventLocation.Tracepoint tracepoint
        ? target.types().rawTracepoint(tracepoint.name())
        : Optional.empty();
  }

  /** Returns the probed function, or the tracepoint's, if its types are known. */
  Optional<KernelTypes.Function> function() {
    return function;
  }

  /** Returns the fields of the record. */
  RecordFields fields() {
    return fields;
  }

  /** Returns a parameter, or a member that it leads to. */
  TypedParameter parameter(Nodes nodes, String parameter, List<Fetch.Step> path) throws Reported {
    if (function.isEmpty()) {
      throw problems.error(
          ProbeError.NO_BTF_ENTRY,
          nodes.span(),
          target.types().isKnown()
              ? "the types of "
                  + event.location().text()
                  + " are unknown: $arg1 is its first argument"
              : "this kernel has no type information: $arg1 is the first argument");
    }
    List<KernelTypes.Parameter> known = function.get().parameters();
    int index = known.stream().map(KernelTypes.Parameter::name).toList().indexOf(parameter);
    if (index < 0) {
      throw problems.error(
          ProbeError.NO_BTFARG,
          nodes.span(),
          Problems.nearest(
              parameter,
              known.stream().map(KernelTypes.Parameter::name),
              "the parameters of "
                  + event.location().text()
                  + " are "
                  + String.join(", ", known.stream().map(KernelTypes.Parameter::name).toList())));
    }
    return TypedParameter.of(
        nodes, argument(nodes, index), known.get(index).type(), path, target.types(), problems);
  }

  /** Returns a value in 64 bits. */
  Expr word(Nodes nodes, Fetch value) {
    if (value instanceof Fetch.Register register) {
      if (isCall) {
        return nodes.argument(argumentOf(register).orElseThrow());
      }
      return nodes.register(Registers.member(target.architecture(), register.name()).orElseThrow());
    }
    if (value instanceof Fetch.Field field) {
      return fields.word(nodes, field);
    }
    if (value instanceof Fetch.StackPointer) {
      return nodes.register(Registers.stackPointer(target.architecture()));
    }
    if (value instanceof Fetch.StackEntry entry) {
      return stackEntry(nodes, entry.index());
    }
    if (value instanceof Fetch.ReturnValue) {
      // The kernel's is the register, whatever the function's type.
      Expr whole = new Expr.StringLiteral(ContextBuiltins.WHOLE_REGISTER, nodes.span());
      return nodes.cast("uint64", 0, nodes.call(ContextBuiltins.RETVAL, whole));
    }
    if (value instanceof Fetch.Argument argument) {
      return argument(nodes, argument.number() - 1);
    }
    if (value instanceof Fetch.Immediate immediate) {
      return immediate.value() < 0
          ? nodes.cast("uint64", 0, nodes.number(immediate.value()))
          : new Expr.IntLiteral(immediate.value(), nodes.span());
    }
    if (value instanceof Fetch.Parameter parameter) {
      return nested(parameter);
    }
    if (value.isInMemory()) {
      return nodes.load("uint64", address(nodes, value, false));
    }
    throw new IllegalArgumentException("no number: " + value);
  }

  /** Returns the address that a fetch argument reads, with its address space. */
  Expr address(Nodes nodes, Fetch value, boolean isUser) {
    return address(nodes, isUser || value.isInUserMemory(), bareAddress(nodes, value));
  }

  /** Returns an address with its address space. */
  Expr address(Nodes nodes, boolean isUser, Expr address) {
    if (space == EventSpace.USER || isUser) {
      return nodes.call(MemoryBuiltins.UPTR, address);
    }
    return nodes.call(MemoryBuiltins.ANYPTR, address);
  }

  /** Returns the address that a fetch argument reads, as a number. */
  Expr bareAddress(Nodes nodes, Fetch value) {
    if (value instanceof Fetch.Memory memory) {
      return new Expr.IntLiteral(memory.address(), nodes.span());
    }
    if (value instanceof Fetch.SymbolMemory memory) {
      return nodes.plus(
          nodes.call(SymbolBuiltins.KADDR, nodes.text(memory.symbol())), memory.offset());
    }
    if (value instanceof Fetch.FileMemory memory) {
      return fileAddress(nodes, memory.offset());
    }
    if (value instanceof Fetch.Dereference outer) {
      return nodes.plus(word(nodes, outer.address()), outer.offset());
    }
    return word(nodes, value);
  }

  /** Returns which argument a register has at the entry of a function, from 0. */
  OptionalInt argumentOf(Fetch.Register register) {
    int index =
        Registers.member(target.architecture(), register.name())
            .map(target.architecture().argumentNames()::indexOf)
            .orElse(-1);
    return index < 0 || event.isReturn() ? OptionalInt.empty() : OptionalInt.of(index);
  }

  /** Returns an argument of the function, counted from 0; on its return, what it was. */
  private Expr argument(Nodes nodes, int index) {
    if (event.isReturn()) {
      return entries.value(nodes, index);
    }
    int registers = target.architecture().argumentRegisters();
    return index < registers || event.kind() == EventKind.TRACEPOINT
        ? nodes.argument(index)
        : stackEntry(nodes, index - registers + 1);
  }

  /** Returns a parameter inside of a dereference. */
  private Expr nested(Fetch.Parameter parameter) {
    Nodes nodes = new Nodes(parameter.span());
    try {
      return parameter(nodes, parameter.name(), parameter.path()).word(nodes);
    } catch (Reported e) {
      return nodes.number(0);
    }
  }

  private Expr stackEntry(Nodes nodes, int index) {
    Expr pointer = nodes.register(Registers.stackPointer(target.architecture()));
    return nodes.load("uint64", address(nodes, false, nodes.plus(pointer, 8L * index)));
  }

  /** The file's memory is as far from the probed instruction as it is in the file. */
  private Expr fileAddress(Nodes nodes, long offset) {
    Expr probed =
        event.isReturn()
            ? nodes.call(ContextBuiltins.FUNC_IP)
            : nodes.register(Registers.programCounter(target.architecture()));
    return nodes.plus(probed, offset - fileOffset);
  }
}
