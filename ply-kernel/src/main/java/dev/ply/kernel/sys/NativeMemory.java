package dev.ply.kernel.sys;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Native memory that the kernel can read and write, freed with this object. */
public final class NativeMemory {
  private final ByteBuffer bytes;
  private final long address;

  private NativeMemory(ByteBuffer bytes) {
    // Reports why native calls are impossible, if they are.
    NativeLibrary unused = NativeCalls.library();
    this.bytes = bytes;
    this.address = Pointer.nativeValue(Native.getDirectBufferPointer(bytes));
  }

  /** Allocates {@code size} zeroed bytes, aligned to 8. */
  public static NativeMemory allocate(int size) {
    // Empty memory has no address.
    return new NativeMemory(
        ByteBuffer.allocateDirect(Math.max(size, 8)).order(ByteOrder.nativeOrder()));
  }

  /** Copies {@code content}. */
  public static NativeMemory of(byte[] content) {
    NativeMemory memory = allocate(content.length);
    memory.bytes.put(0, content);
    return memory;
  }

  /** Copies {@code text} in UTF-8, NUL-terminated. */
  public static NativeMemory ofString(String text) {
    return ofBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Copies bytes, NUL-terminated. */
  public static NativeMemory ofBytes(byte[] content) {
    NativeMemory memory = allocate(content.length + 1);
    memory.bytes.put(0, content);
    return memory;
  }

  /** Copies NUL-terminated byte strings, preceded by a NULL-terminated array of pointers. */
  public static NativeMemory ofStrings(List<byte[]> strings) {
    int pointers = (strings.size() + 1) * Long.BYTES;
    int size = strings.stream().mapToInt(string -> string.length + 1).sum();
    NativeMemory memory = allocate(pointers + size);
    int at = pointers;
    for (int i = 0; i < strings.size(); i++) {
      memory.bytes.putLong(i * Long.BYTES, memory.address + at).put(at, strings.get(i));
      at += strings.get(i).length + 1;
    }
    return memory;
  }

  /** Returns the content in native byte order, always the same buffer. */
  public ByteBuffer bytes() {
    return bytes;
  }

  /** Returns the address, valid while this object is reachable. */
  public long address() {
    return address;
  }

  /** Returns the size in bytes. */
  public int size() {
    return bytes.capacity();
  }
}
