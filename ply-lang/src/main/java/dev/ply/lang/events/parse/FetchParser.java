package dev.ply.lang.events.parse;

import dev.ply.diagnostic.SourceSpan;
import dev.ply.lang.events.EventKind;
import dev.ply.lang.events.EventSpace;
import dev.ply.lang.events.Fetch;
import dev.ply.lang.events.Fetch.Dereference;
import dev.ply.lang.events.Numbers;
import dev.ply.lang.events.ProbeError;
import dev.ply.lang.events.Problems;
import dev.ply.lang.events.Problems.Reported;
import dev.ply.lang.events.Registers;
import dev.ply.machine.Architecture;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Parses what a fetch argument reads: the part before its type. */
final class FetchParser {
  /** The kernel's operations for a fetch argument (FETCH_INSN_MAX), without the last. */
  private static final int MOST_OPERATIONS = 15;

  /** THREAD_SIZE / sizeof(long) of x86-64. */
  private static final int STACK_WORDS = 16 << 10 >> 3;

  private static final List<String> VARIABLES =
      List.of("$retval", "$stack", "$stack0", "$comm", "$arg1", "$arg*");

  private final Site site;
  private final Word word;
  private final Problems problems;

  /** The site of an event, which decides what its arguments can read. */
  record Site(
      EventSpace space,
      EventKind kind,
      boolean isReturn,
      boolean isEntry,
      Architecture architecture) {
    boolean hasArguments() {
      return space == EventSpace.KERNEL && (isEntry || isReturn);
    }
  }

  FetchParser(Site site, Word word, Problems problems) {
    this.site = site;
    this.word = word;
    this.problems = problems;
  }

  /** Parses the part of the word from {@code start} up to {@code end}. */
  Fetch parse(int start, int end) throws Reported {
    String text = word.text().substring(start, end);
    if (text.isEmpty()) {
      throw problems.error(ProbeError.BAD_FETCH_ARG, span(start, end), accepted());
    }
    return switch (text.charAt(0)) {
      case '$' -> variable(text, start, end);
      case '%' -> register(text, start, end);
      case '@' -> memory(text, start, end);
      case '+', '-' -> dereference(text, start, end);
      case '\\' -> immediate(text, start, end);
      default -> parameter(text, start, end);
    };
  }

  private SourceSpan span(int start, int end) {
    return word.span(start, end);
  }

  private String accepted() {
    return site.space() == EventSpace.KERNEL
        ? "fetch arguments are %REG, @ADDR, @SYM+OFFS, $stackN, $stack, $retval, $comm, $argN, "
            + "\\IMM, +OFFS(…) and names of parameters"
        : "fetch arguments are %REG, @ADDR, @+OFFS, $stackN, $stack, $retval, $comm, \\IMM and "
            + "+OFFS(…)";
  }

  private Fetch variable(String text, int start, int end) throws Reported {
    if (text.equals("$comm") || text.equals("$COMM")) {
      return new Fetch.ThreadName();
    }
    if (site.kind() == EventKind.RECORD) {
      if (!ArgumentParser.isIdentifier(text.substring(1))) {
        throw problems.error(
            ProbeError.BAD_VAR, span(start, end), "write the name of a field: $prev_pid");
      }
      return new Fetch.Field(text.substring(1), span(start, end));
    }
    if (text.equals("$stack")) {
      return new Fetch.StackPointer();
    }
    if (text.startsWith("$retval")) {
      return result(text, start, end);
    }
    if (text.startsWith("$stack")) {
      return stackEntry(text, start, end);
    }
    if (text.startsWith("$arg")) {
      return argument(text, start, end);
    }
    throw badVariable(text, start, end);
  }

  private Reported badVariable(String text, int start, int end) {
    return problems.error(
        ProbeError.BAD_VAR,
        span(start, end),
        Problems.nearest(
            text, VARIABLES.stream(), "variables are $retval, $stack, $stackN, $comm and $argN"));
  }

  private Fetch result(String text, int start, int end) throws Reported {
    if (!site.isReturn()) {
      throw problems.error(
          ProbeError.RETVAL_ON_PROBE,
          span(start, end),
          "a return event has it: r or LOCATION%return");
    }
    String rest = text.substring("$retval".length());
    if (rest.isEmpty()) {
      return new Fetch.ReturnValue(List.of());
    }
    if (site.space() == EventSpace.USER || (rest.charAt(0) != '-' && rest.charAt(0) != '.')) {
      throw badVariable(text, start, end);
    }
    return new Fetch.ReturnValue(path(start + "$retval".length(), end));
  }

  private Fetch stackEntry(String text, int start, int end) throws Reported {
    OptionalInt index = Numbers.decimal(text.substring("$stack".length()));
    if (index.isEmpty()) {
      throw badVariable(text, start, end);
    }
    if (site.space() == EventSpace.KERNEL && index.getAsInt() > STACK_WORDS) {
      throw problems.error(
          ProbeError.BAD_STACK_NUM, span(start, end), "a stack has " + STACK_WORDS + " entries");
    }
    return new Fetch.StackEntry(index.getAsInt());
  }

  private Fetch argument(String text, int start, int end) throws Reported {
    String number = text.substring("$arg".length());
    // The kernel looks at the start only.
    boolean isAll = number.startsWith("*");
    OptionalInt index = Numbers.decimal(number);
    if (!isAll && index.isEmpty()) {
      throw badVariable(text, start, end);
    }
    if (index.isPresent() && (index.getAsInt() == 0 || index.getAsInt() > STACK_WORDS)) {
      throw problems.error(
          ProbeError.BAD_ARG_NUM, span(start, end), "arguments are counted from 1: $arg1");
    }
    if (!site.hasArguments()) {
      throw problems.error(
          ProbeError.NOFENTRY_ARGS,
          span(start, end),
          site.space() == EventSpace.USER
              ? "in user space, registers have the arguments: %"
                  + Registers.names(site.architecture())
                      .filter(this::isFirstArgument)
                      .findFirst()
                      .orElse("REG")
              : "inside a function, registers and the stack have its values");
    }
    return isAll ? new Fetch.AllArguments() : new Fetch.Argument(index.getAsInt());
  }

  private boolean isFirstArgument(String register) {
    return Registers.member(site.architecture(), register)
        .equals(site.architecture().argumentNames().stream().findFirst());
  }

  private Fetch register(String text, int start, int end) throws Reported {
    if (site.kind() == EventKind.FUNCTION
        || site.kind() == EventKind.TRACEPOINT
        || site.kind() == EventKind.RECORD) {
      throw problems.error(
          ProbeError.BAD_VAR,
          span(start, end),
          "f, t and e events have no registers, p and r have");
    }
    String name = text.substring(1);
    if (Registers.member(site.architecture(), name).isEmpty()) {
      throw problems.error(
          ProbeError.BAD_REG_NAME,
          span(start, end),
          Problems.nearest(
              "%" + name.replaceFirst("^[er]([a-z])", "$1"),
              Registers.names(site.architecture()).map(one -> "%" + one),
              "registers are %"
                  + String.join(" %", Registers.names(site.architecture()).sorted().toList())));
    }
    return new Fetch.Register(name);
  }

  private Fetch memory(String text, int start, int end) throws Reported {
    String place = text.substring(1);
    if (!place.isEmpty() && Character.isDigit(place.charAt(0))) {
      OptionalLong address = Numbers.unsigned(place);
      if (address.isEmpty()) {
        throw problems.error(
            ProbeError.BAD_MEM_ADDR,
            span(start, end),
            "an address is a number: @0xffffffff81000000");
      }
      return new Fetch.Memory(address.getAsLong());
    }
    if (place.startsWith("+")) {
      return fileMemory(place, start, end);
    }
    if (site.space() == EventSpace.USER) {
      throw problems.error(
          ProbeError.SYM_ON_UPROBE,
          span(start, end),
          "the file's memory is @+OFFS, with an offset in the file");
    }
    int sign = Math.max(place.indexOf('+'), place.indexOf('-'));
    String symbol = sign < 0 ? place : place.substring(0, sign);
    OptionalLong offset =
        sign < 0
            ? OptionalLong.of(0)
            : Numbers.signed(place.substring(place.charAt(sign) == '+' ? sign + 1 : sign));
    if (symbol.isEmpty() || offset.isEmpty()) {
      throw problems.error(
          ProbeError.BAD_MEM_ADDR, span(start, end), "write @SYM, @SYM+OFFS or @SYM-OFFS");
    }
    return new Fetch.SymbolMemory(symbol, offset.getAsLong());
  }

  private Fetch fileMemory(String place, int start, int end) throws Reported {
    if (site.space() == EventSpace.KERNEL) {
      throw problems.error(
          ProbeError.FILE_ON_KPROBE,
          span(start, end),
          "uprobe-events have file offsets; kernel memory is @SYM+OFFS");
    }
    OptionalLong offset = Numbers.signed(place.substring(1));
    if (offset.isEmpty()) {
      throw problems.error(
          ProbeError.BAD_FILE_OFFS, span(start, end), "an offset is a number: @+0x2008");
    }
    return new Fetch.FileMemory(offset.getAsLong());
  }

  private Fetch dereference(String text, int start, int end) throws Reported {
    boolean isUser = text.startsWith("u", 1);
    int number = isUser ? 2 : 1;
    int brace = text.indexOf('(');
    if (brace < 0) {
      throw problems.error(
          ProbeError.DEREF_NEED_BRACE,
          span(start, end),
          "write " + text.charAt(0) + "OFFS(FETCHARG)");
    }
    boolean isNegative = text.charAt(0) == '-';
    String digits = text.substring(number, brace);
    OptionalLong offset = Numbers.signed(isNegative ? "-" + digits : digits);
    if (offset.isEmpty()) {
      throw problems.error(
          ProbeError.BAD_DEREF_OFFS,
          span(start, start + brace),
          "an offset is a number of bytes: +8(…), -0x10(…), +u0(…)");
    }
    int close = text.lastIndexOf(')');
    if (close < brace) {
      throw problems.error(ProbeError.DEREF_OPEN_BRACE, span(end, end + 1), "close it with \")\"");
    }
    Fetch address = parse(start + brace + 1, start + close);
    if (address.isString()) {
      throw problems.error(
          ProbeError.COMM_CANT_DEREF,
          span(start + brace + 1, start + close),
          "it is a string already, not an address");
    }
    if (address instanceof Fetch.AllArguments) {
      throw problems.error(
          ProbeError.BAD_VAR,
          span(start + brace + 1, start + close),
          "$arg* has no address; write $arg* alone, or one of them: $arg1");
    }
    Dereference fetch = new Dereference(address, offset.getAsLong(), isUser);
    if (fetch.operations() >= MOST_OPERATIONS) {
      throw problems.error(
          ProbeError.TOO_MANY_OPS,
          span(start + brace + 1, start + close),
          "up to 14 can be nested");
    }
    if (start + close + 1 < end) {
      problems.warning(
          span(start + close + 1, end), "text after a parenthesis is ignored, as by the kernel");
    }
    return fetch;
  }

  private Fetch immediate(String text, int start, int end) throws Reported {
    if (text.startsWith("\"", 1)) {
      if (text.length() < 3 || !text.endsWith("\"")) {
        throw problems.error(
            ProbeError.IMMSTR_NO_CLOSE,
            span(end, end + 1),
            "it ends with \", and has neither white space nor a colon");
      }
      return new Fetch.ImmediateString(text.substring(2, text.length() - 1));
    }
    String number = text.substring(1);
    OptionalLong value =
        number.startsWith("-") || number.startsWith("+")
            ? Numbers.signed(number)
            : Numbers.unsigned(number);
    if (value.isEmpty()) {
      throw problems.error(
          ProbeError.BAD_IMM, span(start + 1, end), "a constant is a number, or a \\\"string\"");
    }
    return new Fetch.Immediate(value.getAsLong());
  }

  private Fetch parameter(String text, int start, int end) throws Reported {
    char first = text.charAt(0);
    if (first != '_' && !isLetter(first)) {
      throw problems.error(ProbeError.BAD_FETCH_ARG, span(start, end), accepted());
    }
    if (!site.hasArguments()) {
      throw problems.error(
          ProbeError.NOSUP_BTFARG,
          span(start, end),
          site.space() == EventSpace.USER
              ? Problems.nearest(
                  "%" + text,
                  Registers.names(site.architecture()).map(one -> "%" + one),
                  "only functions of the kernel have parameters by name")
              : new String[] {"only the entry and the exit of a function have its parameters"});
    }
    int length = 0;
    while (length < text.length() && text.charAt(length) != '-' && text.charAt(length) != '.') {
      length++;
    }
    if (text.startsWith(".", length)) {
      throw problems.error(
          ProbeError.NOSUP_DAT_ARG,
          span(start + length + 1, end),
          "members of what a parameter points to: " + text.substring(0, length) + "->MEMBER");
    }
    return new Fetch.Parameter(
        text.substring(0, length), path(start + length, end), span(start, start + length));
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  /** Parses the members after a parameter: {@code ->a.b->c}. */
  private List<Fetch.Step> path(int start, int end) throws Reported {
    String text = word.text();
    List<Fetch.Step> steps = new ArrayList<>();
    int at = start;
    while (at < end) {
      boolean isArrow = text.startsWith("->", at);
      if (!isArrow && text.charAt(at) != '.') {
        throw problems.error(ProbeError.BAD_HYPHEN, span(at, at + 1), "a member follows \"->\"");
      }
      int name = at + (isArrow ? 2 : 1);
      int last = name;
      while (last < end && text.charAt(last) != '.' && text.charAt(last) != '-') {
        last++;
      }
      steps.add(new Fetch.Step(text.substring(name, last), isArrow, span(name, last)));
      at = last;
    }
    return steps;
  }
}
