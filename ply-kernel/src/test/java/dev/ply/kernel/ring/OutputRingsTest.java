package dev.ply.kernel.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of the records of a perf event, those of programs are passed on. */
class OutputRingsTest {
  private static final int LOST = 2;
  private static final int SAMPLE = 9;

  private static ByteBuffer record(ByteBuffer to, int type, int size, byte... data) {
    int end = to.position() + size;
    to.putInt(type).putShort((short) 0).putShort((short) size).putInt(data.length).put(data);
    return to.position(Math.min(end, to.limit()));
  }

  @Test
  void samplesArePassedOnAsTheyAre() {
    ByteBuffer records = ByteBuffer.allocate(64).order(ByteOrder.nativeOrder());
    record(records, SAMPLE, 16, (byte) 1, (byte) 2, (byte) 3, (byte) 4);
    record(records, LOST, 24);
    record(records, SAMPLE, 24, (byte) 5);
    List<String> seen = new ArrayList<>();
    int samples =
        OutputRings.read(
            records.flip(),
            (memory, start, length) -> seen.add(memory.get(start) + " of " + length));
    assertThat(samples).isEqualTo(2);
    assertThat(seen).containsExactly("1 of 4", "5 of 1");
  }

  /** A size beyond the record, or the end of the buffer, is never read. */
  @Test
  void damageEndsTheRecords() {
    ByteBuffer records = ByteBuffer.allocate(16).order(ByteOrder.nativeOrder());
    records.putInt(SAMPLE).putShort((short) 0).putShort((short) 16).putInt(100).putInt(7);
    List<Integer> lengths = new ArrayList<>();
    int samples = OutputRings.read(records.flip(), (memory, start, length) -> lengths.add(length));
    assertThat(samples).isEqualTo(1);
    assertThat(lengths).containsExactly(4);
    records.putShort(6, (short) 24);
    assertThat(OutputRings.read(records, (memory, start, length) -> {})).isZero();
    records.putShort(6, (short) 0);
    assertThat(OutputRings.read(records, (memory, start, length) -> {})).isZero();
  }
}
