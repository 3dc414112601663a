package dev.ply.cli.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.cli.follow.OverheadControl.Action;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class OverheadControlTest {
  private static final double LIMIT = 0.02;

  /** Takes measurements of probes with this cost of each hit, and of each examined one more. */
  private static List<Action> actions(
      OverheadControl control, int measurements, double hits, double each, double examined) {
    List<Action> actions = new ArrayList<>();
    for (int i = 0; i < measurements; i++) {
      double nanos = each + examined / control.oneOf();
      actions.add(control.decide(hits * nanos / 1e9, nanos));
      if (actions.get(i) == Action.STOP) {
        break;
      }
    }
    return actions;
  }

  @Test
  void aSingleHighMeasurementIsNoReason() {
    OverheadControl control = new OverheadControl(LIMIT);
    assertThat(control.decide(1, 100)).isEqualTo(Action.GO_ON);
    assertThat(control.decide(0, 100)).isEqualTo(Action.GO_ON);
    assertThat(control.decide(1, 100)).isEqualTo(Action.GO_ON);
    assertThat(control.oneOf()).isOne();
  }

  @Test
  void fewerHitsAreExaminedAfterTheSecond() {
    OverheadControl control = new OverheadControl(LIMIT);
    assertThat(actions(control, 2, 1e6, 5, 1_000)).containsExactly(Action.GO_ON, Action.FEWER);
    assertThat(control.oneOf()).isEqualTo(72);
    assertThat(actions(control, 20, 1e6, 5, 1_000)).containsOnly(Action.GO_ON);
  }

  @Test
  void aTraceWhoseHitsAreTooManyIsStoppedSoon() {
    List<Action> actions = actions(new OverheadControl(LIMIT), 100, 1e6, 50, 50);
    assertThat(actions).endsWith(Action.STOP).hasSizeLessThanOrEqualTo(10);
  }

  @Test
  void moreHitsAreExaminedWhenTheStormIsOver() {
    OverheadControl control = new OverheadControl(LIMIT);
    List<Action> unused = actions(control, 2, 1e6, 5, 1_000);
    assertThat(actions(control, 200, 100, 5, 1_000)).contains(Action.MORE);
    assertThat(control.oneOf()).isOne();
  }

  @Property
  void aConstantLoadEndsBelowTheLimitOrStops(
      @ForAll @DoubleRange(min = 1, max = 1e7) double hits,
      @ForAll @DoubleRange(min = 1, max = 500) double each,
      @ForAll @DoubleRange(min = 0, max = 20_000) double examined) {
    OverheadControl control = new OverheadControl(LIMIT);
    List<Action> actions = actions(control, 100, hits, each, examined);
    boolean isStopped = actions.get(actions.size() - 1) == Action.STOP;
    double cost = hits * (each + examined / control.oneOf()) / 1e9;
    assertThat(isStopped || cost <= LIMIT).isTrue();
    if (isStopped) {
      // Nothing that examining fewer would have saved.
      assertThat(hits * (each + examined / OverheadControl.MOST) / 1e9).isGreaterThan(LIMIT / 2);
    }
  }
}
