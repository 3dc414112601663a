package dev.ply.lang.events.translate;

import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.MemoryBuiltins;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.ir.Expr;
import dev.ply.lang.events.EventDefinition;
import dev.ply.lang.events.EventSpace;
import dev.ply.lang.events.EventSyntax;
import dev.ply.lang.events.Fetch;
import dev.ply.lang.events.FetchArgument;
import dev.ply.lang.events.FetchType;
import dev.ply.lang.events.FetchType.Named;
import dev.ply.lang.events.ProbeError;
import dev.ply.lang.events.Problems;
import dev.ply.lang.events.Problems.Reported;
import dev.ply.lang.events.translate.EventField.FilterValue;
import dev.ply.result.TraceLine.Style;
import dev.ply.target.KernelTypes;
import dev.ply.target.Target;
import dev.ply.target.TracepointFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.VoidType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Translates the arguments of one event to fields of its output. */
final class FetchTranslator {
  private final EventDefinition event;
  private final EventSpace space;
  private final Target target;
  private final EventSyntax syntax;
  private final boolean isCall;
  private final FetchValues values;
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
    this.problems = problems;
    this.values = new FetchValues(event, space, target, isCall, fileOffset, entries, problems);
    this.function = values.function();
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
      throw problems.error(ProbeError.NOSUP_BTFARG, argument.span(), "its arguments are unknown");
    }
    return function.get().parameters();
  }

  private EventField field(FetchArgument argument, int number) throws Reported {
    Fetch value = values.fields().resolved(argument.value(), argument.span());
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
    return plain(argument, value, name);
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
    TypedParameter value = values.parameter(new Nodes(argument.span()), parameter, path);
    return typed(argument, value, name);
  }

  private EventField typed(FetchArgument argument, TypedParameter value, String name)
      throws Reported {
    Nodes nodes = new Nodes(argument.span());
    Optional<FetchType> type = argument.type();
    if (type.isEmpty() && argument.count().isEmpty()) {
      boolean isNumber = value.type().isScalar();
      Expr shown = isNumber ? value.value() : value.word(nodes);
      return EventField.of(name, value.style(), shown);
    }
    if (type.filter(FetchType::isString).isPresent()) {
      if (!value.isText() && !(value.type() instanceof Type.IntType)) {
        throw problems.error(
            ProbeError.BAD_TYPE4STR, argument.span(), "this is " + value.type().withArticle());
      }
      Expr address = values.address(nodes, type.get() == Named.USTRING, value.start(nodes));
      return EventField.string(nodes, name, address);
    }
    if (argument.count().isPresent()) {
      return array(argument, nodes, name, value.word(nodes), false);
    }
    return of(argument, nodes, name, value.word(nodes));
  }

  private EventField plain(FetchArgument argument, Fetch value, String name) throws Reported {
    Nodes nodes = new Nodes(argument.span());
    boolean isText =
        argument.count().isEmpty() && argument.type().filter(FetchType::isString).isPresent();
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
    values.fields().check(nodes, value);
    checkCall(nodes, value);
    if (value instanceof Fetch.ThreadName) {
      Expr comm = nodes.call(ThreadBuiltins.COMM);
      return new EventField(name, Style.STRING, List.of(comm), false, new FilterValue(comm, true));
    }
    if (value instanceof Fetch.ImmediateString string) {
      Expr text = nodes.text(string.value());
      return new EventField(name, Style.STRING, List.of(text), false, new FilterValue(text, true));
    }
    FetchType type = argument.type().orElse(Named.X64);
    if (type.isString() && argument.count().isEmpty()) {
      return EventField.string(nodes, name, values.address(nodes, value, type == Named.USTRING));
    }
    if (argument.count().isPresent()) {
      return array(argument, nodes, name, values.bareAddress(nodes, value), value.isInUserMemory());
    }
    if (!value.isInMemory() || type.bits() == 0) {
      return of(argument, nodes, name, values.word(nodes, value));
    }
    Expr address = values.address(nodes, value, false);
    return EventField.of(
        nodes, name, type, List.of(loaded(nodes, type, type.bits(), address)), false);
  }

  /** Returns the string in a field: the characters, or what an address or a place leads to. */
  private EventField text(Nodes nodes, String name, Fetch.Field field) throws Reported {
    TracepointFormat.Field known = values.fields().find(field.name(), field.span());
    if (!values.fields().isString(known)) {
      values.fields().check(nodes, field);
      return EventField.string(
          nodes, name, nodes.call(MemoryBuiltins.ANYPTR, values.word(nodes, field)));
    }
    Expr text = values.fields().text(nodes, known);
    return new EventField(name, Style.STRING, List.of(text), false, new FilterValue(text, true));
  }

  /** Of a system call, programs see the arguments and the result, but no registers. */
  private void checkCall(Nodes nodes, Fetch value) throws Reported {
    if (value instanceof Fetch.Dereference outer) {
      checkCall(nodes, outer.address());
    }
    boolean isRegister =
        value instanceof Fetch.StackPointer
            || value instanceof Fetch.StackEntry
            || (value instanceof Fetch.Register register && values.argumentOf(register).isEmpty());
    if (isCall && isRegister) {
      throw problems.error(
          nodes.span(),
          event.location().text() + " is a system call here: only its arguments are known",
          "its arguments are $arg1 to $arg6");
    }
  }

  private static Expr loaded(Nodes nodes, FetchType type, int bits, Expr address) {
    return nodes.load(Nodes.integer(bits, type.isSigned()), address);
  }

  /** Returns a word in a type: its low bits, an address, or the name of what is there. */
  private EventField of(FetchArgument argument, Nodes nodes, String name, Expr word) {
    FetchType type = argument.type().orElse(Named.X64);
    if (type == Named.DENTRY_NAME) {
      return EventField.string(
          nodes, name, nodes.call(MemoryBuiltins.KPTR, dentryName(nodes, word)));
    }
    if (type == Named.FILE_NAME) {
      Expr path = nodes.arrow(nodes.cast("struct file", 1, word), "f_path");
      Expr dentry = nodes.dot(path, "dentry");
      Expr text = nodes.dot(nodes.arrow(dentry, "d_name"), "name");
      return EventField.string(nodes, name, nodes.call(MemoryBuiltins.KPTR, text));
    }
    boolean isWord = type.bits() == Long.SIZE && !type.isSigned();
    Expr value = isWord ? word : nodes.cast(Nodes.integer(type.bits(), type.isSigned()), 0, word);
    return EventField.of(nodes, name, type, List.of(value), false);
  }

  private static Expr dentryName(Nodes nodes, Expr dentry) {
    Expr name = nodes.arrow(nodes.cast("struct dentry", 1, dentry), "d_name");
    return nodes.dot(name, "name");
  }

  private EventField array(
      FetchArgument argument, Nodes nodes, String name, Expr start, boolean isUser) {
    FetchType type = argument.type().orElse(Named.X64);
    boolean isString = type.isString();
    int bits = isString ? Long.SIZE : type.bits();
    List<Expr> elements = new ArrayList<>();
    for (int i = 0; i < argument.count().orElse(1); i++) {
      Expr at = values.address(nodes, isUser, nodes.plus(start, (long) i * bits / Byte.SIZE));
      Expr value = loaded(nodes, type, bits, at);
      elements.add(
          isString
              ? nodes.quoted(
                  values.address(nodes, type == Named.USTRING, nodes.load("uint64", at)),
                  EventField.STRING_BYTES)
              : value);
    }
    return isString
        ? new EventField(
            name, Style.QUOTED, elements, true, new FilterValue(nodes.number(0), false))
        : EventField.of(nodes, name, type, elements, true);
  }
}
