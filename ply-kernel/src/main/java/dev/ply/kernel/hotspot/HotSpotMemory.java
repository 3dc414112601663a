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

  /** Far more than the tables of a runtime take, or the methods that are inlined in one. */
  private static final int MOST_READS = 1 << 16;

  private static final int MOST_BYTES = 1 << 22;

  private final Source memory;
  private final Map<Long, String> names = new HashMap<>();
  private int reads;
  private int bytes;

  /** The memory of a process. */
  public interface Source extends AutoCloseable {
    /**
     * Reads from an address on, as much as is mapped and fits.
     *
     * @return the number of bytes
     * @throws IOException if nothing is mapped there
     */
    int read(ByteBuffer into, long address) throws IOException;

    @Override
    void close() throws IOException;
  }

  /** The memory of a running process. */
  private record Running(FileChannel memory) implements Source {
    @Override
    public int read(ByteBuffer into, long address) throws IOException {
      return memory.read(into, address);
    }

    @Override
    public void close() throws IOException {
      memory.close();
    }
  }

  private HotSpotMemory(Source memory) {
    this.memory = memory;
  }

  /** Opens the memory of a process, for some thousand reads. */
  public static HotSpotMemory open(int process) throws IOException {
    return of(
        new Running(
            FileChannel.open(Path.of("/proc/" + process + "/mem"), StandardOpenOption.READ)));
  }

  /** Returns memory to be read once. */
  public static HotSpotMemory of(Source memory) {
    return new HotSpotMemory(memory);
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
    if (address < 0 || size < 0) {
      throw new IOException("0x" + Long.toHexString(address) + " is no address of a process");
    }
    reads++;
    bytes += size;
    if (reads > MOST_READS || bytes > MOST_BYTES) {
      throw new IOException("more than any runtime has to read");
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
