package dev.ply.kernel.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.kernel.mapping.MappingEvent.Executed;
import dev.ply.kernel.mapping.MappingEvent.Exited;
import dev.ply.kernel.mapping.MappingEvent.Forked;
import dev.ply.kernel.mapping.MappingEvent.Mapped;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The records of perf_event_open(2), built as the manual page lays them out. */
final class RecordParserTest {
  private static final int PROCESS = 77;
  private static final long TIME = 123_456_789;
  private static final int EXECUTED = 1 << 13;
  private static final int BUILD_ID = 1 << 14;

  private final List<MappingEvent> events = new ArrayList<>();
  private final List<Long> lost = new ArrayList<>();

  private static ByteBuffer record(int type, int flags, Consumer<ByteBuffer> content) {
    ByteBuffer record = ByteBuffer.allocate(256).order(ByteOrder.nativeOrder());
    record.putInt(type).putShort((short) flags).putShort((short) 0);
    content.accept(record);
    record.putLong(TIME);
    return record.putShort(6, (short) record.position()).flip();
  }

  private static ByteBuffer mapping(int flags, Consumer<ByteBuffer> identity) {
    return record(
        10,
        flags,
        record -> {
          record.putInt(PROCESS).putInt(PROCESS);
          record.putLong(0x7000).putLong(0x2000).putLong(0x1000);
          identity.accept(record);
          record.putInt(5).putInt(2);
          record.put("/lib/a.so\0\0\0\0\0\0\0".getBytes(StandardCharsets.US_ASCII));
        });
  }

  private void parse(ByteBuffer... records) {
    ByteBuffer all = ByteBuffer.allocate(1024).order(ByteOrder.nativeOrder());
    for (ByteBuffer record : records) {
      all.put(record);
    }
    new RecordParser(events::add, lost::add).parse(all.flip());
  }

  @Test
  void aMappingHasItsFilesInode() {
    parse(mapping(0, record -> record.putInt(8).putInt(1).putLong(4711).putLong(0)));
    assertThat(events)
        .containsExactly(
            new Mapped(
                TIME,
                PROCESS,
                new FileMapping(
                    0x7000,
                    0x9000,
                    0x1000,
                    "/lib/a.so",
                    new FileIdentity.Inode(8L << 32 | 1, 4711))));
  }

  @Test
  void aMappingHasItsFilesBuildId() {
    byte[] id = {(byte) 0xab, 1, 2};
    parse(
        mapping(
            BUILD_ID, record -> record.put((byte) 3).put(new byte[3]).put(id).put(new byte[17])));
    assertThat(((Mapped) events.get(0)).mapping().identity())
        .isEqualTo(new FileIdentity.BuildId("ab0102"));
  }

  @Test
  void processesForkExecAndExit() {
    parse(
        record(
            7, 0, record -> record.putInt(PROCESS).putInt(1).putInt(PROCESS).putInt(1).putLong(0)),
        record(3, EXECUTED, record -> record.putInt(PROCESS).putInt(PROCESS).putLong(0)),
        record(
            4, 0, record -> record.putInt(PROCESS).putInt(1).putInt(PROCESS).putInt(1).putLong(0)));
    assertThat(events)
        .containsExactly(
            new Forked(TIME, PROCESS, 1), new Executed(TIME, PROCESS), new Exited(TIME, PROCESS));
  }

  @Test
  void threadsAndTheirNamesAreNoProcesses() {
    parse(
        record(7, 0, record -> record.putInt(9).putInt(9).putInt(10).putInt(9).putLong(0)),
        record(3, 0, record -> record.putInt(9).putInt(10).putLong(0)),
        record(4, 0, record -> record.putInt(9).putInt(9).putInt(10).putInt(9).putLong(0)));
    assertThat(events).isEmpty();
  }

  @Test
  void recordsThatTheKernelDroppedAreCounted() {
    parse(record(2, 0, record -> record.putLong(1).putLong(42)));
    assertThat(lost).containsExactly(42L);
  }

  @Property
  void aRecordThatIsCutIsNone(@ForAll @IntRange(max = 223) int length) {
    ByteBuffer mapping = mapping(0, record -> record.putInt(8).putInt(1).putLong(1).putLong(0));
    int size = mapping.limit();
    ByteBuffer all = ByteBuffer.allocate(2 * size).order(ByteOrder.nativeOrder());
    all.put(mapping.duplicate()).put(mapping.duplicate()).flip();
    events.clear();
    new RecordParser(events::add, lost::add)
        .parse(all.slice(0, Math.min(length, 2 * size)).order(ByteOrder.nativeOrder()));
    assertThat(events).hasSize(Math.min(length / size, 2));
  }
}
