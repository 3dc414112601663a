package dev.ply.cli.live.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What the user has chosen. Immutable.
 *
 * @param panes one for each map, and one for events
 * @param focus the pane that keys are for
 * @param filter what keys and events must contain
 * @param typed the filter that is being typed
 * @param mode what tables are sorted by, and percentiles are of
 * @param isPaused whether readings wait
 * @param isHelp whether the help is shown
 * @param message what the last key has done, or why it could not
 */
public record ViewState(
    List<PaneState> panes,
    int focus,
    Optional<Pattern> filter,
    Optional<String> typed,
    Mode mode,
    boolean isPaused,
    boolean isHelp,
    String message) {
  /** What tables show first. */
  public enum Mode {
    /** Everything since the start, or the last reset. */
    TOTALS,
    /** The last second, percentiles of the last minute. */
    RATES
  }

  /** Keeps a copy. */
  public ViewState {
    panes = List.copyOf(panes);
  }

  /** {@return the state at the start} */
  public static ViewState initial(int panes) {
    List<PaneState> all = new ArrayList<>();
    for (int i = 0; i < panes; i++) {
      all.add(PaneState.INITIAL);
    }
    return new ViewState(all, 0, Optional.empty(), Optional.empty(), Mode.TOTALS, false, false, "");
  }

  /** {@return the pane that keys are for} */
  public PaneState pane() {
    return panes.get(focus);
  }

  /** {@return this with another state of the pane that keys are for} */
  public ViewState with(PaneState pane) {
    List<PaneState> changed = new ArrayList<>(panes);
    changed.set(focus, pane);
    return new ViewState(changed, focus, filter, typed, mode, isPaused, isHelp, message);
  }

  /** {@return this with the keys for another pane, counted around} */
  public ViewState focusing(int pane) {
    int other = Math.floorMod(pane, panes.size());
    return new ViewState(panes, other, filter, typed, mode, isPaused, isHelp, message);
  }

  /** {@return this with another filter, or none} */
  public ViewState filtered(Optional<Pattern> pattern) {
    return new ViewState(panes, focus, pattern, typed, mode, isPaused, isHelp, message);
  }

  /** {@return this with a filter that is being typed, or none} */
  public ViewState typing(Optional<String> text) {
    return new ViewState(panes, focus, filter, text, mode, isPaused, isHelp, message);
  }

  /** {@return this with totals or rates first} */
  public ViewState showing(Mode other) {
    return new ViewState(panes, focus, filter, typed, other, isPaused, isHelp, message);
  }

  /** {@return this with waiting readings, or not} */
  public ViewState paused(boolean isWaiting) {
    return new ViewState(panes, focus, filter, typed, mode, isWaiting, isHelp, message);
  }

  /** {@return this with the help, or without} */
  public ViewState helping(boolean isShown) {
    return new ViewState(panes, focus, filter, typed, mode, isPaused, isShown, message);
  }

  /** {@return this with a message} */
  public ViewState saying(String text) {
    return new ViewState(panes, focus, filter, typed, mode, isPaused, isHelp, text);
  }
}
