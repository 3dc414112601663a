package dev.ply.cli.live.draw;

import dev.ply.cli.live.model.Status;
import dev.ply.cli.live.model.ViewState;
import dev.ply.cli.live.model.ViewState.Mode;
import dev.ply.table.TableSchema.Unit;
import dev.ply.type.Escapes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jline.utils.AttributedString;

/** The title line, the status line, and the line of keys. */
final class Bars {
  private static final double MILLIS = 1e6;

  private final Status status;
  private final ViewState state;
  private final Look look;
  private final int columns;

  Bars(Status status, ViewState state, Look look, int columns) {
    this.status = status;
    this.state = state;
    this.look = look;
    this.columns = columns;
  }

  /** Returns what is traced, and for how long. */
  AttributedString top() {
    String probes = status.probes() + (status.probes() == 1 ? " probe" : " probes");
    String facts = "  " + probes + "  " + clock(status.elapsed());
    String paused = state.isPaused() ? " PAUSED " : "";
    Line line = new Line(look);
    line.left(status.title(), columns - facts.length() - paused.length(), look.strong());
    line.add(paused, look.notice().inverse());
    return line.add(facts, look.faint()).fit(columns);
  }

  private static String clock(Duration time) {
    return String.format(
        Locale.ROOT, "%d:%02d:%02d", time.toHours(), time.toMinutesPart(), time.toSecondsPart());
  }

  /** Returns losses, and what tracing costs whom; what matters least is left out first. */
  AttributedString costs() {
    Line line = new Line(look);
    if (status.losses().isEmpty()) {
      line.add("nothing lost", look.faint());
    } else {
      line.add(String.join("; ", status.losses()), look.alarm());
    }
    List<String> facts = new ArrayList<>();
    facts.add(format("ply %.1f %% CPU", 100 * status.processor()));
    Optional<Status.Cost> cost = status.cost();
    cost.ifPresent(
        one ->
            facts.add(
                one.hits() == 0
                    ? "no hits"
                    : format(
                        "probes %.1f %% CPU, %,d ns a hit", 100 * one.processor(), one.nanos())));
    facts.add("read every " + seconds(status.period()));
    cost.filter(one -> one.hits() > 0)
        .ifPresent(one -> facts.add(Amounts.brief(one.hits(), Unit.NONE) + " hits/s"));
    cost.flatMap(Status.Cost::most).ifPresent(most -> facts.add("most: " + most));
    facts.add(format("reading takes %.1f ms", status.reading().toNanos() / MILLIS));
    String dot = look.choose(" | ", " · ");
    for (String fact : facts) {
      if (line.length() + dot.length() + fact.length() <= columns) {
        line.add(dot + fact, look.faint());
      }
    }
    return line.fit(columns);
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private static String seconds(Duration time) {
    double seconds = time.toMillis() / 1000.0;
    return format(seconds == Math.rint(seconds) ? "%.0f s" : "%.1f s", seconds);
  }

  /** Returns the filter being typed, else the last message, else as many keys as fit. */
  AttributedString keys() {
    Line line = new Line(look);
    if (state.typed().isPresent()) {
      line.add("filter, a regular expression: ", look.strong());
      line.add(state.typed().get(), look.plain()).add(look.choose("_", "█"), look.plain());
      return line.fit(columns);
    }
    if (!state.message().isEmpty()) {
      return line.add(state.message(), look.notice()).fit(columns);
    }
    state
        .filter()
        .ifPresent(
            filter -> line.add("/" + Escapes.escape(filter.pattern()) + "/  ", look.notice()));
    String[][] keys = {
      {"q", "quit"},
      {"?", "help"},
      {"/", "filter"},
      {"<>", "sort"},
      {"r", "reverse"},
      {"t", state.mode() == Mode.TOTALS ? "rates" : "totals"},
      {"space", state.isPaused() ? "continue" : "pause"},
      {"Enter", "details"},
      {"Tab", "next"},
      {"0", "reset"},
      {"s", "save"}
    };
    for (String[] key : keys) {
      if (line.length() + key[0].length() + key[1].length() + 1 <= columns) {
        line.add(key[0], look.strong()).add(" " + key[1] + "  ", look.faint());
      }
    }
    return line.fit(columns);
  }
}
