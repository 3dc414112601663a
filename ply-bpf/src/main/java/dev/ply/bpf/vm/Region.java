package dev.ply.bpf.vm;

import java.util.Arrays;

/**
 * One object in the machine's memory: consecutive bytes at an address of its own.
 *
 * <p>Regions that track initialisation carry a shadow of as many bytes, 0 where nothing was written
 * and -1 elsewhere, so that one wide read of the shadow checks one access.
 */
final class Region {
  /** What a region holds, and with that who may do what. */
  enum Kind {
    /** One frame of the stack. */
    STACK,
    /** The context of a run, read-only. */
    CONTEXT,
    /** A value of a map. */
    MAP_VALUE,
    /** A value of a map that nobody changes. */
    FIXED_VALUE,
    /** A reserved record of a ring buffer. */
    RECORD,
    /** The memory of a raw run. */
    MEMORY,
    /** A key of a map, as a function that is called for each entry gets it; read-only. */
    MAP_KEY,
    /** The kernel's record of the running thread, read-only. */
    TASK,
    /** The registers that it saved when it came from user space, read-only. */
    REGISTERS,
    /** A map itself: an address without bytes. */
    MAP
  }

  /** What fresh memory holds, odd enough to be noticed where it leaks into results. */
  static final byte FILLER = (byte) 0xdb;

  private static final byte[] UNTRACKED = {};

  private final Kind kind;
  private final String name;
  private final long address;
  private final byte[] shadow;
  private byte[] bytes;
  private int limit;

  Region(Kind kind, String name, long address, byte[] bytes) {
    this.kind = kind;
    this.name = name;
    this.address = address;
    this.bytes = bytes;
    this.limit = bytes.length;
    this.shadow = kind == Kind.STACK ? new byte[bytes.length] : UNTRACKED;
  }

  Kind kind() {
    return kind;
  }

  long address() {
    return address;
  }

  byte[] bytes() {
    return bytes;
  }

  byte[] shadow() {
    return shadow;
  }

  /** Returns how many bytes a program may access; probe reads see all of them. */
  int limit() {
    return limit;
  }

  boolean isTracked() {
    return kind == Kind.STACK;
  }

  boolean isWritable() {
    return switch (kind) {
      case STACK, MAP_VALUE, RECORD, MEMORY -> true;
      case FIXED_VALUE, CONTEXT, MAP_KEY, TASK, REGISTERS, MAP -> false;
    };
  }

  /** Gives the region other bytes, of which a program may access the first {@code limit}. */
  void hold(byte[] bytes, int limit) {
    this.bytes = bytes;
    this.limit = limit;
  }

  /** Makes the region as good as new. */
  void forget() {
    Arrays.fill(bytes, FILLER);
    Arrays.fill(shadow, (byte) 0);
  }

  /** Returns an offset in this region in words: {@code offset 3 of the context (2 bytes)}. */
  String describe(long offset) {
    return switch (kind) {
      // Programs know the stack from its top.
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
