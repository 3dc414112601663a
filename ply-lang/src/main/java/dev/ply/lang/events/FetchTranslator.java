package dev.ply.lang.events;

import dev.ply.builtin.ContextBuiltins;
import dev.ply.builtin.MemoryBuiltins;
import dev.ply.builtin.SymbolBuiltins;
import dev.ply.builtin.ThreadBuiltins;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.KernelSelector;
import dev.ply.ir.UnaryOp;
import dev.ply.lang.events.EventField.FilterValue;
import dev.ply.lang.events.EventField.Format;
import dev.ply.lang.events.FetchType.BitField;
import dev.ply.lang.events.FetchType.Named;
import dev.ply.lang.events.Problems.Reported;
import dev.ply.target.KernelTypes;
import dev.ply.target.Target;
import dev.ply.target.TracepointFormat;
import dev.ply.type.IntFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.VoidType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Translates the arguments of one event to expressions. */
final class FetchTranslator {
  /** The bytes of a string with its NUL; the kernel reads up to 4096. */
  private static final int STRING = 512;

  private final EventDefinition event;
  private final EventSpace space;
  private final Target target;
  private final EventSyntax syntax;
  private final boolean isCall;
  private final long fileOffset;
  private final EntryValues entries;
  private final Problems problems;
  private final Optional<KernelTypes.Function> function;

  /**
   * Creates a translator.
   *
   * @param isCall whether the event is at a system call, named by a function of old kernels
   * @param fileOffset where the event is in its file, 0 in the kernel
   */
  FetchTranslator(
      EventDefinition event,
      EventSpace space,
      Target target,
      EventSyntax syntax,
      boolean isCall,
      long fileOffset,
      EntryValues entries,
      Problems problems) {
    this.event = event;
    this.space = space;
    this.target = target;
    this.syntax = syntax;
    this.isCall = isCall;
    this.fileOffset = fileOffset;
    this.entries = entries;
    this.problems = problems;
    this.function = function();
  }

  private Optional<KernelTypes.Function> function() {
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

  /** Translates all arguments; those with errors are left out. */
  List<EventField> fields() {
    List<EventField> fields = new ArrayList<>();
    int number = 0;
    for (FetchArgument argument : event.arguments()) {
      number++;
      try {
        if (argument.value() instanceof Fetch.AllArguments) {
          FetchArgument each = argument.withoutType();
          for (KernelTypes.Parameter parameter : parameters(argument)) {
            fields.add(parameter(each, parameter.name(), List.of(), parameter.name()));
          }
          number = fields.size();
        } else {
          fields.add(field(argument, number));
        }
      } catch (Reported e) {
        // The script is not run.
      }
    }
    return fields;
  }

  private List<KernelTypes.Parameter> parameters(FetchArgument argument) throws Reported {
    if (function.isEmpty() || function.get().parameters().isEmpty()) {
      throw problems.error(
          ProbeError.NOSUP_BTFARG, argument.span(), "nothing is known of its arguments");
    }
    return function.get().parameters();
  }

  private EventField field(FetchArgument argument, int number) throws Reported {
    Fetch value = argument.value();
    // With another name, it is a register.
    boolean isUnnamed = argument.name().isEmpty() && syntax.hasParameters();
    if (value instanceof Fetch.Argument numbered && isUnnamed && function.isPresent()) {
      List<KernelTypes.Parameter> known = function.get().parameters();
      if (!known.isEmpty() && numbered.number() > known.size()) {
        throw problems.error(
            ProbeError.NO_BTFARG,
            argument.span(),
            event.location().text() + " has " + known.size() + " arguments");
      }
      if (!known.isEmpty() && !known.get(numbered.number() - 1).name().isEmpty()) {
        String name = known.get(numbered.number() - 1).name();
        return parameter(argument, name, List.of(), name);
      }
    }
    if (value instanceof Fetch.Parameter parameter) {
      String name =
          argument.name().orElse(parameter.path().isEmpty() ? parameter.name() : "arg" + number);
      return parameter(argument, parameter.name(), parameter.path(), name);
    }
    String name = argument.name().orElse("arg" + number);
    if (value instanceof Fetch.ReturnValue result
        && space == EventSpace.KERNEL
        && (syntax.hasMembers() || !result.path().isEmpty())
        && function.isPresent()) {
      return result(argument, result, name);
    }
    if (value instanceof Fetch.ReturnValue result && !result.path().isEmpty()) {
      throw problems.error(
          ProbeError.NO_BTF_ENTRY, argument.span(), "the type of its result is unknown");
    }
    return plain(argument, name);
  }

  private EventField result(FetchArgument argument, Fetch.ReturnValue value, String name)
      throws Reported {
    Type type = function.orElseThrow().result();
    if (type instanceof VoidType) {
      throw problems.error(
          ProbeError.NO_RETVAL, argument.span(), event.location().text() + " returns nothing");
    }
    Nodes nodes = new Nodes(argument.span());
    return typed(
        argument,
        TypedParameter.of(
            nodes,
            nodes.call(ContextBuiltins.RETVAL),
            type,
            value.path(),
            target.types(),
            problems),
        name);
  }

  private EventField parameter(
      FetchArgument argument, String parameter, List<Fetch.Step> path, String name)
      throws Reported {
    if (function.isEmpty()) {
      throw problems.error(
          ProbeError.NO_BTF_ENTRY,
          argument.span(),
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
          argument.span(),
          Problems.nearest(
              parameter,
              known.stream().map(KernelTypes.Parameter::name),
              "the parameters of "
                  + event.location().text()
                  + " are "
                  + String.join(", ", known.stream().map(KernelTypes.Parameter::name).toList())));
    }
    Nodes nodes = new Nodes(argument.span());
    return typed(
        argument,
        TypedParameter.of(
            nodes, argument(nodes, index), known.get(index).type(), path, target.types(), problems),
        name);
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

  private EventField typed(FetchArgument argument, TypedParameter value, String name)
      throws Reported {
    Nodes nodes = new Nodes(argument.span());
    Optional<FetchType> type = argument.type();
    if (type.isEmpty() && argument.count().isEmpty()) {
      boolean isNumber = value.type().isScalar();
      Expr shown = isNumber ? value.value() : word(nodes, value);
      return one(name, value.format(), shown);
    }
    if (type.isPresent() && type.get() instanceof Named named && named.isString()) {
      if (!value.isText() && !(value.type() instanceof Type.IntType)) {
        throw problems.error(
            ProbeError.BAD_TYPE4STR, argument.span(), "this is " + value.type().withArticle());
      }
      Expr address = address(nodes, named == Named.USTRING, start(nodes, value));
      return string(nodes, name, address);
    }
    if (argument.count().isPresent()) {
      return array(argument, nodes, name, word(nodes, value), false);
    }
    return of(argument, nodes, name, word(nodes, value));
  }

  /** Returns the address of a string: a pointer's value, or where an array is. */
  private static Expr start(Nodes nodes, TypedParameter value) {
    return value.type() instanceof ArrayType
        ? nodes.unary(UnaryOp.ADDRESS_OF, value.value())
        : value.value();
  }

  private static Expr word(Nodes nodes, TypedParameter value) {
    boolean isScalar = value.type().isScalar();
    Expr number = isScalar ? value.value() : nodes.unary(UnaryOp.ADDRESS_OF, value.value());
    return nodes.cast("uint64", 0, number);
  }

  private EventField plain(FetchArgument argument, String name) throws Reported {
    Nodes nodes = new Nodes(argument.span());
    Fetch value = argument.value();
    boolean isText =
        argument.count().isEmpty()
            && argument.type().filter(one -> one instanceof Named n && n.isString()).isPresent();
    if (value instanceof Fetch.Field field && isText) {
      return text(nodes, name, field);
    }
    if (isText && (value instanceof Fetch.Argument || value instanceof Fetch.ReturnValue)) {
      String register =
          value instanceof Fetch.Argument numbered ? "$arg" + numbered.number() : "$retval";
      throw problems.error(
          ProbeError.BAD_STRING,
          nodes.span(),
          "a string is at an address: +0(" + register + "):string");
    }
    checkFields(nodes, value);
    checkCall(nodes, value);
    if (value instanceof Fetch.ThreadName) {
      Expr comm = nodes.call(ThreadBuiltins.COMM);
      return new EventField(name, Format.STRING, List.of(comm), false, new FilterValue(comm, true));
    }
    if (value instanceof Fetch.ImmediateString string) {
      Expr text = nodes.text(string.value());
      return new EventField(name, Format.STRING, List.of(text), false, new FilterValue(text, true));
    }
    FetchType type = argument.type().orElse(Named.X64);
    if (type instanceof Named named && named.isString() && argument.count().isEmpty()) {
      return string(nodes, name, address(nodes, value, named == Named.USTRING));
    }
    if (argument.count().isPresent()) {
      return array(argument, nodes, name, bareAddress(nodes, value), isUser(value));
    }
    if (!value.isInMemory()) {
      return of(argument, nodes, name, word(nodes, value));
    }
    if (type instanceof Named named && named.bits() == 0) {
      return of(argument, nodes, name, word(nodes, value));
    }
    int bits = type instanceof BitField field ? field.container() : ((Named) type).bits();
    return shown(
        nodes, name, type, List.of(loaded(nodes, type, bits, address(nodes, value, false))), false);
  }

  /** Returns the string in a field: the characters, or what an address or a place leads to. */
  private EventField text(Nodes nodes, String name, Fetch.Field field) throws Reported {
    TracepointFormat.Field known = field(nodes, field);
    Expr value = nodes.member(nodes.call(ContextBuiltins.DATA), true, field.name());
    if (!isString(known)) {
      return string(nodes, name, nodes.call(MemoryBuiltins.ANYPTR, word(nodes, field)));
    }
    boolean isDynamic = !(known.type() instanceof ArrayType);
    Expr text = isDynamic ? nodes.call(MemoryBuiltins.DYN, value) : value;
    return new EventField(name, Format.STRING, List.of(text), false, new FilterValue(text, true));
  }

  /** Returns whether a field is a string in the record. */
  private static boolean isString(TracepointFormat.Field field) {
    return field.type() instanceof ArrayType array
        ? array.element() instanceof Type.IntType character && character.bytes() == 1
        : field.type() instanceof Type.IntType word && word.format() == IntFormat.DATA_LOCATION;
  }

  /** Arguments of system calls occupy a word each, whatever their type. */
  private boolean isWord(TracepointFormat.Field field) {
    EventLocation.Event place = (EventLocation.Event) event.location();
    return place.category().equals("syscalls")
        && place.name().startsWith("sys_enter_")
        && !field.name().equals("__syscall_nr");
  }

  private TracepointFormat.Field field(Nodes nodes, Fetch.Field field) throws Reported {
    EventLocation.Event place = (EventLocation.Event) event.location();
    List<TracepointFormat.Field> fields =
        target.tracepoints().find(place.category(), place.name()).stream()
            .flatMap(format -> format.fields().stream())
            .toList();
    return fields.stream()
        .filter(one -> one.name().equals(field.name()))
        .findFirst()
        .orElseThrow(
            () ->
                problems.error(
                    ProbeError.BAD_VAR,
                    nodes.span(),
                    Problems.nearest(
                        field.name(),
                        fields.stream().map(TracepointFormat.Field::name),
                        place.text()
                            + " has "
                            + String.join(
                                ", ",
                                fields.stream().map(TracepointFormat.Field::name).toList()))));
  }

  /** Checks that the event has the fields that an argument reads. */
  private void checkFields(Nodes nodes, Fetch value) throws Reported {
    if (value instanceof Fetch.Field field) {
      TracepointFormat.Field known = field(nodes, field);
      if (known.type() instanceof ArrayType || isString(known)) {
        throw problems.error(
            nodes.span(),
            "programs do not see where the record has $" + field.name(),
            "its value is $" + field.name() + ":string, if it is a string");
      }
    } else if (value instanceof Fetch.Dereference outer) {
      checkFields(nodes, outer.address());
    }
  }

  /** Of a system call, programs see the arguments and the result, but no registers. */
  private void checkCall(Nodes nodes, Fetch value) throws Reported {
    if (value instanceof Fetch.Dereference outer) {
      checkCall(nodes, outer.address());
    }
    boolean isRegister =
        value instanceof Fetch.StackPointer
            || value instanceof Fetch.StackEntry
            || (value instanceof Fetch.Register register && argumentOf(register).isEmpty());
    if (isCall && isRegister) {
      throw problems.error(
          nodes.span(),
          event.location().text() + " is a system call here: only its arguments are known",
          "its arguments are $arg1 to $arg6");
    }
  }

  /** Returns which argument a register has at the entry of a function, from 0. */
  private OptionalInt argumentOf(Fetch.Register register) {
    int index =
        Registers.member(target.architecture(), register.name())
            .map(target.architecture().argumentNames()::indexOf)
            .orElse(-1);
    return index < 0 || event.isReturn() ? OptionalInt.empty() : OptionalInt.of(index);
  }

  private static Expr loaded(Nodes nodes, FetchType type, int bits, Expr address) {
    boolean isSigned = type.text().startsWith("s") && bits > 0 && !type.text().startsWith("sy");
    return nodes.load(Nodes.integer(bits, isSigned), address);
  }

  /** Returns a word in a type: its low bits, an address, or the name of what is there. */
  private EventField of(FetchArgument argument, Nodes nodes, String name, Expr word) {
    FetchType type = argument.type().orElse(Named.X64);
    if (type == Named.DENTRY_NAME) {
      return string(nodes, name, nodes.call(MemoryBuiltins.KPTR, dentryName(nodes, word)));
    }
    if (type == Named.FILE_NAME) {
      Expr path = nodes.member(nodes.cast("struct file", 1, word), true, "f_path");
      Expr dentry = nodes.member(path, false, "dentry");
      Expr text = nodes.member(nodes.member(dentry, true, "d_name"), false, "name");
      return string(nodes, name, nodes.call(MemoryBuiltins.KPTR, text));
    }
    int bits = type instanceof BitField field ? field.container() : ((Named) type).bits();
    boolean isSigned = type instanceof Named && type.text().matches("s\\d+");
    boolean isWord = bits == Long.SIZE && !isSigned;
    Expr value = isWord ? word : nodes.cast(Nodes.integer(bits, isSigned), 0, word);
    return shown(nodes, name, type, List.of(value), false);
  }

  private static Expr dentryName(Nodes nodes, Expr dentry) {
    Expr name = nodes.member(nodes.cast("struct dentry", 1, dentry), true, "d_name");
    return nodes.member(name, false, "name");
  }

  private EventField array(
      FetchArgument argument, Nodes nodes, String name, Expr start, boolean isUser) {
    FetchType type = argument.type().orElse(Named.X64);
    boolean isString = type instanceof Named named && named.isString();
    int bits =
        isString
            ? Long.SIZE
            : type instanceof BitField field ? field.container() : ((Named) type).bits();
    List<Expr> elements = new ArrayList<>();
    for (int i = 0; i < argument.count().orElse(1); i++) {
      Expr at = address(nodes, isUser, nodes.plus(start, (long) i * bits / Byte.SIZE));
      Expr value = loaded(nodes, type, bits, at);
      elements.add(
          isString
              ? nodes.quoted(
                  address(nodes, type == Named.USTRING, nodes.load("uint64", at)), STRING)
              : value);
    }
    return isString
        ? new EventField(
            name, Format.QUOTED, elements, true, new FilterValue(nodes.number(0), false))
        : shown(nodes, name, type, elements, true);
  }

  private static EventField string(Nodes nodes, String name, Expr address) {
    return new EventField(
        name,
        Format.QUOTED,
        List.of(nodes.quoted(address, STRING)),
        false,
        new FilterValue(nodes.call(MemoryBuiltins.STR, address, nodes.number(STRING)), true));
  }

  private static EventField one(String name, Format format, Expr value) {
    return new EventField(
        name, format, List.of(value), false, new FilterValue(value, format.isText()));
  }

  private static EventField shown(
      Nodes nodes, String name, FetchType type, List<Expr> values, boolean isArray) {
    List<Expr> shown =
        type instanceof BitField bits
            ? values.stream().map(value -> bits(nodes, bits, value)).toList()
            : values;
    return new EventField(name, format(type), shown, isArray, new FilterValue(shown.get(0), false));
  }

  private static Expr bits(Nodes nodes, BitField field, Expr value) {
    Expr shifted =
        field.offset() == 0
            ? value
            : nodes.binary(BinaryOp.SHR, value, nodes.number(field.offset()));
    boolean isTop = field.offset() + field.width() == field.container();
    return isTop
        ? shifted
        : nodes.binary(BinaryOp.AND, shifted, nodes.number((1L << field.width()) - 1));
  }

  private static Format format(FetchType type) {
    if (!(type instanceof Named named)) {
      return Format.UNSIGNED;
    }
    return switch (named) {
      case U8, U16, U32, U64 -> Format.UNSIGNED;
      case S8, S16, S32, S64 -> Format.SIGNED;
      case X8, X16, X32, X64 -> Format.HEX;
      case CHAR -> Format.CHARACTER;
      case SYMBOL -> Format.SYMBOL;
      case SYMSTR -> Format.SYMBOL_STRING;
      case STRING, USTRING, DENTRY_NAME, FILE_NAME -> Format.QUOTED;
    };
  }

  private Expr word(Nodes nodes, Fetch.Field field) {
    Expr member = nodes.member(nodes.call(ContextBuiltins.DATA), true, field.name());
    EventLocation.Event place = (EventLocation.Event) event.location();
    Optional<Type.IntType> narrow =
        target
            .tracepoints()
            .find(place.category(), place.name())
            .flatMap(format -> format.field(field.name()))
            .filter(this::isWord)
            .map(TracepointFormat.Field::type)
            .filter(Type.IntType.class::isInstance)
            .map(Type.IntType.class::cast)
            .filter(type -> type.isSigned() && type.bytes() < Long.BYTES);
    Expr value =
        narrow.isPresent()
            ? nodes.cast(Nodes.unsigned(Byte.SIZE * narrow.get().bytes()), 0, member)
            : member;
    return nodes.cast("uint64", 0, value);
  }

  /** Returns a value in 64 bits. */
  private Expr word(Nodes nodes, Fetch value) {
    if (value instanceof Fetch.Register register) {
      if (isCall) {
        return nodes.argument(argumentOf(register).orElseThrow());
      }
      return nodes.register(Registers.member(target.architecture(), register.name()).orElseThrow());
    }
    if (value instanceof Fetch.Field field) {
      return word(nodes, field);
    }
    if (value instanceof Fetch.StackPointer) {
      return nodes.register(Registers.stackPointer(target.architecture()));
    }
    if (value instanceof Fetch.StackEntry entry) {
      return stackEntry(nodes, entry.index());
    }
    if (value instanceof Fetch.ReturnValue) {
      return nodes.cast("uint64", 0, nodes.call(ContextBuiltins.RETVAL));
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
      return nested(nodes, parameter);
    }
    return nodes.load("uint64", address(nodes, value, false));
  }

  /** Returns a parameter inside of a dereference. */
  private Expr nested(Nodes nodes, Fetch.Parameter parameter) {
    try {
      FetchArgument argument =
          new FetchArgument(
              Optional.empty(),
              parameter,
              Optional.empty(),
              OptionalInt.empty(),
              parameter.name(),
              parameter.span());
      EventField field = parameter(argument, parameter.name(), parameter.path(), parameter.name());
      return nodes.cast("uint64", 0, field.values().get(0));
    } catch (Reported e) {
      return nodes.number(0);
    }
  }

  private Expr stackEntry(Nodes nodes, int index) {
    Expr pointer = nodes.register(Registers.stackPointer(target.architecture()));
    return nodes.load("uint64", address(nodes, false, nodes.plus(pointer, 8L * index)));
  }

  /** Returns the address that a fetch argument reads, with its address space. */
  private Expr address(Nodes nodes, Fetch value, boolean isUser) {
    return address(nodes, isUser || isUser(value), bareAddress(nodes, value));
  }

  private static boolean isUser(Fetch value) {
    return value instanceof Fetch.Dereference outer && outer.isUser();
  }

  private Expr bareAddress(Nodes nodes, Fetch value) {
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

  /** The file's memory is as far from the probed instruction as it is in the file. */
  private Expr fileAddress(Nodes nodes, long offset) {
    Expr probed =
        event.isReturn()
            ? nodes.call(ContextBuiltins.FUNC_IP)
            : nodes.register(Registers.programCounter(target.architecture()));
    return nodes.plus(probed, offset - fileOffset);
  }

  private Expr address(Nodes nodes, boolean isUser, Expr address) {
    if (space == EventSpace.USER || isUser) {
      return nodes.call(MemoryBuiltins.UPTR, address);
    }
    return nodes.call(MemoryBuiltins.ANYPTR, address);
  }
}
