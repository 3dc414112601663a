package dev.ply.bpf.vm.memory;

import dev.ply.bpf.isa.Size;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Little-endian numbers in byte arrays, at any offset; loads zero-extend. */
public final class LittleEndian {
  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private LittleEndian() {}

  /** Returns a byte at an index, zero-extended. */
  public static long get8(byte[] bytes, int at) {
    return bytes[at] & 0xffL;
  }

  /** Returns 16 bits at an index, zero-extended. */
  public static long get16(byte[] bytes, int at) {
    return (short) SHORTS.get(bytes, at) & 0xffffL;
  }

  /** Returns 32 bits at an index, zero-extended. */
  public static long get32(byte[] bytes, int at) {
    return (int) INTS.get(bytes, at) & 0xffff_ffffL;
  }

  /** Returns 64 bits at an index. */
  public static long get64(byte[] bytes, int at) {
    return (long) LONGS.get(bytes, at);
  }

  static long get(byte[] bytes, int at, Size size) {
    return switch (size) {
      case B -> get8(bytes, at);
      case H -> get16(bytes, at);
      case W -> get32(bytes, at);
      case DW -> get64(bytes, at);
    };
  }

  /** Stores the low 8 bits of a value at an index. */
  public static void set8(byte[] bytes, int at, long value) {
    bytes[at] = (byte) value;
  }

  /** Stores the low 16 bits of a value at an index. */
  public static void set16(byte[] bytes, int at, long value) {
    SHORTS.set(bytes, at, (short) value);
  }

  /** Stores the low 32 bits of a value at an index. */
  public static void set32(byte[] bytes, int at, long value) {
    INTS.set(bytes, at, (int) value);
  }

  /** Stores 64 bits at an index. */
  public static void set64(byte[] bytes, int at, long value) {
    LONGS.set(bytes, at, value);
  }

  static void set(byte[] bytes, int at, Size size, long value) {
    switch (size) {
      case B -> set8(bytes, at, value);
      case H -> set16(bytes, at, value);
      case W -> set32(bytes, at, value);
      case DW -> set64(bytes, at, value);
    }
  }
}
