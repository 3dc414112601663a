package dev.ply.build;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;

/**
 * The times in a class archive: each soft reference among its objects has the milliseconds of the
 * machine's clock when it was made. They are all in which two archives of the same classes differ,
 * and are set to 0, with the checksums as HotSpot computes them (cds/filemap.hpp of JDK 25).
 */
final class ArchiveTimes {
  private static final int MAGIC = 0xf00baba2;
  private static final int CHECKSUM = 4;
  private static final int HEADER_SIZE = 12;
  private static final int CHECKED = 16;

  // The region of objects.
  private static final int REGION = 24 + 3 * 96;
  private static final int FILE_OFFSET = REGION + 24;
  private static final int USED = REGION + 40;

  private ArchiveTimes() {}

  /**
   * Sets the times to 0.
   *
   * @param archive the file
   * @param since {@link System#nanoTime} before it was made
   * @throws IOException if the file is not as expected, cannot be read or cannot be written
   */
  static void clear(Path archive, long since) throws IOException {
    ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(archive)).order(ByteOrder.nativeOrder());
    int objects = (int) file.getLong(FILE_OFFSET);
    int size = (int) file.getLong(USED);
    int headerSize = file.getInt(HEADER_SIZE);
    if (file.getInt(0) != MAGIC
        || checksum(file, objects, size) != file.getInt(REGION)
        || checksum(file, CHECKED, headerSize - CHECKED) != file.getInt(CHECKSUM)) {
      throw new IOException(archive + " has another layout than the archives of JDK 25");
    }
    long first = milliseconds(since);
    long last = milliseconds(System.nanoTime());
    for (int position = objects; position < objects + size; position += Long.BYTES) {
      long value = file.getLong(position);
      if (value >= first && value <= last) {
        file.putLong(position, 0);
      }
    }
    file.putInt(REGION, checksum(file, objects, size));
    file.putInt(CHECKSUM, checksum(file, CHECKED, headerSize - CHECKED));
    Files.write(archive, file.array());
  }

  private static long milliseconds(long nanoseconds) {
    return nanoseconds / 1_000_000;
  }

  private static int checksum(ByteBuffer file, int from, int size) {
    CRC32 checksum = new CRC32();
    checksum.update(file.slice(from, size));
    return (int) checksum.getValue();
  }
}
