package dev.ply.selector;

import java.util.Optional;
import java.util.OptionalLong;

/** Parses probe locations as scripts and the fluent API write them. */
final class SelectorParser {
  /** Number of digits parsed at most: enough for 64 bits. */
  private static final int ADDRESS = 16;

  private static final int HEXADECIMAL = 15;
  private static final int DECIMAL = 18;

  private SelectorParser() {}

  static KernelSelector kernel(String text) {
    if (text.isEmpty()) {
      throw new InvalidSelectorException(
          "no function is named", "write kprobe:vfs_read, for example");
    }
    if (Character.isDigit(text.charAt(0)) && separator(text, ":") < 0) {
      return address(text);
    }
    int plus = text.lastIndexOf('+');
    OptionalLong offset = plus > 0 ? offset(text.substring(plus + 1)) : OptionalLong.empty();
    if (offset.isEmpty()) {
      return entry(text);
    }
    KernelSelector.Entry entry = entry(text.substring(0, plus));
    if (!(entry instanceof KernelSelector.Function function)) {
      throw new InvalidSelectorException(
          "\"" + text + "\" is an offset in many functions",
          "an offset is of one function: vfs_read" + text.substring(plus));
    }
    long bytes = offset.getAsLong();
    return bytes == 0 ? function : new KernelSelector.Inside(function, bytes);
  }

  private static OptionalLong offset(String text) {
    if (isHexadecimal(text, HEXADECIMAL)) {
      return OptionalLong.of(Long.parseLong(text.substring(2), 16));
    }
    return areDigits(text, 10, DECIMAL)
        ? OptionalLong.of(Long.parseLong(text))
        : OptionalLong.empty();
  }

  private static boolean isHexadecimal(String text, int most) {
    return (text.startsWith("0x") || text.startsWith("0X"))
        && areDigits(text.substring(2), 16, most);
  }

  private static boolean areDigits(String text, int radix, int most) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 'f' || Character.digit(text.charAt(i), radix) < 0) {
        return false;
      }
    }
    return !text.isEmpty() && text.length() <= most;
  }

  static KernelSelector.Entry kernelEntry(String text) {
    KernelSelector place = kernel(text);
    if (place instanceof KernelSelector.Inside inside) {
      throw new InvalidSelectorException(
          "a kretprobe is on the return from a whole function, not at an offset",
          "write kretprobe:" + inside.function().text() + ", or kprobe:" + inside.text());
    }
    return (KernelSelector.Entry) place;
  }

  private static KernelSelector address(String text) {
    if (!isHexadecimal(text, ADDRESS)) {
      throw new InvalidSelectorException(
          "\"" + text + "\" is no address", "write it in hexadecimal: kprobe:0xffffffff81000000");
    }
    return new KernelSelector.Address(Long.parseUnsignedLong(text.substring(2), 16));
  }

  private static KernelSelector.Entry entry(String text) {
    int colon = separator(text, ":");
    Optional<String> module = colon < 0 ? Optional.empty() : Optional.of(text.substring(0, colon));
    String name = text.substring(colon + 1);
    boolean isName = Glob.isGlob(name) ? isPlausible(name) : KernelSelector.Function.isName(name);
    if (!isName) {
      throw new InvalidSelectorException(
          "\"" + name + "\" is not a function name",
          "write vfs_read, vfs_*, vfs_read+8, ext4:ext4_read* or 0xffffffff81000000");
    }
    boolean isModule =
        module.stream()
            .allMatch(
                part ->
                    Glob.isGlob(part) ? isPlausible(part) : KernelSelector.Function.isModule(part));
    if (!isModule) {
      throw new InvalidSelectorException(
          "\"" + module.orElse("") + "\" is no module's name",
          "write kprobe:module:function, or leave out the module");
    }
    return Glob.isGlob(text)
        ? new KernelSelector.Functions(module.map(Glob::new), new Glob(name))
        : new KernelSelector.Function(module, name);
  }

  static TracepointSelector tracepoint(String text) {
    int separator = separator(text, ":/");
    if (separator > 0 && separator < text.length() - 1) {
      String category = text.substring(0, separator);
      String event = text.substring(separator + 1);
      if (isName(category) && isName(event)) {
        return new TracepointSelector.Event(category, event);
      }
      if (Glob.isGlob(text) && isPlausible(category) && isPlausible(event)) {
        return new TracepointSelector.Events(new Glob(category), new Glob(event));
      }
    }
    throw new InvalidSelectorException(
        "\"tracepoint:" + text + "\" is not a tracepoint",
        "write category and event: tracepoint:sched:sched_switch");
  }

  /** Returns whether a string has the form of a tracepoint's name or category. */
  private static boolean isName(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!isLetter && (c < '0' || c > '9') && c != '_' && c != '-') {
        return false;
      }
    }
    return !text.isEmpty();
  }

  /** Returns whether a glob has only characters that names can have, besides special ones. */
  private static boolean isPlausible(String glob) {
    return glob.chars().allMatch(c -> c > ' ' && c < 127 && "/{},;\"'".indexOf(c) < 0);
  }

  /** Finds the first of the given characters outside of brackets; -1 if not found. */
  static int separator(String text, String separators) {
    boolean inSet = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!inSet && separators.indexOf(c) >= 0) {
        return i;
      }
      boolean opens = c == '[' && !inSet && text.indexOf(']', i + 1) > 0;
      if (inSet && c == '[' && i + 1 < text.length() && text.charAt(i + 1) == ':') {
        int end = text.indexOf(":]", i + 2);
        i = end < 0 ? i : end + 1;
      } else if (opens || (inSet && c == ']')) {
        inSet = opens;
        // A closing bracket that comes first is part of the set.
        i += opens && i + 1 < text.length() && "!^".indexOf(text.charAt(i + 1)) >= 0 ? 1 : 0;
        i += opens && i + 1 < text.length() && text.charAt(i + 1) == ']' ? 1 : 0;
      }
    }
    return -1;
  }
}
