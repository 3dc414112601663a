package dev.ply.kernel.hotspot;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;

/**
 * The memory of a process with a HotSpot runtime. It can be a stranger's: reads are bounded. Not
 * thread-safe.
 */
public final class HotSpotMemory implements AutoCloseable {
  private static final int LONGEST_NAME = 64;

  private final FileChannel memory;
  private final Map<Long, String> names = new HashMap<>();

  private HotSpotMemory(FileChannel memory) {
    this.memory = memory;
  }

  /** Opens the memory of a process. */
  public static HotSpotMemory open(int process) throws IOException {
    return new HotSpotMemory(
        FileChannel.open(Path.of("/proc/" + process + "/mem"), StandardOpenOption.READ));
  }

  /** Reads a word. */
  public long word(long address) throws IOException {
    return bytes(address, Long.BYTES).getLong(0);
  }

  /** Reads a text that several things have. */
  public String name(long address) throws IOException {
    String known = names.get(address);
    if (known == null) {
      known = text(address);
      names.put(address, known);
    }
    return known;
  }

  String text(long address) throws IOException {
    ByteBuffer read = read(address, LONGEST_NAME);
    int end = 0;
    while (end < read.limit() && read.get(end) != 0) {
      end++;
    }
    byte[] text = new byte[end];
    read.get(0, text);
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  /** Reads bytes, in the order of this machine. */
  public ByteBuffer bytes(long address, int size) throws IOException {
    ByteBuffer read = read(address, size);
    if (read.limit() < size) {
      throw new IOException("nothing is mapped at 0x" + Long.toHexString(address + read.limit()));
    }
    return read;
  }

  private ByteBuffer read(long address, int size) throws IOException {
    if (address < 0) {
      throw new IOException("0x" + Long.toHexString(address) + " is no address of a process");
    }
    ByteBuffer buffer = ByteBuffer.allocate(size).order(ByteOrder.nativeOrder());
    int count = memory.read(buffer, address);
    return buffer.position(0).limit(Math.max(0, count));
  }

  @Override
  public void close() throws IOException {
    memory.close();
  }
}
