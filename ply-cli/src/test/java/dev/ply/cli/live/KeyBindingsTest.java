package dev.ply.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.cli.live.KeyBindings.Effect;
import dev.ply.cli.live.model.ViewState;
import dev.ply.cli.live.model.ViewState.Mode;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What keys do to the state of the view, where it shows events. */
final class KeyBindingsTest {
  private ViewState state = ViewState.initial(2).focusing(1);

  private Effect press(Key key) {
    KeyBindings.Outcome outcome = new KeyBindings(state, Optional.empty(), 2, 10).press(key);
    state = outcome.state();
    return outcome.effect();
  }

  private void type(String text) {
    text.chars().forEach(character -> press(Key.of((char) character)));
  }

  @Test
  void lettersHaveEffects() {
    assertThat(press(Key.of('q'))).isEqualTo(Effect.QUIT);
    assertThat(press(Key.of('s'))).isEqualTo(Effect.SAVE);
    assertThat(press(Key.of('0'))).isEqualTo(Effect.RESET);
    assertThat(press(Key.of(Key.Name.REDRAW))).isEqualTo(Effect.REDRAW);
    assertThat(press(Key.of('y'))).isEqualTo(Effect.NONE);
  }

  @Test
  void lettersChangeTheState() {
    press(Key.of('t'));
    assertThat(state.mode()).isEqualTo(Mode.RATES);
    press(Key.of(' '));
    assertThat(state.isPaused()).isTrue();
    press(Key.of('r'));
    assertThat(state.pane().isReversed()).isTrue();
    press(Key.of(Key.Name.TAB));
    assertThat(state.focus()).isZero();
    press(Key.of(Key.Name.BACK_TAB));
    assertThat(state.focus()).isOne();
  }

  @Test
  void aFilterIsTyped() {
    type("/a.cq");
    assertThat(state.typed()).hasValue("a.cq");
    press(Key.of(Key.Name.BACKSPACE));
    press(Key.of(Key.Name.ENTER));
    assertThat(state.filter())
        .hasValueSatisfying(filter -> assertThat(filter.pattern()).isEqualTo("a.c"));
    press(Key.of(Key.Name.ESCAPE));
    assertThat(state.filter()).isEmpty();
  }

  @Test
  void aFilterThatIsNoExpressionIsExplained() {
    type("/a(");
    press(Key.of(Key.Name.ENTER));
    assertThat(state.filter()).isEmpty();
    assertThat(state.message()).startsWith("\"a(\" is no regular expression: unclosed group");
    press(Key.of('y'));
    assertThat(state.message()).isEmpty();
  }

  @Test
  void anyKeyLeavesTheHelp() {
    press(Key.of('?'));
    assertThat(state.isHelp()).isTrue();
    assertThat(press(Key.of('s'))).isEqualTo(Effect.NONE);
    assertThat(state.isHelp()).isFalse();
  }

  @Test
  void eventsScroll() {
    press(Key.of(Key.Name.UP));
    press(Key.of(Key.Name.PAGE_UP));
    assertThat(state.pane().scroll()).isEqualTo(11);
    press(Key.of(Key.Name.END));
    assertThat(state.pane().scroll()).isZero();
  }
}
