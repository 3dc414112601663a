package dev.ply.cli.run;

import dev.ply.cli.io.Console;
import dev.ply.cli.io.UsageException;
import dev.ply.layout.OutputFormat;
import dev.ply.result.EventShape;
import dev.ply.table.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Refuses formats that would show nothing of a program, before it runs. */
final class FormatCheck {
  private FormatCheck() {}

  /**
   * Checks the formats of a request, and warns of what none of them shows.
   *
   * @throws UsageException if one shows nothing of the program
   */
  static void apply(
      Console console, TraceRequest request, List<TableSchema> maps, List<EventShape> events)
      throws UsageException {
    for (OutputFormat format : request.outputs().formats()) {
      if (!format.isDocument()) {
        continue;
      }
      if (request.purpose() != Purpose.TRACE) {
        throw new UsageException(
            option(request, format)
                + " shows traces, and no tests or benchmarks: -f json has these");
      }
      Optional<String> unfit = format.unfit(maps, events);
      if (unfit.isPresent()) {
        throw new UsageException(option(request, format) + " " + unfit.get());
      }
    }
    warn(console, request, maps);
  }

  /** Returns what selected a format. */
  private static String option(TraceRequest request, OutputFormat format) {
    return Stream.concat(Stream.of(request.outputs().own()), request.outputs().others().stream())
        .filter(output -> output.format() == format)
        .findFirst()
        .flatMap(output -> output.path())
        .map(path -> "-o " + path + " (" + format.word() + ")")
        .orElse("-f " + format.word());
  }

  private static void warn(Console console, TraceRequest request, List<TableSchema> maps) {
    boolean areProfiles =
        request.outputs().formats().stream()
            .allMatch(format -> format.isDocument() && format.showsStacksAlone());
    List<String> left = new ArrayList<>();
    for (TableSchema map : maps) {
      if (areProfiles && !map.isProfile()) {
        left.add(map.map());
      }
    }
    if (!left.isEmpty()) {
      console.warning(
          "-f "
              + request.outputs().own().format().word()
              + " leaves out "
              + String.join(", ", left)
              + ", which has no stack in its key; -o FILE.json writes all maps beside it");
    }
  }
}
