package dev.ply.type;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.ByteRange;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EscapesTest {
  private static String escape(byte... bytes) {
    return Escapes.escape(TextBytes.decode(bytes));
  }

  @Property
  void anyBytesPrintAsUtf8WithoutControlCharacters(@ForAll byte[] bytes)
      throws CharacterCodingException {
    byte[] printed = TextBytes.encode(escape(bytes));

    String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(printed)).toString();
    assertThat(text.codePoints()).noneMatch(Character::isISOControl);
    assertThat(text.codePoints().map(Character::getType))
        .doesNotContain(
            (int) Character.LINE_SEPARATOR,
            (int) Character.PARAGRAPH_SEPARATOR,
            (int) Character.SURROGATE);
  }

  /** What almost is UTF-8 tells decoders apart. */
  @Property
  void brokenCharactersToo(
      @ForAll @Size(max = 9) @ByteRange(min = (byte) 0x80, max = -1) byte[] bytes)
      throws CharacterCodingException {
    anyBytesPrintAsUtf8WithoutControlCharacters(bytes);
  }

  @Property
  void printableAsciiStandsForItself(@ForAll @CharRange(from = ' ', to = '~') String text) {
    assertThat(Escapes.escape(text)).isSameAs(text);
    assertThat(Escapes.escapeLines(text)).isSameAs(text);
  }

  @Property
  void charactersOfTextStandForThemselves(
      @ForAll @CharRange(from = '\u00a0', to = '\u05ff') String text) {
    assertThat(Escapes.escape(text)).isEqualTo(text);
  }

  @Property
  void whatIsEscapedStaysAsItIs(@ForAll byte[] bytes) {
    String once = escape(bytes);
    assertThat(Escapes.escape(once)).isEqualTo(once);
  }

  @Property
  void bytesAreJudgedAsTextIs(@ForAll @Size(max = 6) byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    boolean isPlain = escape(bytes).equals(TextBytes.decode(bytes));

    assertThat(Escapes.plainEnd(buffer, 0, bytes.length) == bytes.length).isEqualTo(isPlain);
  }

  @Test
  void everyCharacterIsJudgedTheSameAsBytesAndAsText() {
    IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
        .filter(character -> Character.getType(character) != Character.SURROGATE)
        .forEach(
            character -> {
              String text = Character.toString(character);
              ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
              boolean isPlain = Escapes.plainEnd(bytes, 0, bytes.limit()) == bytes.limit();
              if (isPlain != Escapes.escape(text).equals(text)
                  || Escapes.characterEnd(bytes, 0, bytes.limit()) != bytes.limit()) {
                throw new AssertionError("U+" + Integer.toHexString(character));
              }
            });
  }

  @Test
  void controlCharactersAndBytesAreEscaped() {
    assertThat(Escapes.escape("\u001b[31m\u0007\u007f\n\t\r\0"))
        .isEqualTo("\\x1b[31m\\x07\\x7f\\n\\t\\r\\x00");
    assertThat(escape((byte) 0xff, (byte) 0xc3, (byte) 'a')).isEqualTo("\\xff\\xc3a");
    // C1's CSI, once as a character and once as a byte.
    assertThat(escape((byte) 0xc2, (byte) 0x9b, (byte) 0x9b)).isEqualTo("\\xc2\\x9b\\x9b");
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068,
        0x2069
      })
  void whatMovesTextAroundIsEscaped(int character) {
    assertThat(Escapes.escape(Character.toString(character))).matches("(\\\\x[0-9a-f]{2}){2,3}");
  }

  @Test
  void overlongFormsSurrogatesAndWhatLiesBeyondUnicodeAreBytes() {
    assertThat(escape((byte) 0xc0, (byte) 0x8a)).isEqualTo("\\xc0\\x8a");
    assertThat(escape((byte) 0xe0, (byte) 0x80, (byte) 0x9b)).isEqualTo("\\xe0\\x80\\x9b");
    assertThat(escape((byte) 0xed, (byte) 0xa0, (byte) 0x80)).isEqualTo("\\xed\\xa0\\x80");
    assertThat(escape((byte) 0xf4, (byte) 0x90, (byte) 0x80, (byte) 0x80))
        .isEqualTo("\\xf4\\x90\\x80\\x80");
  }

  @Test
  void textOfSeveralLinesKeepsItsNewlinesAndTabs() {
    assertThat(Escapes.escapeLines("a\n\tb\u001b\r\n")).isEqualTo("a\n\tb\\x1b\\r\n");
  }
}
