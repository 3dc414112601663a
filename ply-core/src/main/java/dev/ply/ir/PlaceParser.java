package dev.ply.ir;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads places from text, as scripts and the fluent API write them. */
final class PlaceParser {
  private static final Pattern ADDRESS = Pattern.compile("0[xX]([0-9a-fA-F]{1,16})");
  private static final Pattern OFFSET =
      Pattern.compile("(.+)\\+(?:0[xX]([0-9a-fA-F]{1,15})|([0-9]{1,18}))");
  private static final Pattern ACTIVE = Pattern.compile("(.+):([0-9]{1,9})");
  private static final Pattern EVENT = Pattern.compile("[A-Za-z0-9_-]+");

  private PlaceParser() {}

  static KernelPlace kernel(String text) {
    if (text.isEmpty()) {
      throw new BadPlaceException("no function is named", "write kprobe:vfs_read, say");
    }
    if (Character.isDigit(text.charAt(0)) && separator(text, ":") < 0) {
      return address(text);
    }
    Matcher offset = OFFSET.matcher(text);
    if (!offset.matches()) {
      return entry(text);
    }
    KernelPlace.Entry entry = entry(offset.group(1));
    if (!(entry instanceof KernelPlace.Function function)) {
      throw new BadPlaceException(
          "\"" + text + "\" is an offset in many functions",
          "an offset is of one function: vfs_read" + text.substring(offset.end(1)));
    }
    long bytes =
        offset.group(2) != null
            ? Long.parseLong(offset.group(2), 16)
            : Long.parseLong(offset.group(3));
    return bytes == 0 ? function : new KernelPlace.Inside(function, bytes);
  }

  static KernelPlace.Entry kernelEntry(String text) {
    KernelPlace place = kernel(text);
    if (place instanceof KernelPlace.Inside inside) {
      throw new BadPlaceException(
          "a kretprobe is on the return from a whole function, not at an offset",
          "write kretprobe:" + inside.function().text() + ", or kprobe:" + inside.text());
    }
    return (KernelPlace.Entry) place;
  }

  private static KernelPlace address(String text) {
    Matcher address = ADDRESS.matcher(text);
    if (!address.matches()) {
      throw new BadPlaceException(
          "\"" + text + "\" is no address", "write it in hexadecimal: kprobe:0xffffffff81000000");
    }
    return new KernelPlace.Address(Long.parseUnsignedLong(address.group(1), 16));
  }

  static AttachPoint.Kretprobe kretprobe(String text) {
    Matcher active = ACTIVE.matcher(text);
    if (!active.matches()) {
      return new AttachPoint.Kretprobe(kernelEntry(text));
    }
    return new AttachPoint.Kretprobe(
        kernelEntry(active.group(1)), OptionalInt.of(Integer.parseInt(active.group(2))));
  }

  private static KernelPlace.Entry entry(String text) {
    int colon = separator(text, ":");
    Optional<String> module = colon < 0 ? Optional.empty() : Optional.of(text.substring(0, colon));
    String name = text.substring(colon + 1);
    boolean isName = Glob.isGlob(name) ? isPlausible(name) : KernelPlace.Function.isName(name);
    if (!isName) {
      throw new BadPlaceException(
          "\"" + name + "\" is no function's name",
          "write vfs_read, vfs_*, vfs_read+8, ext4:ext4_read* or 0xffffffff81000000");
    }
    boolean isModule =
        module.stream()
            .allMatch(
                part ->
                    Glob.isGlob(part) ? isPlausible(part) : KernelPlace.Function.isModule(part));
    if (!isModule) {
      throw new BadPlaceException(
          "\"" + module.orElse("") + "\" is no module's name",
          "write kprobe:module:function, or leave out the module");
    }
    return Glob.isGlob(text)
        ? new KernelPlace.Functions(module.map(Glob::new), new Glob(name))
        : new KernelPlace.Function(module, name);
  }

  static TracepointPlace tracepoint(String text) {
    int separator = separator(text, ":/");
    if (separator > 0 && separator < text.length() - 1) {
      String category = text.substring(0, separator);
      String event = text.substring(separator + 1);
      if (EVENT.matcher(category).matches() && EVENT.matcher(event).matches()) {
        return new TracepointPlace.Event(category, event);
      }
      if (Glob.isGlob(text) && isPlausible(category) && isPlausible(event)) {
        return new TracepointPlace.Events(new Glob(category), new Glob(event));
      }
    }
    throw new BadPlaceException(
        "\"tracepoint:" + text + "\" names no tracepoint",
        "write category and event: tracepoint:sched:sched_switch");
  }

  /** Tells whether a glob has nothing in it that no name has. */
  private static boolean isPlausible(String glob) {
    return glob.chars().allMatch(c -> c > ' ' && c < 127 && "/{},;\"'".indexOf(c) < 0);
  }

  /** Finds the first of some characters that is not in brackets; -1 if there is none. */
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
        // A bracket that closes first of all is one of the set.
        i += opens && i + 1 < text.length() && "!^".indexOf(text.charAt(i + 1)) >= 0 ? 1 : 0;
        i += opens && i + 1 < text.length() && text.charAt(i + 1) == ']' ? 1 : 0;
      }
    }
    return -1;
  }
}
