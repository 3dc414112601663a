package dev.ply.kernel.learn;

import dev.ply.bpf.unwind.UnwindTable;
import dev.ply.kernel.untrusted.FileFacts;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The content of a file of {@link TableCache}: little-endian, a header of 64-bit numbers (format,
 * the two of the boot ID, owner and mode, size, device, inode, change, base, number of rows), the
 * rows, and a checksum of all before.
 */
final class TableFile {
  /** "plytab", and in the upper 16 bits the version: another one for other rules. */
  static final long FORMAT = 0x0003_6261_7479_6c70L;

  private static final int HEADER = 10 * Long.BYTES;
  private static final int CHECKSUM = Integer.BYTES;

  private TableFile() {}

  /** Returns the size of the file of a table. */
  static long size(UnwindTable table) {
    return HEADER + (long) table.size() * Long.BYTES + CHECKSUM;
  }

  /** Encodes the table of a file. */
  static byte[] encode(UUID boot, FileFacts facts, UnwindTable table) {
    byte[] bytes = new byte[Math.toIntExact(size(table))];
    ByteBuffer content = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    content.put(header(boot, facts)).putLong(table.base()).putLong(table.size());
    for (int row = 0; row < table.size(); row++) {
      content.putLong(table.row(row));
    }
    content.putInt(checksum(bytes));
    return bytes;
  }

  /** Decodes the table of a file; empty if it is of another file or boot, or damaged. */
  static Optional<UnwindTable> decode(UUID boot, FileFacts facts, byte[] bytes) {
    ByteBuffer content = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer header = header(boot, facts);
    if (bytes.length < HEADER + CHECKSUM
        || !content.slice(0, header.limit()).equals(header)
        || content.getInt(bytes.length - CHECKSUM) != checksum(bytes)) {
      return Optional.empty();
    }
    content.position(header.limit());
    long base = content.getLong();
    long count = content.getLong();
    if (count != (bytes.length - HEADER - CHECKSUM) / Long.BYTES) {
      return Optional.empty();
    }
    long[] rows = new long[(int) count];
    content.asLongBuffer().get(rows);
    return Optional.of(UnwindTable.of(base, rows, rows.length));
  }

  private static ByteBuffer header(UUID boot, FileFacts facts) {
    return ByteBuffer.allocate(HEADER - 2 * Long.BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(FORMAT)
        .putLong(boot.getMostSignificantBits())
        .putLong(boot.getLeastSignificantBits())
        .putLong(Integer.toUnsignedLong(facts.owner()) << Integer.SIZE | facts.mode())
        .putLong(facts.size())
        .putLong(facts.device())
        .putLong(facts.inode())
        .putLong(facts.changed())
        .flip();
  }

  private static int checksum(byte[] bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, bytes.length - CHECKSUM);
    return (int) checksum.getValue();
  }
}
