package dev.ply.ir;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses locations in programs and libraries as scripts and the fluent API write them. */
final class UserSelectorParser {
  private static final Pattern ADDRESS = Pattern.compile("0[xX]([0-9a-fA-F]{1,16})");
  private static final Pattern OFFSET =
      Pattern.compile("(.+)\\+(?:0[xX]([0-9a-fA-F]{1,15})|([0-9]{1,18}))");
  private static final String EXAMPLE = "uprobe:c:malloc, uprobe:/bin/bash:readline, say";

  private UserSelectorParser() {}

  static UserSelector parse(String text) {
    BinaryName.Split split = BinaryName.split(text, EXAMPLE);
    String place = split.rest();
    if (Character.isDigit(place.charAt(0))) {
      return address(split.binary(), place);
    }
    Matcher offset = OFFSET.matcher(place);
    if (!offset.matches()) {
      return entry(split.binary(), place);
    }
    if (!(entry(split.binary(), offset.group(1)) instanceof UserSelector.Function function)) {
      throw new InvalidSelectorException(
          "\"" + text + "\" is an offset in many functions",
          "an offset is of one function: c:malloc" + place.substring(offset.end(1)));
    }
    long bytes =
        offset.group(2) != null
            ? Long.parseLong(offset.group(2), 16)
            : Long.parseLong(offset.group(3));
    return bytes == 0 ? function : new UserSelector.Inside(function, bytes);
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
    return new UserSelector.Address(binary, Long.parseUnsignedLong(address.group(1), 16));
  }

  private static UserSelector.Entry entry(String binary, String name) {
    if (!UserSelector.Function.isName(name)) {
      throw new InvalidSelectorException(
          "\"" + name + "\" is no function's name",
          "write uprobe:c:malloc, uprobe:c:mem*, uprobe:c:malloc+8 or uprobe:c:0x31f00");
    }
    return Glob.isGlob(name)
        ? new UserSelector.Functions(binary, new Glob(name))
        : new UserSelector.Function(binary, name);
  }
}
