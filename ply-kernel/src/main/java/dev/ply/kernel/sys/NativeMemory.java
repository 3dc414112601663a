package dev.ply.kernel.sys;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Memory outside the heap that the kernel may read and write, freed with this object. */
public final class NativeMemory {
  private final ByteBuffer bytes;
  private final long address;

  private NativeMemory(ByteBuffer bytes) {
    this.bytes = bytes;
    this.address = Pointer.nativeValue(Native.getDirectBufferPointer(bytes));
  }

  /** Allocates {@code size} bytes of zeros, aligned to 8. */
  public static NativeMemory allocate(int size) {
    // A length of zero has no address.
    return new NativeMemory(
        ByteBuffer.allocateDirect(Math.max(size, 8)).order(ByteOrder.nativeOrder()));
  }

  /** Copies {@code content}. */
  public static NativeMemory of(byte[] content) {
    NativeMemory memory = allocate(content.length);
    memory.bytes.put(0, content);
    return memory;
  }

  /** Copies {@code text} in UTF-8 with a NUL at its end. */
  public static NativeMemory ofString(String text) {
    byte[] content = text.getBytes(StandardCharsets.UTF_8);
    NativeMemory memory = allocate(content.length + 1);
    memory.bytes.put(0, content);
    return memory;
  }

  /** Returns the content in native byte order, always the same buffer. */
  public ByteBuffer bytes() {
    return bytes;
  }

  /** Returns the address, valid as long as this object is reachable. */
  public long address() {
    return address;
  }

  /** Returns the bytes there are. */
  public int size() {
    return bytes.capacity();
  }
}
