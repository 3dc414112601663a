package dev.ply.lang.events.parse;

import dev.ply.diagnostic.SourceSpan;
import dev.ply.lang.events.EventSpace;
import dev.ply.lang.events.Fetch;
import dev.ply.lang.events.FetchArgument;
import dev.ply.lang.events.FetchType;
import dev.ply.lang.events.FetchType.BitField;
import dev.ply.lang.events.FetchType.Named;
import dev.ply.lang.events.Numbers;
import dev.ply.lang.events.ProbeError;
import dev.ply.lang.events.Problems;
import dev.ply.lang.events.Problems.Reported;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Parses the arguments of one event: {@code NAME=FETCHARG:TYPE[COUNT]}. */
final class ArgumentParser {
  private static final int LONGEST_NAME = 32;
  private static final int LONGEST = 63;
  private static final int MOST_ELEMENTS = 64;

  private static final Set<String> RESERVED =
      Set.of(
          "common_type",
          "common_flags",
          "common_preempt_count",
          "common_pid",
          "common_tgid",
          "__probe_ip",
          "__probe_ret_ip",
          "__probe_func");

  private static final List<Integer> CONTAINERS = List.of(8, 16, 32, 64);

  private static final Pattern BIT_FIELD = Pattern.compile("b(\\w+)@(\\w+)/.*");

  private final FetchParser.Site site;
  private final Problems problems;
  private final Set<String> used = new HashSet<>();
  private int count;

  ArgumentParser(FetchParser.Site site, Problems problems) {
    this.site = site;
    this.problems = problems;
  }

  /** Returns whether a string is an identifier of C. */
  static boolean isIdentifier(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
      if (!isLetter && (i == 0 || c < '0' || c > '9')) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  /** Parses the next argument. */
  FetchArgument parse(Word word) throws Reported {
    count++;
    String text = word.text();
    int equals = text.indexOf('=');
    Optional<String> name = equals < 0 ? Optional.empty() : Optional.of(text.substring(0, equals));
    if (name.isPresent()) {
      checkName(word, name.get());
    }
    int start = equals + 1;
    if (!used.add(name.orElseGet(() -> defaultName(text)))) {
      throw problems.error(ProbeError.USED_ARG_NAME, word.span(), "each argument has its own name");
    }
    if (text.length() - start > LONGEST) {
      throw problems.error(
          ProbeError.ARG_TOO_LONG, word.from(start), "up to " + LONGEST + " characters");
    }
    if (start == text.length()) {
      throw problems.error(
          ProbeError.NO_ARG_BODY, word.from(start), "write what it is: " + text + "%REG");
    }
    return body(word, name, start);
  }

  private void checkName(Word word, String name) throws Reported {
    SourceSpan span = word.span(0, name.length());
    if (name.length() > LONGEST_NAME) {
      throw problems.error(
          ProbeError.ARG_NAME_TOO_LONG, span, "up to " + LONGEST_NAME + " characters");
    }
    if (name.isEmpty()) {
      throw problems.error(ProbeError.NO_ARG_NAME, span, "write NAME=FETCHARG, or FETCHARG alone");
    }
    if (!isIdentifier(name)) {
      throw problems.error(ProbeError.BAD_ARG_NAME, span, "letters, digits and underscores");
    }
    if (RESERVED.contains(name)) {
      throw problems.error(ProbeError.USED_ARG_NAME, span, "the kernel's records have it already");
    }
  }

  /** Returns the name of an argument without one. */
  private String defaultName(String text) {
    int colon = text.indexOf(':');
    String plain = colon < 0 ? text : text.substring(0, colon);
    return isIdentifier(plain) ? plain : "arg" + count;
  }

  private FetchArgument body(Word word, Optional<String> name, int start) throws Reported {
    String text = word.text();
    int colon = text.indexOf(':', start);
    int end = colon < 0 ? text.length() : colon;
    OptionalInt elements = colon < 0 ? OptionalInt.empty() : elements(word, colon + 1);
    int bracket = text.indexOf('[', end);
    int typeEnd = bracket < 0 ? text.length() : bracket;
    SourceSpan typeSpan = colon < 0 ? word.span(start, end) : word.span(colon + 1, typeEnd);
    Optional<String> typeName =
        colon < 0 ? Optional.empty() : Optional.of(text.substring(colon + 1, typeEnd));
    Optional<FetchType> type =
        typeName.isEmpty() ? Optional.empty() : Optional.of(type(typeName.get(), typeSpan));
    checkAlwaysString(text.substring(start, end), typeName, elements, typeSpan);
    Fetch value = new FetchParser(site, word, problems).parse(start, end);
    if (type.isPresent() && type.get() instanceof BitField bits) {
      checkBits(bits, typeSpan);
    }
    if (value instanceof Fetch.AllArguments && name.isPresent()) {
      throw problems.error(
          ProbeError.BAD_VAR,
          word.span(start, end),
          "write $arg* alone, or the parameters by name");
    }
    checkStored(value, name.isPresent(), type, elements, typeSpan);
    return new FetchArgument(name, value, type, elements, text.substring(start), word.from(start));
  }

  /** Parses the number of elements after a type, if there is one. */
  private OptionalInt elements(Word word, int type) throws Reported {
    String text = word.text();
    int open = text.indexOf('[', type);
    if (open < 0) {
      return OptionalInt.empty();
    }
    int close = text.indexOf(']', open + 1);
    if (close < 0) {
      throw problems.error(
          ProbeError.ARRAY_NO_CLOSE,
          word.span(text.length(), text.length() + 1),
          "close it with \"]\"");
    }
    if (close + 1 < text.length()) {
      throw problems.error(
          ProbeError.BAD_ARRAY_SUFFIX, word.from(close + 1), "nothing follows an array's size");
    }
    OptionalLong count = Numbers.unsigned(text.substring(open + 1, close));
    SourceSpan span = word.span(open + 1, close);
    if (count.isEmpty() || count.getAsLong() <= 0 || count.getAsLong() > 0xffff_ffffL) {
      throw problems.error(
          ProbeError.BAD_ARRAY_NUM, span, "1 to " + MOST_ELEMENTS + " elements: [4]");
    }
    if (count.getAsLong() > MOST_ELEMENTS) {
      throw problems.error(ProbeError.ARRAY_TOO_BIG, span, "up to " + MOST_ELEMENTS + " elements");
    }
    return OptionalInt.of((int) count.getAsLong());
  }

  /** Strings that are not in memory have one type only. */
  private void checkAlwaysString(
      String value, Optional<String> type, OptionalInt elements, SourceSpan span) throws Reported {
    boolean isString = value.equals("$comm") || value.equals("$COMM") || value.startsWith("\\\"");
    if (isString
        && (elements.isPresent() || type.filter(name -> !name.equals("string")).isPresent())) {
      throw problems.error(ProbeError.NEED_STRING_TYPE, span, "omit its type");
    }
  }

  private FetchType type(String name, SourceSpan span) throws Reported {
    boolean isUser = site.space() == EventSpace.USER;
    if (isUser && (name.equals("symbol") || name.equals("symstr") || name.startsWith("%p"))) {
      throw problems.error(
          ProbeError.BAD_TYPE, span, "user space has no " + name + ": x64 shows addresses");
    }
    if (name.startsWith("b") && name.contains("/")) {
      return bits(name, span);
    }
    Optional<Named> known = Named.named(name);
    if (known.isEmpty()) {
      Stream<String> names = Stream.of(Named.values()).map(Named::text);
      throw problems.error(
          ProbeError.BAD_TYPE,
          span,
          Problems.nearest(
              name,
              isUser ? names.filter(one -> !one.startsWith("sym") && !one.startsWith("%")) : names,
              "types are u8 to u64, s8 to s64, x8 to x64, char, string, ustring"
                  + (isUser ? "" : ", symbol, symstr, %pd, %pD")
                  + " and bWIDTH@OFFSET/SIZE; arrays TYPE[N]"));
    }
    return known.get();
  }

  private FetchType bits(String name, SourceSpan span) throws Reported {
    OptionalLong container = Numbers.unsigned(name.substring(name.indexOf('/') + 1));
    if (container.isEmpty()
        || container.getAsLong() > Long.SIZE
        || !CONTAINERS.contains((int) container.getAsLong())) {
      throw problems.error(
          ProbeError.BAD_TYPE, span, "a bit-field is in 8, 16, 32 or 64 bits: b4@0/32");
    }
    Matcher parts = BIT_FIELD.matcher(name);
    OptionalLong width = parts.matches() ? Numbers.unsigned(parts.group(1)) : OptionalLong.empty();
    OptionalLong offset = parts.matches() ? Numbers.unsigned(parts.group(2)) : OptionalLong.empty();
    boolean isKnown = width.isPresent() && offset.isPresent();
    boolean isSmall = isKnown && width.getAsLong() <= 64 && offset.getAsLong() <= 64;
    return isSmall
        ? new BitField(
            (int) width.getAsLong(), (int) offset.getAsLong(), (int) container.getAsLong())
        : new BitField(0, 0, (int) container.getAsLong());
  }

  private void checkBits(BitField bits, SourceSpan span) throws Reported {
    if (bits.width() <= 0 || bits.width() + bits.offset() > bits.container()) {
      throw problems.error(
          ProbeError.BAD_BITFIELD, span, "write bWIDTH@OFFSET/SIZE, all within SIZE bits: b4@0/32");
    }
  }

  /** Checks that a value can be stored as its type. */
  private void checkStored(
      Fetch value, boolean isNamed, Optional<FetchType> type, OptionalInt elements, SourceSpan span)
      throws Reported {
    boolean isString = type.filter(FetchType::isString).isPresent();
    boolean isText =
        value.isString() || value instanceof Fetch.Field || value instanceof Fetch.Immediate;
    // With another name, a parameter's number is a register.
    boolean isTyped =
        site.space() == EventSpace.KERNEL
            && (value instanceof Fetch.Parameter
                || value instanceof Fetch.ReturnValue
                || (value instanceof Fetch.Argument && !isNamed));
    if (isString && !value.isInMemory() && !isText && !isTyped) {
      throw problems.error(
          ProbeError.BAD_STRING,
          span,
          "a string is at an address: +0(" + shown(value) + "):string");
    }
    if (type.filter(Named.SYMSTR::equals).isPresent()
        && (value instanceof Fetch.StackPointer || value instanceof Fetch.Immediate)) {
      throw problems.error(ProbeError.BAD_SYMSTRING, span, "symbol shows any address");
    }
    if (elements.isPresent()
        && !isString
        && value instanceof Fetch.Dereference outer
        && outer.isUser()) {
      problems.note(span, "the kernel takes no arrays of +u: this is an extension");
    }
    boolean isArrayable = isString ? value.isInMemory() || isTyped : value.isInMemory();
    if (elements.isPresent() && (!isArrayable || type.filter(Named.SYMSTR::equals).isPresent())) {
      throw problems.error(
          ProbeError.BAD_STRING, span, "an array is in memory: +0(" + shown(value) + "):x8[4]");
    }
  }

  private static String shown(Fetch value) {
    if (value instanceof Fetch.Register register) {
      return "%" + register.name();
    }
    return value instanceof Fetch.ReturnValue ? "$retval" : "FETCHARG";
  }
}
