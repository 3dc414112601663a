package dev.ply.kernel.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class RecordReaderTest {
  private static final int PAGE = 64;
  private static final int SIZE = 128;
  private static final int BUSY = 1 << 31;
  private static final int DISCARDED = 1 << 30;

  private final ByteBuffer consumer = direct(PAGE);
  private final ByteBuffer producer = direct(PAGE + 2 * SIZE);
  private final RecordReader reader = new RecordReader(consumer, producer, PAGE, SIZE);
  private final List<Long> seen = new ArrayList<>();

  @Test
  void finishedRecordsAreReadOnce() {
    write(8, 1);
    write(16, 2);
    assertThat(reader.availableBytes()).isEqualTo(40);
    assertThat(reader.read(this::remember)).isEqualTo(2);
    assertThat(reader.read(this::remember)).isZero();
    assertThat(seen).containsExactly(1L, 2L);
    assertThat(reader.availableBytes()).isZero();
  }

  @Test
  void discardedRecordsAreSkipped() {
    write(8 | DISCARDED, 1);
    write(8, 2);
    assertThat(reader.read(this::remember)).isEqualTo(1);
    assertThat(seen).containsExactly(2L);
  }

  @Test
  void aBusyRecordHoldsBackWhatFollows() {
    write(8, 1);
    int busy = write(8 | BUSY, 2);
    write(8, 3);
    reader.read(this::remember);
    assertThat(seen).containsExactly(1L);
    producer.putInt(busy, 8);
    reader.read(this::remember);
    assertThat(seen).containsExactly(1L, 2L, 3L);
  }

  @Test
  void aRecordIsDoneWithEvenIfTheHandlerFails() {
    write(8, 1);
    write(8, 2);
    assertThatThrownBy(
            () ->
                reader.read(
                    (memory, start, length) -> {
                      throw new IllegalStateException("refused");
                    }))
        .hasMessage("refused");
    reader.read(this::remember);
    assertThat(seen).containsExactly(2L);
  }

  @Test
  void theRecordHasItsExactLengthAndCannotBeWritten() {
    write(11, 5);
    reader.read(
        (memory, start, length) -> {
          assertThat(length).isEqualTo(11);
          assertThat(memory.isReadOnly()).isTrue();
          assertThat(memory.order()).isEqualTo(ByteOrder.nativeOrder());
        });
    assertThat(reader.availableBytes()).isZero();
  }

  @Property
  void everyRecordArrivesInOrderAroundTheRing(
      @ForAll @Size(max = 60) List<@IntRange(min = 8, max = 40) Integer> lengths) {
    seen.clear();
    for (int i = 0; i < lengths.size(); i++) {
      write(lengths.get(i), i);
      reader.read(this::remember);
    }
    assertThat(seen).hasSameSizeAs(lengths).isSorted();
  }

  /** Plays the kernel: returns where the header is. */
  private int write(int header, long content) {
    long position = producer.getLong(0);
    int length = header & ~(BUSY | DISCARDED);
    int offset = PAGE + (int) (position % SIZE);
    putTwice(offset, header);
    // Both halves show the same memory: what crosses the end is at the start too.
    producer.putLong(offset + 8, content);
    producer.putLong(PAGE + (int) ((position + 8) % SIZE), content);
    producer.putLong(0, position + ((length + 15) & -8));
    return offset;
  }

  private void putTwice(int offset, int value) {
    producer.putInt(offset, value);
    producer.putInt(offset + SIZE, value);
  }

  private void remember(ByteBuffer memory, int start, int length) {
    seen.add(memory.getLong(start));
  }

  private static ByteBuffer direct(int size) {
    return ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
  }
}
