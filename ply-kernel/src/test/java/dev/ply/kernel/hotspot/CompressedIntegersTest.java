package dev.ply.kernel.hotspot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

final class CompressedIntegersTest {
  /** As the runtime writes them: unsigned5.hpp. */
  private static byte[] written(int value, int excluded) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    long rest = Integer.toUnsignedLong(value);
    int low = 256 - 64 - excluded;
    for (int i = 0; i < 4 && rest >= low; i++) {
      rest -= low;
      bytes.write((int) (low + rest % 64 + excluded));
      rest /= 64;
    }
    bytes.write((int) (rest + excluded));
    return bytes.toByteArray();
  }

  @Property
  void anyIntegerIsReadBack(@ForAll int value, @ForAll boolean areZerosExcluded)
      throws IOException {
    byte[] bytes = written(value, areZerosExcluded ? 1 : 0);
    assertThat(new CompressedIntegers(ByteBuffer.wrap(bytes), areZerosExcluded).unsigned())
        .isEqualTo(value);
  }

  @Test
  void theSignIsTheLowestBit() throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(new byte[] {0, 1, 2, 3});
    CompressedIntegers integers = new CompressedIntegers(bytes, false);
    assertThat(integers.signed()).isZero();
    assertThat(integers.signed()).isEqualTo(-1);
    assertThat(integers.signed()).isEqualTo(1);
    assertThat(integers.signed()).isEqualTo(-2);
    assertThatThrownBy(integers::signed).isInstanceOf(IOException.class);
  }
}
