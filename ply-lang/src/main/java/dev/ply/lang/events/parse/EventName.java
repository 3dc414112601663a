package dev.ply.lang.events.parse;

import dev.ply.diagnostic.SourceSpan;
import dev.ply.lang.events.EventKind;
import dev.ply.lang.events.EventLocation;
import dev.ply.lang.events.EventSpace;
import dev.ply.lang.events.ProbeError;
import dev.ply.lang.events.Problems;
import dev.ply.lang.events.Problems.Reported;
import java.util.Optional;

/**
 * The name of an event in a definition, or that which the kernel gives one without.
 *
 * @param group empty if the definition has none
 * @param event empty if the definition has none
 */
record EventName(Optional<String> group, Optional<String> event) {
  private static final int LONGEST = 64;

  /** Returns the name after the colon of a command. */
  static EventName of(Word command, Problems problems) throws Reported {
    int colon = command.text().indexOf(':');
    if (colon < 0) {
      return new EventName(Optional.empty(), Optional.empty());
    }
    String name = command.text().substring(colon + 1);
    int slash = name.indexOf('/') >= 0 ? name.indexOf('/') : name.indexOf('.');
    Optional<String> group = slash < 0 ? Optional.empty() : Optional.of(name.substring(0, slash));
    if (group.isPresent()) {
      checkGroup(command.span(colon + 1, colon + 1 + slash), group.get(), problems);
    }
    String event = name.substring(slash + 1);
    SourceSpan span = command.from(colon + 2 + slash);
    if (event.isEmpty()) {
      if (group.isEmpty()) {
        throw problems.error(
            ProbeError.NO_EVENT_NAME, span, "write a name after the colon, or no colon");
      }
      return new EventName(group, Optional.empty());
    }
    checkEvent(span, event, problems);
    return new EventName(group, Optional.of(event));
  }

  /** Checks the name of an event without its group. */
  static void checkEvent(SourceSpan span, String event, Problems problems) throws Reported {
    if (event.length() >= LONGEST) {
      throw problems.error(
          ProbeError.EVENT_TOO_LONG, span, "up to " + (LONGEST - 1) + " characters");
    }
    if (!ArgumentParser.isIdentifier(event)) {
      throw problems.error(ProbeError.BAD_EVENT_NAME, span, "letters, digits and underscores");
    }
  }

  /** Checks the name of a group. */
  static void checkGroup(SourceSpan span, String group, Problems problems) throws Reported {
    if (group.isEmpty()) {
      throw problems.error(ProbeError.NO_GROUP_NAME, span, "write GROUP/EVENT, or EVENT alone");
    }
    if (group.length() >= LONGEST) {
      throw problems.error(
          ProbeError.GROUP_TOO_LONG, span, "up to " + (LONGEST - 1) + " characters");
    }
    if (!ArgumentParser.isIdentifier(group.replace('-', '_'))) {
      throw problems.error(
          ProbeError.BAD_GROUP_NAME, span, "letters, digits, underscores and hyphens");
    }
  }

  /** Returns the group of events without one. */
  static String group(EventKind kind, EventSpace space) {
    return switch (kind) {
      case PROBE, RETURN -> space == EventSpace.USER ? "uprobes" : "kprobes";
      case FUNCTION -> "fprobes";
      case TRACEPOINT -> "tracepoints";
      case RECORD -> "eprobes";
    };
  }

  /** Returns the name that the kernel derives from a location. */
  static String event(EventKind kind, EventLocation location, boolean isReturn) {
    String letter = isReturn ? "r_" : "p_";
    String name =
        location.accept(
            new EventLocation.Visitor<String, RuntimeException>() {
              @Override
              public String visit(EventLocation.Symbol symbol) {
                return kind == EventKind.FUNCTION
                    ? symbol.name() + (isReturn ? "__exit" : "__entry")
                    : letter + symbol.name() + "_" + symbol.offset();
              }

              @Override
              public String visit(EventLocation.Address address) {
                return letter + address.text();
              }

              @Override
              public String visit(EventLocation.FileOffset file) {
                return "p_" + stem(file.path()) + "_0x" + Long.toHexString(file.offset());
              }

              @Override
              public String visit(EventLocation.FileSymbol file) {
                return letter + stem(file.path()) + "_" + file.name() + "_0";
              }

              @Override
              public String visit(EventLocation.Event event) {
                return event.name();
              }

              @Override
              public String visit(EventLocation.Tracepoint tracepoint) {
                boolean isNumber = Character.isDigit(tracepoint.name().charAt(0));
                return isNumber ? "_" + tracepoint.name() : tracepoint.name();
              }
            });
    return name.replaceAll("[^0-9A-Za-z_]", "_");
  }

  /** Returns a file's name up to the first dot, hyphen or underscore. */
  private static String stem(String path) {
    return path.substring(path.lastIndexOf('/') + 1).replaceFirst("[._-].*", "");
  }
}
