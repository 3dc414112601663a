package dev.ply.kernel.mapping;

import dev.ply.kernel.mapping.MappingEvent.Executed;
import dev.ply.kernel.mapping.MappingEvent.Exited;
import dev.ply.kernel.mapping.MappingEvent.Forked;
import dev.ply.kernel.mapping.MappingEvent.Mapped;
import dev.ply.type.TextBytes;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Parses the records of a perf event (enum perf_event_type of include/uapi/linux/perf_event.h)
 * whose sample ID is only the time.
 */
final class RecordParser {
  private static final int HEADER = 8;
  private static final int LOST = 2;
  private static final int COMM = 3;
  private static final int EXIT = 4;
  private static final int FORK = 7;
  private static final int MMAP2 = 10;

  /** PERF_RECORD_MISC_COMM_EXEC. */
  private static final int IS_EXEC = 1 << 13;

  /** PERF_RECORD_MISC_MMAP_BUILD_ID. */
  private static final int HAS_BUILD_ID = 1 << 14;

  private static final int IDENTITY = 40;
  private static final int LONGEST_BUILD_ID = 20;
  private static final int NAME = 72;

  private final Consumer<MappingEvent> events;
  private final LongConsumer lost;

  /**
   * @param lost receives the numbers of records dropped by the kernel
   */
  RecordParser(Consumer<MappingEvent> events, LongConsumer lost) {
    this.events = events;
    this.lost = lost;
  }

  /** Parses complete records. */
  void parse(ByteBuffer records) {
    int at = 0;
    while (at + HEADER <= records.limit()) {
      int size = Short.toUnsignedInt(records.getShort(at + 6));
      if (size < HEADER || at + size > records.limit()) {
        return;
      }
      parse(
          records.getInt(at),
          Short.toUnsignedInt(records.getShort(at + 4)),
          records.slice(at, size).order(records.order()));
      at += size;
    }
  }

  private void parse(int type, int flags, ByteBuffer record) {
    long time = record.getLong(record.limit() - Long.BYTES);
    int process = record.getInt(HEADER);
    switch (type) {
      case LOST -> lost.accept(record.getLong(HEADER + Long.BYTES));
      case COMM -> {
        if ((flags & IS_EXEC) != 0) {
          events.accept(new Executed(time, process));
        }
      }
      case EXIT -> {
        // Threads exit separately; the main thread's PID is the process's.
        if (process == record.getInt(HEADER + 8)) {
          events.accept(new Exited(time, process));
        }
      }
      case FORK -> {
        int parent = record.getInt(HEADER + 4);
        if (process != parent) {
          events.accept(new Forked(time, process, parent));
        }
      }
      case MMAP2 -> events.accept(new Mapped(time, process, mapping(flags, record)));
      default -> {
        // Records of throttling and others.
      }
    }
  }

  private static FileMapping mapping(int flags, ByteBuffer record) {
    long start = record.getLong(16);
    return new FileMapping(
        start,
        start + record.getLong(24),
        record.getLong(32),
        name(record),
        (flags & HAS_BUILD_ID) != 0 ? buildId(record) : inode(record));
  }

  private static FileIdentity buildId(ByteBuffer record) {
    int size = Math.min(record.get(IDENTITY), LONGEST_BUILD_ID);
    byte[] bytes = new byte[Math.max(0, size)];
    record.get(IDENTITY + 4, bytes);
    return new FileIdentity.BuildId(HexFormat.of().formatHex(bytes));
  }

  private static FileIdentity inode(ByteBuffer record) {
    long major = Integer.toUnsignedLong(record.getInt(IDENTITY));
    long minor = Integer.toUnsignedLong(record.getInt(IDENTITY + 4));
    return new FileIdentity.Inode(major << 32 | minor, record.getLong(IDENTITY + 8));
  }

  private static String name(ByteBuffer record) {
    int end = NAME;
    while (end < record.limit() - Long.BYTES && record.get(end) != 0) {
      end++;
    }
    byte[] name = new byte[end - NAME];
    record.get(NAME, name);
    return TextBytes.decode(name);
  }
}
