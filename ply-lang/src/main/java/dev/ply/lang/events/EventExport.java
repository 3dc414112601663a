package dev.ply.lang.events;

import dev.ply.selector.UserSelector;
import dev.ply.target.BinaryCatalog;
import dev.ply.target.UserLocation;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Writes definitions as the kernel's own files take them. */
public final class EventExport {
  private EventExport() {}

  /**
   * Returns a definition in one line, with a name and every argument's name; functions of files as
   * offsets, which the kernel takes alone.
   */
  public static String line(EventDefinition event, BinaryCatalog binaries) {
    StringBuilder line = new StringBuilder();
    boolean hasOwnReturn = event.kind() == EventKind.RETURN || event.kind() == EventKind.PROBE;
    line.append(event.isReturn() && hasOwnReturn ? 'r' : event.kind().letter());
    OptionalInt active = event.maxActive();
    active.ifPresent(line::append);
    line.append(':').append(event.group()).append('/').append(event.event()).append(' ');
    line.append(location(event.location(), binaries));
    if (event.isReturn() && !hasOwnReturn) {
      line.append("%return");
    }
    String arguments =
        event.arguments().stream()
            .map(
                argument ->
                    " " + argument.name().map(name -> name + "=").orElse("") + argument.text())
            .collect(Collectors.joining());
    line.append(arguments);
    event.condition().ifPresent(condition -> line.append(" if ").append(condition.expression()));
    return line.toString();
  }

  private static String location(EventLocation location, BinaryCatalog binaries) {
    if (location instanceof EventLocation.FileSymbol symbol) {
      List<UserLocation> found =
          binaries.locate(new UserSelector.Function(symbol.path(), symbol.name()));
      return new EventLocation.FileOffset(
              symbol.path(), found.get(0).offset(), OptionalLong.empty())
          .text();
    }
    return location.text();
  }
}
