package dev.ply.cli;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Severity;
import dev.ply.diagnostic.Source;
import dev.ply.lang.events.EventParser;
import dev.ply.lang.events.EventSpace;
import dev.ply.target.Architecture;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Definitions of events with verdicts of the kernel, from a table of the tests. */
final class EventVerdicts {
  static final String OK = "ok";
  static final String REFUSED = "refused";
  static final String BEYOND = "beyond";

  private EventVerdicts() {}

  /**
   * A definition, and the verdict: {@code ok}, {@code refused}, {@code beyond} or {@code
   * message@column}.
   */
  record Row(String definition, String verdict) {}

  static List<Row> of(String table) throws IOException {
    try (InputStream in = EventVerdicts.class.getResourceAsStream("/events/" + table)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\t", 2))
          .map(parts -> new Row(parts[0], parts[1]))
          .toList();
    }
  }

  /** Returns our verdict. */
  static String ours(String definition, EventSpace space) {
    Optional<Diagnostic> error =
        EventParser.parse(new Source("x", definition), space, Architecture.X86_64)
            .diagnostics()
            .stream()
            .filter(one -> one.severity() == Severity.ERROR)
            .findFirst();
    return error.map(one -> one.message() + "@" + one.span().column()).orElse(OK);
  }
}
