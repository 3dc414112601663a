package dev.ply.type;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.ByteRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class TextBytesTest {
  @Property
  void noByteIsLost(@ForAll byte[] bytes) {
    assertThat(TextBytes.encode(TextBytes.decode(bytes))).isEqualTo(bytes);
  }

  /** What almost is UTF-8 tells decoders apart. */
  @Property
  void noByteIsLostOfBrokenCharacters(
      @ForAll @Size(max = 9) @ByteRange(min = (byte) 0x80, max = -1) byte[] bytes) {
    assertThat(TextBytes.encode(TextBytes.decode(bytes))).isEqualTo(bytes);
  }

  @Property
  void textsAreUtf8(@ForAll String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    assertThat(TextBytes.decode(utf8)).isEqualTo(new String(utf8, StandardCharsets.UTF_8));
  }

  @Property
  void whatWasDecodedStaysAsItIs(@ForAll String text) {
    String once = TextBytes.decode(TextBytes.encode(text));
    assertThat(TextBytes.decode(TextBytes.encode(once))).isEqualTo(once);
  }

  @Test
  void aByteAloneIsOneChar() {
    byte[] bytes = {'a', (byte) 0xff, (byte) 0xc3, 'b', (byte) 0xc3, (byte) 0xa9, (byte) 0xa9};
    String text = TextBytes.decode(bytes);
    assertThat(text).isEqualTo("a\udcff\udcc3b\u00e9\udca9");
    assertThat(TextBytes.isByte(text, 1)).isTrue();
    assertThat(TextBytes.isByte(text, 4)).isFalse();
    assertThat(TextBytes.ofByte((byte) 0xff)).isEqualTo('\udcff');
    assertThat(TextBytes.ofByte((byte) 'a')).isEqualTo('a');
  }

  @Test
  void aPairOfSurrogatesIsACharacter() {
    String text = "\ud800\udc80";
    assertThat(TextBytes.isByte(text, 1)).isFalse();
    assertThat(TextBytes.encode(text + "\udcff"))
        .isEqualTo(new byte[] {(byte) 0xf0, (byte) 0x90, (byte) 0x82, (byte) 0x80, (byte) 0xff});
  }

  @Test
  void halvesOfCharactersHaveNoBytes() {
    assertThat(TextBytes.encode("\udcff\ud800x\udd00")).isEqualTo(new byte[] {-1, '?', 'x', '?'});
  }
}
