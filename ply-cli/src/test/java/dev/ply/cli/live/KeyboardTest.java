package dev.ply.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import org.jline.utils.NonBlocking;
import org.junit.jupiter.api.Test;

class KeyboardTest {
  @Test
  void escapeBeforeAnArrowIsAKeyOfItsOwn() throws Exception {
    Keyboard keyboard =
        new Keyboard(NonBlocking.nonBlocking("keys", new StringReader("\033\033[Cr\033")));
    assertThat(keyboard.read(10_000)).contains(Key.of(Key.Name.ESCAPE));
    assertThat(keyboard.read(10_000)).contains(Key.of(Key.Name.RIGHT));
    assertThat(keyboard.read(10_000)).contains(Key.of('r'));
    assertThat(keyboard.read(10_000)).contains(Key.of(Key.Name.ESCAPE));
  }
}
