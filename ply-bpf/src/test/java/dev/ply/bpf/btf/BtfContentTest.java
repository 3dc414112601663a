package dev.ply.bpf.btf;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Where pieces meet, nothing shows of it. */
class BtfContentTest {
  private static final int PIECE = 1 << 16;
  private static final byte[] ALL = new byte[2 * PIECE + 100];
  private static Path file = Path.of("");

  @BeforeContainer
  static void write() throws IOException {
    for (int i = 0; i < ALL.length; i++) {
      ALL[i] = (byte) (i % 11 == 0 ? 0 : 'a' + i % 26);
    }
    file = Files.createTempFile("ply-btf", "");
    Files.write(file, ALL);
  }

  @AfterContainer
  static void remove() throws IOException {
    Files.delete(file);
  }

  private static List<BtfContent> contents() throws IOException {
    return List.of(BtfContent.of(ALL), BtfContent.of(file));
  }

  @Property(tries = 200)
  void wordsAreThoseOfTheFile(@ForAll @IntRange(min = PIECE / 4 - 9, max = PIECE / 4 + 9) int word)
      throws IOException {
    int expected = ByteBuffer.wrap(ALL).order(ByteOrder.LITTLE_ENDIAN).getInt(4 * word);
    for (BtfContent content : contents()) {
      assertThat(content.word(4 * word)).isEqualTo(expected);
    }
  }

  @Property(tries = 200)
  void textsAreThoseOfTheFile(
      @ForAll @IntRange(min = PIECE - 30, max = PIECE + 30) int start,
      @ForAll @IntRange(min = 1, max = 40) int length)
      throws IOException {
    byte[] wanted = Arrays.copyOfRange(ALL, start, start + length);
    int end = start;
    while (ALL[end] != 0) {
      end++;
    }
    for (BtfContent content : contents()) {
      assertThat(content.has(start, wanted)).isTrue();
      assertThat(content.has(start + 1, wanted))
          .isEqualTo(Arrays.equals(ALL, start + 1, start + 1 + length, wanted, 0, length));
      assertThat(content.text(start, ALL.length))
          .isEqualTo(new String(ALL, start, end - start, UTF_8));
    }
  }

  @Property(tries = 50)
  void textsEndWithTheFile(@ForAll @IntRange(min = 1, max = 30) int before) throws IOException {
    int start = ALL.length - before;
    byte[] longer = Arrays.copyOf(Arrays.copyOfRange(ALL, start, ALL.length), before + 1);
    for (BtfContent content : contents()) {
      assertThat(content.has(start, longer)).isFalse();
    }
  }

  @Property(tries = 1)
  void aFileThatBecameShorterIsToldOf() throws IOException {
    Path shorter = Files.createTempFile("ply-btf", "");
    Files.write(shorter, ALL);
    BtfContent content = BtfContent.of(shorter);
    Files.write(shorter, new byte[PIECE]);
    assertThatThrownBy(() -> content.word(PIECE))
        .isInstanceOf(MalformedBtfException.class)
        .hasMessage("BTF that ends before its file does");
    Files.delete(shorter);
  }
}
