package dev.ply.lang.events.parse;

import dev.ply.lang.events.EventKind;
import dev.ply.lang.events.EventLocation;
import dev.ply.lang.events.EventSpace;
import dev.ply.lang.events.Numbers;
import dev.ply.lang.events.ProbeError;
import dev.ply.lang.events.Problems;
import dev.ply.lang.events.Problems.Reported;
import dev.ply.selector.KernelSelector;
import dev.ply.selector.UserSelector;
import java.util.OptionalLong;

/** Parses the location of an event: the word after its command. */
final class LocationParser {
  private static final String RETURN = "%return";

  private final EventSpace space;
  private final EventKind kind;
  private final Word where;
  private final Problems problems;

  /** The offset of the reference counter's parenthesis, or the length of the word. */
  private final int counterStart;

  private final OptionalLong counter;

  /** The offset of {@code %return}, or that of what follows the location. */
  private final int end;

  LocationParser(EventSpace space, EventKind kind, Word where, Problems problems) throws Reported {
    this.space = space;
    this.kind = kind;
    this.where = where;
    this.problems = problems;
    String text = where.text();
    int open = isUser() ? text.indexOf('(', Math.max(0, text.lastIndexOf(':'))) : -1;
    this.counter = open < 0 ? OptionalLong.empty() : counter(text, open);
    this.counterStart = open < 0 ? text.length() : open;
    this.end = suffix();
  }

  private boolean isUser() {
    return space == EventSpace.USER;
  }

  /** Returns whether the location is that of a function's return, {@code %return}. */
  boolean hasReturn() {
    return end < counterStart;
  }

  /**
   * Parses the location.
   *
   * @param isReturn whether the event is at a function's return
   */
  EventLocation parse(boolean isReturn) throws Reported {
    String text = where.text().substring(0, end);
    return isUser() ? file(text) : kernel(text, isReturn);
  }

  private int suffix() throws Reported {
    String text = where.text().substring(0, counterStart);
    int from = isUser() ? Math.max(0, text.lastIndexOf(':')) : 0;
    int percent = text.indexOf('%', from);
    if (percent < 0) {
      return text.length();
    }
    boolean isTracepoint = kind == EventKind.TRACEPOINT || kind == EventKind.RECORD;
    if (!text.substring(percent).equals(RETURN) || isTracepoint) {
      throw problems.error(
          ProbeError.BAD_ADDR_SUFFIX,
          where.span(percent, counterStart),
          isTracepoint ? "tracepoints have no return" : "the only suffix is " + RETURN);
    }
    return percent;
  }

  private EventLocation kernel(String text, boolean isReturn) throws Reported {
    if (text.contains("/") && text.contains(":")) {
      throw problems.error(
          where.span(), "this is a file, not in the kernel", "ply uprobe-events probes files");
    }
    if (kind == EventKind.RECORD) {
      return record(text);
    }
    if (kind == EventKind.TRACEPOINT) {
      int length = 0;
      while (length < text.length() && ArgumentParser.isIdentifier("_" + text.charAt(length))) {
        length++;
      }
      if (length < text.length()) {
        throw problems.error(
            ProbeError.BAD_TP_NAME, where.from(length), "write its name: sched_switch");
      }
      return new EventLocation.Tracepoint(text);
    }
    OptionalLong address = Numbers.unsigned(text);
    if (address.isPresent() && kind != EventKind.FUNCTION) {
      return new EventLocation.Address(address.getAsLong());
    }
    int plus = text.indexOf('+');
    int minus = text.indexOf('-');
    int sign = plus < 0 || (minus >= 0 && minus < plus) ? minus : plus;
    String name = sign < 0 ? text : text.substring(0, sign);
    OptionalLong offset =
        sign < 0
            ? OptionalLong.of(0)
            : Numbers.signed(text.substring(sign + (sign == plus ? 1 : 0)));
    String symbol = name.substring(name.indexOf(':') + 1);
    if (offset.isEmpty()
        || offset.getAsLong() < 0
        || offset.getAsLong() > 0xffff_ffffL
        || !KernelSelector.Function.isName(symbol)
        || (name.contains(":")
            && !KernelSelector.Function.isModule(name.substring(0, name.indexOf(':'))))) {
      throw problems.error(
          ProbeError.BAD_PROBE_ADDR,
          where.span(),
          "a location is [MODULE:]SYMBOL[+OFFSET] or an address: vfs_read, ext4:ext4_sync_file");
    }
    if (offset.getAsLong() > 0 && (isReturn || kind == EventKind.FUNCTION)) {
      throw problems.error(ProbeError.BAD_RETPROBE, where.span(), "write " + name);
    }
    return new EventLocation.Symbol(name, offset.getAsLong());
  }

  private EventLocation record(String text) throws Reported {
    String[] names = text.split(text.contains("/") ? "/" : "\\.", 2);
    if (names.length != 2 || names[1].isEmpty()) {
      throw problems.error(ProbeError.NO_EVENT_INFO, where.span(), "write sched.sched_switch");
    }
    int separator = names[0].length();
    EventName.checkGroup(where.span(0, separator), names[0], problems);
    EventName.checkEvent(where.from(separator + 1), names[1], problems);
    return new EventLocation.Event(names[0], names[1]);
  }

  private EventLocation file(String text) throws Reported {
    int colon = text.lastIndexOf(':');
    if (colon <= 0 || colon + 1 == text.length()) {
      throw problems.error(
          where.span(),
          "this is not a location in a file",
          "write PATH:OFFSET or PATH:SYMBOL: /bin/bash:readline"
              + (text.contains("/") ? "" : "; ply kprobe-events probes the kernel"));
    }
    String path = text.substring(0, colon);
    if (!UserSelector.canBeBinary(path)) {
      throw problems.error(
          where.span(0, colon),
          "a path has no quotation marks",
          "write it without them: /bin/bash:readline");
    }
    String place = text.substring(colon + 1);
    if (!Character.isDigit(place.isEmpty() ? '(' : place.charAt(0))) {
      if (counter.isPresent() || !UserSelector.Function.isName(place)) {
        throw problems.error(
            ProbeError.BAD_UPROBE_OFFS,
            where.span(colon + 1, end),
            "an offset is a number: " + path + ":0x1139");
      }
      problems.note(
          where.span(colon + 1, end),
          "the kernel takes offsets in files only: this is an extension, --export shows the"
              + " offset");
      return new EventLocation.FileSymbol(path, place);
    }
    OptionalLong offset = Numbers.unsigned(place);
    if (offset.isEmpty()) {
      throw problems.error(
          ProbeError.BAD_UPROBE_OFFS,
          where.span(colon + 1, end),
          "an offset is a number: " + path + ":0x1139");
    }
    return new EventLocation.FileOffset(path, offset.getAsLong(), counter);
  }

  private OptionalLong counter(String text, int open) throws Reported {
    int close = text.indexOf(')', open);
    if (close < 0) {
      throw problems.error(
          ProbeError.REFCNT_OPEN_BRACE,
          where.span(text.length(), text.length() + 1),
          "close it with \")\"");
    }
    if (close + 1 < text.length()) {
      throw problems.error(
          ProbeError.BAD_REFCNT_SUFFIX, where.from(close + 1), "nothing follows it");
    }
    OptionalLong offset = Numbers.unsigned(text.substring(open + 1, close));
    if (offset.isEmpty() || offset.getAsLong() >>> Integer.SIZE != 0) {
      throw problems.error(
          ProbeError.BAD_REFCNT,
          where.span(open + 1, close),
          "it is an offset in the file, up to 0xffffffff: (0x3f00)");
    }
    return offset;
  }
}
