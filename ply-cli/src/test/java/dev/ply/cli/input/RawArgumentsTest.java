package dev.ply.cli.input;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.type.TextBytes;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class RawArgumentsTest {
  /** What Java makes of the arguments in the locale C. */
  private static String[] inLocaleC(String... raw) {
    String[] decoded = new String[raw.length];
    for (int i = 0; i < raw.length; i++) {
      decoded[i] =
          new String(raw[i].getBytes(ISO_8859_1), StandardCharsets.US_ASCII).replace('\ufffd', '?');
    }
    return decoded;
  }

  /** Of strings whose characters stand for bytes. */
  private static byte[] commandLine(String... raw) {
    return String.join("\0", raw).concat("\0").getBytes(ISO_8859_1);
  }

  @Property
  void everyByteIsKept(@ForAll byte[] bytes) {
    String argument = new String(bytes, ISO_8859_1).replace("\0", "");
    byte[] commandLine = commandLine("java", "dev.ply.cli.Ply", "-c", argument);
    String[] decoded = RawArguments.decode(commandLine, inLocaleC("-c", argument));
    assertThat(decoded).hasSize(2);
    assertThat(TextBytes.encode(decoded[1])).isEqualTo(argument.getBytes(ISO_8859_1));
  }

  @Test
  void emptyArgumentsCount() {
    assertThat(RawArguments.decode(commandLine("java", "Ply", "", "\374", ""), "", "?", ""))
        .containsExactly("", TextBytes.decode(new byte[] {(byte) 0xfc}), "");
    assertThat(RawArguments.decode(commandLine("java", "Ply"))).isEmpty();
  }

  /** A program may call {@code main} with arguments of its own. */
  @Test
  void argumentsOfAnotherCallerStay() {
    assertThat(RawArguments.decode(commandLine("java", "Other", "a", "b"), "-e", "BEGIN {}"))
        .containsExactly("-e", "BEGIN {}");
    assertThat(RawArguments.decode(commandLine("java"), "-e", "BEGIN {}"))
        .containsExactly("-e", "BEGIN {}");
  }
}
