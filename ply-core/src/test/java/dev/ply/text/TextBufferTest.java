package dev.ply.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.type.TextBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class TextBufferTest {
  private final TextBuffer text = new TextBuffer();

  @Property
  void numbersAreWrittenAsJavaWritesThem(@ForAll long number) {
    text.clear();
    text.append(number).append(' ').appendUnsigned(number).append(' ').appendHex(number);
    text.append(' ').appendBits(number, 3).append(' ').appendBits(number, 1);

    assertThat(text)
        .hasToString(
            String.join(
                " ",
                Long.toString(number),
                Long.toUnsignedString(number),
                Long.toHexString(number),
                Long.toOctalString(number),
                Long.toBinaryString(number)));
  }

  @Property
  void digitsAreCounted(@ForAll long number) {
    assertThat(TextBuffer.decimalDigits(number)).isEqualTo(Long.toUnsignedString(number).length());
  }

  @Test
  void numbersAtTheEdgesAreWrittenInFull() {
    long[] edges = {0, 9, 10, 99, 100, Integer.MAX_VALUE, 1L << 31, Long.MAX_VALUE, Long.MIN_VALUE};
    for (long edge : edges) {
      numbersAreWrittenAsJavaWritesThem(edge);
      numbersAreWrittenAsJavaWritesThem(-edge);
      digitsAreCounted(edge);
      digitsAreCounted(-edge);
    }
    for (long power = 1, i = 0; i < 19; i++, power *= 10) {
      digitsAreCounted(power);
      digitsAreCounted(power - 1);
    }
    digitsAreCounted(Long.parseUnsignedLong("10000000000000000000"));
    digitsAreCounted(Long.parseUnsignedLong("9999999999999999999"));
  }

  @Property
  void textBecomesItsBytes(@ForAll String before, @ForAll String after) throws IOException {
    text.clear();
    text.append(before).append('é').append(after);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    text.writeTo(out);

    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    expected.write(TextBytes.encode(before));
    expected.write(TextBytes.encode("é"));
    expected.write(TextBytes.encode(after));
    assertThat(out.toByteArray()).isEqualTo(expected.toByteArray());
  }

  @Property
  void insertingMovesWhatFollows(
      @ForAll @IntRange(max = 20) int position, @ForAll @IntRange(min = -2, max = 400) int count) {
    text.clear();
    text.append("abcdefghijklmnopqrst").insert(position, '.', count);

    assertThat(text)
        .hasToString(
            new StringBuilder("abcdefghijklmnopqrst")
                .insert(position, ".".repeat(Math.max(0, count)))
                .toString());
  }

  @Test
  void bytesAreTakenFromWhereTheyLie() {
    ByteBuffer record = ByteBuffer.wrap(new byte[] {0, 'p', 'l', 'y', 0});
    text.append(record, 1, 3).toUpperCase(1);
    assertThat(text).hasToString("p" + "ly".toUpperCase(Locale.ROOT));
    assertThat(text.length()).isEqualTo(3);
    assertThat(record.position()).isZero();
  }

  @Test
  void rowsAreWrittenWhileTheyAreMade() throws IOException {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    TextBuffer rows = new TextBuffer(written);
    int longest = 0;
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < 100_000; i++) {
      rows.append(i).append('\n').spill();
      all.append(i).append('\n');
      longest = Math.max(longest, rows.length());
    }
    rows.writeTo(written);

    assertThat(written).hasToString(all.toString());
    assertThat(longest).isLessThan(1 << 16);
  }
}
