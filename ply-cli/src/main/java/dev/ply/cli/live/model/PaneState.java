package dev.ply.cli.live.model;

import dev.ply.table.Key;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the user has chosen in a pane. Immutable.
 *
 * @param sort the column that rows are sorted by; empty for the first one of values
 * @param isReversed whether the smallest is first
 * @param selected the key of the selected row
 * @param isExpanded whether the details of the selected row are shown
 * @param scroll lines of events that are below the pane
 */
public record PaneState(
    OptionalInt sort, boolean isReversed, Optional<Key> selected, boolean isExpanded, int scroll) {
  /** Nothing is chosen. */
  public static final PaneState INITIAL =
      new PaneState(OptionalInt.empty(), false, Optional.empty(), false, 0);

  /** {@return this, sorted by a column} */
  public PaneState sortedBy(int column) {
    return new PaneState(OptionalInt.of(column), isReversed, selected, isExpanded, scroll);
  }

  /** {@return this in the opposite order} */
  public PaneState reversed() {
    return new PaneState(sort, !isReversed, selected, isExpanded, scroll);
  }

  /** {@return this with a selected row, or none} */
  public PaneState selecting(Optional<Key> key) {
    return new PaneState(sort, isReversed, key, isExpanded, scroll);
  }

  /** {@return this with details of the selected row, or without} */
  public PaneState expanded(boolean isShown) {
    return new PaneState(sort, isReversed, selected, isShown, scroll);
  }

  /** {@return this at another line of events} */
  public PaneState scrolledTo(int lines) {
    return new PaneState(sort, isReversed, selected, isExpanded, Math.max(0, lines));
  }
}
