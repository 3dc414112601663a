package dev.ply.bpf.vm.memory;

import java.util.Arrays;

/**
 * One object in the machine's memory, at its own address.
 *
 * <p>Tracked regions have a shadow of equal size, 0 for uninitialised and -1 for initialised bytes,
 * so that one wide load of the shadow checks an access.
 */
public final class Region {
  /** The kind of object, which decides on access rights. */
  public enum Kind {
    /** A stack frame. */
    STACK,
    /** The context of a run; read-only. */
    CONTEXT,
    /** A map value. */
    MAP_VALUE,
    /** The value of a frozen map; read-only. */
    FIXED_VALUE,
    /** A reserved ring buffer record. */
    RECORD,
    /** The memory argument of a raw run. */
    MEMORY,
    /** A map key passed to a callback; read-only. */
    MAP_KEY,
    /** The current task_struct; read-only. */
    TASK,
    /** Saved user registers; read-only. */
    REGISTERS,
    /** A map: an address without bytes. */
    MAP
  }

  /** The content of fresh memory, conspicuous where it leaks into results. */
  public static final byte FILLER = (byte) 0xdb;

  private static final byte[] UNTRACKED = {};

  private final Kind kind;
  private final String name;
  private final long address;
  private final byte[] shadow;
  private final boolean tracked;
  private final boolean writable;
  private byte[] bytes;
  private int limit;

  Region(Kind kind, String name, long address, byte[] bytes) {
    this.kind = kind;
    this.name = name;
    this.address = address;
    this.bytes = bytes;
    this.limit = bytes.length;
    this.tracked = kind == Kind.STACK;
    this.shadow = tracked ? new byte[bytes.length] : UNTRACKED;
    this.writable = isWritable(kind);
  }

  Kind kind() {
    return kind;
  }

  /** Returns the address of the first byte. */
  public long address() {
    return address;
  }

  /** Returns the content; not copied. */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns the shadow of a tracked region: -1 for each initialised byte, else 0. */
  public byte[] shadow() {
    return shadow;
  }

  /** Returns the number of bytes that loads and stores may access; probe reads see all. */
  public int limit() {
    return limit;
  }

  boolean isTracked() {
    return tracked;
  }

  /** Returns whether programs may store there. */
  public boolean isWritable() {
    return writable;
  }

  /** Returns whether loads and stores may access {@code count} bytes at an offset. */
  boolean has(int offset, int count) {
    return offset >= 0 && offset <= limit - count;
  }

  boolean isInitialised8(int at) {
    return !tracked || shadow[at] != 0;
  }

  boolean isInitialised16(int at) {
    return !tracked || LittleEndian.get16(shadow, at) == 0xffff;
  }

  boolean isInitialised32(int at) {
    return !tracked || LittleEndian.get32(shadow, at) == 0xffff_ffffL;
  }

  boolean isInitialised64(int at) {
    return !tracked || LittleEndian.get64(shadow, at) == -1;
  }

  private static boolean isWritable(Kind kind) {
    return switch (kind) {
      case STACK, MAP_VALUE, RECORD, MEMORY -> true;
      case FIXED_VALUE, CONTEXT, MAP_KEY, TASK, REGISTERS, MAP -> false;
    };
  }

  /** Replaces the bytes, of which loads and stores may access the first {@code limit}. */
  public void hold(byte[] bytes, int limit) {
    this.bytes = bytes;
    this.limit = limit;
  }

  /** Fills the region with filler and marks it uninitialised. */
  public void reset() {
    Arrays.fill(bytes, FILLER);
    Arrays.fill(shadow, (byte) 0);
  }

  /** Describes an offset in this region, such as {@code offset 3 of the context (2 bytes)}. */
  String describe(long offset) {
    return switch (kind) {
      // Stack offsets count from the top.
      case STACK -> "offset " + (offset - limit) + " of the stack (-" + limit + " to -1)";
      case CONTEXT -> "offset " + offset + " of the context (" + limit + " bytes)";
      case MAP_VALUE, FIXED_VALUE ->
          "offset " + offset + " of a value of map " + name + " (" + limit + " bytes)";
      case MAP_KEY -> "offset " + offset + " of a key of map " + name + " (" + limit + " bytes)";
      case RECORD -> "offset " + offset + " of a record of " + name + " (" + limit + " bytes)";
      case MEMORY -> "offset " + offset + " of the memory (" + limit + " bytes)";
      case TASK -> "offset " + offset + " of the task_struct (" + limit + " bytes)";
      case REGISTERS -> "offset " + offset + " of the pt_regs (" + limit + " bytes)";
      case MAP -> "offset " + offset + " of map " + name + " itself, which has no bytes";
    };
  }
}
