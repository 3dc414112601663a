package dev.ply.bpf.codegen.emit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CodeBuilderTest {
  private static final byte[] TEXT = "abcdefghij".getBytes(StandardCharsets.ISO_8859_1);

  @ParameterizedTest
  @ValueSource(strings = {"LITTLE_ENDIAN", "BIG_ENDIAN"})
  void constantsAreWhatALoadHas(String name) {
    ByteOrder order = name.equals("BIG_ENDIAN") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    CodeBuilder code = new CodeBuilder(order);
    ByteBuffer memory = ByteBuffer.allocate(16).order(order).put(0, TEXT);
    assertThat(code.word(TEXT, 0, 8)).isEqualTo(memory.getLong(0));
    assertThat(code.word(TEXT, 4, 4)).isEqualTo(memory.getInt(4));
    assertThat(code.word(TEXT, 8, 8)).isEqualTo(memory.getLong(8));
    assertThat(code.word(TEXT, 9, 1)).isEqualTo('j');
  }
}
