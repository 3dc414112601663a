package dev.ply.selector;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses locations in programs and libraries as scripts and the fluent API write them. */
final class UserSelectorParser {
  private static final Pattern ADDRESS =
      Pattern.compile(
          "(?:0[xX]([0-9a-fA-F]{1,16})|([0-9]{1,18}))(?:\\(0[xX]([0-9a-fA-F]{1,8})\\))?");
  private static final Pattern OFFSET =
      Pattern.compile("\\+(?:0[xX]([0-9a-fA-F]{1,15})|([0-9]{1,18}))");

  /** The prefix of C++ function names. */
  private static final String CXX = "cpp:";

  private static final String EXAMPLE = "uprobe:c:malloc or uprobe:/bin/bash:readline, for example";

  private UserSelectorParser() {}

  static UserSelector parse(String text) {
    if (text.startsWith(CXX + '"')) {
      return cxx("", text.substring(CXX.length()));
    }
    BinaryName.Split split = BinaryName.split(text, EXAMPLE);
    if (split.rest().startsWith(CXX)) {
      return cxx(split.binary(), split.rest().substring(CXX.length()));
    }
    if (QuotedPart.isNext(split.rest())) {
      QuotedPart name = QuotedPart.of(split.rest());
      return at(function(split.binary(), name.text()), name.rest());
    }
    if (Character.isDigit(split.rest().charAt(0))) {
      return address(split.binary(), split.rest());
    }
    int plus = split.rest().lastIndexOf('+');
    int end = plus > 0 ? plus : split.rest().length();
    String name = split.rest().substring(0, end);
    if (!UserSelector.Function.isName(name)) {
      throw new InvalidSelectorException(
          "\"" + split.rest() + "\" is not a function name",
          "write uprobe:c:malloc, uprobe:c:mem*, uprobe:c:malloc+8 or uprobe:c:0x31f00; other names"
              + " in quotes");
    }
    return at(function(split.binary(), name), split.rest().substring(end));
  }

  private static UserSelector cxx(String binary, String text) {
    String name = text;
    if (QuotedPart.isNext(text)) {
      QuotedPart quoted = QuotedPart.of(text);
      requireEnd(quoted.rest());
      name = quoted.text();
    }
    requireText(name);
    return new UserSelector.CxxFunctions(binary, new Glob(name));
  }

  private static UserSelector.Entry function(String binary, String name) {
    requireText(name);
    return Glob.isGlob(name)
        ? new UserSelector.Functions(binary, new Glob(name))
        : new UserSelector.Function(binary, name);
  }

  private static void requireText(String name) {
    if (!UserSelector.Function.canBe(name)) {
      throw new InvalidSelectorException(
          "\"" + name + "\" is not a function name", "write uprobe:./server:cpp:\"Server::run*\"");
    }
  }

  private static void requireEnd(String rest) {
    if (!rest.isEmpty()) {
      throw new InvalidSelectorException(
          "\"" + rest + "\" does not belong to a function's name", "write " + EXAMPLE);
    }
  }

  /** Returns a function's entry, or the instruction at the offset that follows. */
  private static UserSelector at(UserSelector.Entry entry, String rest) {
    Matcher offset = OFFSET.matcher(rest);
    if (!offset.matches()) {
      requireEnd(rest);
      return entry;
    }
    if (entry instanceof UserSelector.Functions pattern && !isOfMany(pattern.name().toString())) {
      return at(new UserSelector.Function(pattern.binary(), pattern.name().toString()), rest);
    }
    if (!(entry instanceof UserSelector.Function function)) {
      throw new InvalidSelectorException(
          "\"" + entry.text() + rest + "\" is an offset in many functions",
          "an offset is of one function: c:malloc" + rest);
    }
    long bytes =
        offset.group(1) != null
            ? Long.parseLong(offset.group(1), 16)
            : Long.parseLong(offset.group(2));
    return bytes == 0 ? function : new UserSelector.Inside(function, bytes);
  }

  /** Names of generic functions have brackets, which alone make no pattern of an offset's name. */
  private static boolean isOfMany(String name) {
    return name.indexOf('*') >= 0 || name.indexOf('?') >= 0;
  }

  static UserSelector.Entry parseEntry(String text) {
    UserSelector place = parse(text);
    if (place instanceof UserSelector.Inside inside) {
      throw new InvalidSelectorException(
          "a uretprobe is on the return from a whole function, not at an offset",
          "write uretprobe:" + inside.function().text() + ", or uprobe:" + inside.text());
    }
    return (UserSelector.Entry) place;
  }

  private static UserSelector.Entry address(String binary, String text) {
    Matcher address = ADDRESS.matcher(text);
    if (!address.matches()) {
      throw new InvalidSelectorException(
          "\"" + text + "\" is no address", "write it in hexadecimal: uprobe:/bin/bash:0x31f00");
    }
    return new UserSelector.Address(
        binary,
        address.group(1) != null
            ? Long.parseUnsignedLong(address.group(1), 16)
            : Long.parseLong(address.group(2)),
        address.group(3) == null ? 0 : Long.parseLong(address.group(3), 16));
  }
}
