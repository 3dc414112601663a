package dev.ply.cli.follow;

/**
 * Decides from measured costs how many hits are left out: more as soon as two measurements in a row
 * are above the limit, fewer when the cost has been far below it for a while. Leaving hits out does
 * not save what each of them costs before a program has chosen: where that alone is above the
 * limit, only the end of the trace helps.
 */
final class OverheadControl {
  /** The largest number of hits of which one is examined: fewer would save nothing more. */
  static final int MOST = 1000;

  /** Measurements above the limit in a row before anything happens. */
  private static final int PATIENCE = 2;

  /** Measurements far below the limit in a row before more hits are examined. */
  private static final int RELIEF = 25;

  /** One of so many hits is few: what they cost hardly matters. */
  private static final int FEW = 100;

  /** The part of a hit's cost that examining fewer has to save, for still fewer to be tried. */
  private static final double SAVED = 0.2;

  /** The part of the limit that is aimed at. */
  private static final double AIM = 0.7;

  /** The part of the limit below which more hits are examined. */
  private static final double LOW = 0.25;

  private static final double MOST_MORE = 4;

  private final double limit;
  private int oneOf = 1;
  private double nanosBefore = Double.MAX_VALUE;
  private int above;
  private int below;

  /** What to do about a cost. */
  enum Action {
    /** Nothing changes. */
    GO_ON,
    /** Fewer hits are examined. */
    FEWER,
    /** More hits are examined. */
    MORE,
    /** The trace ends: leaving hits out does not help. */
    STOP
  }

  OverheadControl(double limit) {
    this.limit = limit;
  }

  /** Returns one of how many hits is to be examined. */
  int oneOf() {
    return oneOf;
  }

  /**
   * Takes a measured cost.
   *
   * @param share of a CPU
   * @param nanos of a hit on average, whether it was examined or not
   */
  Action decide(double share, double nanos) {
    above = share > limit ? above + 1 : 0;
    below = share < LOW * limit ? below + 1 : 0;
    if (above >= PATIENCE) {
      if (oneOf == MOST || (oneOf >= FEW && nanos > (1 - SAVED) * nanosBefore)) {
        return Action.STOP;
      }
      double factor = Math.max(2, share / (AIM * limit));
      int fewer = (int) Math.min(MOST, Math.ceil(oneOf * factor));
      // Whether leaving hits out helps at all is known when few are examined.
      change(oneOf == 1 ? fewer : Math.max(FEW, fewer), nanos);
      return Action.FEWER;
    }
    if (below >= RELIEF && oneOf > 1) {
      double room = share == 0 ? MOST_MORE : Math.min(MOST_MORE, AIM * limit / share);
      change((int) Math.max(1, Math.floor(oneOf / room)), Double.MAX_VALUE);
      return Action.MORE;
    }
    return Action.GO_ON;
  }

  private void change(int chosen, double nanos) {
    oneOf = chosen;
    nanosBefore = nanos;
    above = 0;
    below = 0;
  }
}
