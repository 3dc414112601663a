package dev.ply.bpf.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Set;

/**
 * A file of packets that begin with an IP header, in the format of libpcap (pcap-savefile(5)). What
 * it holds is complete after each {@link #flush}, also after one that failed. Not thread-safe.
 */
final class PacketFile implements AutoCloseable {
  private static final int MAGIC = 0xa1b2c3d4;
  private static final short MAJOR = 2;
  private static final short MINOR = 4;

  private static final int LONGEST = 65_535;
  private static final int BUFFER = 1 << 18;

  /** LINKTYPE_RAW. */
  private static final int RAW_IP = 101;

  private static final int RECORD_HEADER = 16;
  private static final int NANOS_PER_MICROSECOND = 1000;

  private final SeekableByteChannel channel;
  private final ByteBuffer pending = ByteBuffer.allocate(BUFFER).order(ByteOrder.LITTLE_ENDIAN);

  /** The size of the file up to the end of the last complete packet. */
  private long complete;

  private PacketFile(SeekableByteChannel channel) {
    this.channel = channel;
  }

  /**
   * Creates a file for its owner alone. A file of this name is replaced, and so is a symbolic link,
   * rather than what it points to.
   *
   * @throws IOException if something else has this name, or the file cannot be written
   */
  static PacketFile create(Path path) throws IOException {
    boolean isFile =
        Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) || Files.isSymbolicLink(path);
    if (isFile) {
      Files.delete(path);
    } else if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileSystemException(path.toString(), null, "it exists and is not a regular file");
    }
    return on(
        Files.newByteChannel(
            path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), forOwner(path)));
  }

  /** Writes the header of an empty file, which is closed if that fails. */
  static PacketFile on(SeekableByteChannel channel) throws IOException {
    PacketFile file = new PacketFile(channel);
    file.pending.putInt(MAGIC).putShort(MAJOR).putShort(MINOR).putLong(0);
    file.pending.putInt(LONGEST).putInt(RAW_IP);
    try {
      file.flush();
      return file;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static FileAttribute<?>[] forOwner(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  /**
   * Adds a packet.
   *
   * @param packet its first bytes
   * @param length the number of all its bytes
   */
  void add(Instant time, ByteBuffer packet, int length) throws IOException {
    int kept = Math.min(packet.remaining(), LONGEST);
    if (pending.remaining() < RECORD_HEADER + kept) {
      flush();
    }
    pending.putInt((int) time.getEpochSecond()).putInt(time.getNano() / NANOS_PER_MICROSECOND);
    pending.putInt(kept).putInt(length);
    pending.put(packet.slice().limit(kept));
  }

  /** Writes what has been added. If that fails, the file ends after a complete packet. */
  void flush() throws IOException {
    if (pending.position() == 0) {
      return;
    }
    pending.flip();
    try {
      while (pending.hasRemaining()) {
        int unused = channel.write(pending);
      }
      complete = channel.position();
    } catch (IOException e) {
      channel.truncate(complete);
      throw e;
    } finally {
      pending.clear();
    }
  }

  /** Writes what has been added, and closes the file. */
  @Override
  public void close() throws IOException {
    try (channel) {
      flush();
    }
  }
}
