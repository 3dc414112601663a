package dev.ply.cli.live;

import dev.ply.cli.live.draw.RowOrder;
import dev.ply.cli.live.model.PaneState;
import dev.ply.cli.live.model.ViewState;
import dev.ply.cli.live.model.ViewState.Mode;
import dev.ply.type.Escapes;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * What a key does to the state of the view. What it does beyond is an {@link Effect}.
 *
 * @param state of the view
 * @param rows of the pane that keys are for; empty if it shows events
 * @param panes how many there are
 * @param page how many rows are a page
 */
record KeyBindings(ViewState state, Optional<RowOrder> rows, int panes, int page) {
  private static final int LONGEST_FILTER = 200;

  /** What a key asks for that is no state. */
  enum Effect {
    NONE,
    QUIT,
    RESET,
    SAVE,
    REDRAW
  }

  /** The state after a key, and what else there is to do. */
  record Outcome(ViewState state, Effect effect) {}

  Outcome press(Key key) {
    if (state.typed().isPresent()) {
      return new Outcome(typed(key, state.typed().get()), Effect.NONE);
    }
    if (state.isHelp()) {
      boolean isQuit = key.name() == Key.Name.CHARACTER && key.character() == 'q';
      return new Outcome(state.helping(false), isQuit ? Effect.QUIT : Effect.NONE);
    }
    ViewState quiet = state.saying("");
    if (key.name() == Key.Name.CHARACTER) {
      return character(quiet, key.character());
    }
    if (key.name() == Key.Name.REDRAW) {
      return new Outcome(quiet, Effect.REDRAW);
    }
    return new Outcome(named(quiet, key.name()), Effect.NONE);
  }

  private Outcome character(ViewState quiet, char character) {
    return switch (character) {
      case 'q', 'Q' -> new Outcome(quiet, Effect.QUIT);
      case 's' -> new Outcome(quiet, Effect.SAVE);
      case '0', 'z' -> new Outcome(quiet.saying("totals begin from now"), Effect.RESET);
      case 'r' -> new Outcome(quiet.with(quiet.pane().reversed()), Effect.NONE);
      case 't' -> new Outcome(switched(quiet), Effect.NONE);
      case ' ', 'p' -> new Outcome(quiet.paused(!quiet.isPaused()), Effect.NONE);
      case '/' -> new Outcome(quiet.typing(Optional.of("")), Effect.NONE);
      case '?', 'h' -> new Outcome(quiet.helping(true), Effect.NONE);
      case '<', ',' -> new Outcome(sorted(quiet, -1), Effect.NONE);
      case '>', '.' -> new Outcome(sorted(quiet, 1), Effect.NONE);
      case 'j' -> new Outcome(moved(quiet, 1), Effect.NONE);
      case 'k' -> new Outcome(moved(quiet, -1), Effect.NONE);
      default -> new Outcome(quiet, Effect.NONE);
    };
  }

  private ViewState named(ViewState quiet, Key.Name name) {
    return switch (name) {
      case UP -> moved(quiet, -1);
      case DOWN -> moved(quiet, 1);
      case PAGE_UP -> moved(quiet, -page);
      case PAGE_DOWN -> moved(quiet, page);
      case HOME -> moved(quiet, -Integer.MAX_VALUE / 2);
      case END -> moved(quiet, Integer.MAX_VALUE / 2);
      case LEFT -> sorted(quiet, -1);
      case RIGHT -> sorted(quiet, 1);
      case TAB -> quiet.focusing((quiet.focus() + 1) % panes);
      case BACK_TAB -> quiet.focusing(Math.floorMod(quiet.focus() - 1, panes));
      case ENTER -> expanded(quiet);
      case ESCAPE -> escaped(quiet);
      default -> quiet;
    };
  }

  /** Changes what is first, and sorts by it. */
  private static ViewState switched(ViewState quiet) {
    Mode other = quiet.mode() == Mode.TOTALS ? Mode.RATES : Mode.TOTALS;
    ViewState changed = quiet.showing(other);
    for (int i = 0; i < quiet.panes().size(); i++) {
      PaneState pane = changed.focusing(i).pane();
      PaneState unsorted =
          new PaneState(
              OptionalInt.empty(),
              pane.isReversed(),
              pane.selected(),
              pane.isExpanded(),
              pane.scroll());
      changed = changed.focusing(i).with(unsorted);
    }
    return changed.focusing(quiet.focus());
  }

  private ViewState sorted(ViewState quiet, int step) {
    if (rows.isEmpty()) {
      return quiet;
    }
    int column = Math.floorMod(rows.get().sort() + step, rows.get().width());
    return quiet.with(quiet.pane().sortedBy(column));
  }

  private ViewState moved(ViewState quiet, int by) {
    PaneState pane = quiet.pane();
    if (rows.isEmpty()) {
      return quiet.with(
          pane.scrolledTo(by < 0 ? Math.min(pane.scroll() - by, 1_000) : pane.scroll() - by));
    }
    int now = rows.get().selected();
    int next = now < 0 && by < 0 ? 0 : now + by;
    return quiet.with(pane.selecting(rows.get().key(Math.max(0, next))));
  }

  private ViewState expanded(ViewState quiet) {
    if (rows.isEmpty()) {
      return quiet;
    }
    PaneState pane = quiet.pane();
    PaneState chosen = rows.get().selected() >= 0 ? pane : pane.selecting(rows.get().key(0));
    return quiet.with(chosen.expanded(!pane.isExpanded()));
  }

  /** Undoes the details, then the selection, then the filter. */
  private static ViewState escaped(ViewState quiet) {
    PaneState pane = quiet.pane();
    if (pane.isExpanded()) {
      return quiet.with(pane.expanded(false));
    }
    if (pane.selected().isPresent()) {
      return quiet.with(pane.selecting(Optional.empty()));
    }
    return quiet.filtered(Optional.empty());
  }

  private ViewState typed(Key key, String text) {
    return switch (key.name()) {
      case CHARACTER ->
          text.length() < LONGEST_FILTER
              ? state.typing(Optional.of(text + key.character()))
              : state;
      case BACKSPACE ->
          state.typing(Optional.of(text.isEmpty() ? "" : text.substring(0, text.length() - 1)));
      case ESCAPE -> state.typing(Optional.empty());
      case ENTER -> filtered(text);
      default -> state;
    };
  }

  private ViewState filtered(String text) {
    ViewState done = state.typing(Optional.empty());
    if (text.isEmpty()) {
      return done.filtered(Optional.empty());
    }
    try {
      return done.filtered(Optional.of(Pattern.compile(text)));
    } catch (PatternSyntaxException e) {
      return done.saying(
          "\""
              + Escapes.escape(text)
              + "\" is no regular expression: "
              + e.getDescription().toLowerCase(Locale.ROOT));
    }
  }
}
