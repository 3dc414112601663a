package dev.ply.kernel;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.load.LoadedMap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** What tests on the live kernel share: the reason to skip them, and hand-made instructions. */
public final class Live {
  private Live() {}

  /** Skips the test, with the reason, where this process may not trace. */
  public static void assumeTracing() {
    List<String> missing = Privileges.missing();
    assumeTrue(missing.isEmpty(), () -> String.join("; ", missing));
  }

  /** Skips the test where programs do not use the C library that Java does. */
  public static void assumeSharedLibraries() {
    assumeTrue(
        System.getProperty("ply.guest") == null,
        "the programs of a guest have no shared libraries");
  }

  /** Concatenates instructions. */
  public static byte[] program(byte[]... instructions) {
    int bytes = 0;
    for (byte[] instruction : instructions) {
      bytes += instruction.length;
    }
    ByteBuffer program = ByteBuffer.allocate(bytes);
    for (byte[] instruction : instructions) {
      program.put(instruction);
    }
    return program.array();
  }

  /** Encodes one instruction. */
  public static byte[] insn(int opcode, int dst, int src, int offset, int immediate) {
    return ByteBuffer.allocate(8)
        .order(ByteOrder.nativeOrder())
        .put((byte) opcode)
        .put((byte) (src << 4 | dst))
        .putShort((short) offset)
        .putInt(immediate)
        .array();
  }

  /** Sets a register to a number. */
  public static byte[] move(int dst, int immediate) {
    return insn(0xb7, dst, 0, 0, immediate);
  }

  /** Copies a register. */
  public static byte[] copy(int dst, int src) {
    return insn(0xbf, dst, src, 0, 0);
  }

  /** Calls a helper function. */
  public static byte[] call(int helper) {
    return insn(0x85, 0, 0, 0, helper);
  }

  /** Ends the program. */
  public static byte[] exit() {
    return insn(0x95, 0, 0, 0, 0);
  }

  /** Loads a map's address. */
  public static byte[] loadMap(int dst, LoadedMap map) {
    return program(insn(0x18, dst, 1, 0, map.descriptor()), insn(0, 0, 0, 0, 0));
  }

  /** Returns a number as the four bytes of a key. */
  public static byte[] key(int number) {
    return ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putInt(0, number).array();
  }

  /** Returns a number as the eight bytes of a value. */
  public static byte[] value(long number) {
    return ByteBuffer.allocate(8).order(ByteOrder.nativeOrder()).putLong(0, number).array();
  }

  /** Makes a program that adds one to entry 0 of an array of 64-bit numbers. */
  public static byte[] count(LoadedMap counter) {
    return program(
        insn(0x62, 10, 0, -4, 0),
        copy(2, 10),
        insn(0x07, 2, 0, 0, -4),
        loadMap(1, counter),
        call(1),
        insn(0x15, 0, 0, 2, 0),
        move(1, 1),
        insn(0xdb, 0, 1, 0, 0),
        move(0, 0),
        exit());
  }

  /** Instructions of {@link #count} before it returns 0. */
  private static final int COUNTING = 9;

  /** Makes a program that counts like {@link #count} where this process runs it. */
  public static byte[] countOwn(LoadedMap counter) {
    return program(
        call(14),
        insn(0x77, 0, 0, 0, 32),
        insn(0x55, 0, 0, COUNTING, (int) ProcessHandle.current().pid()),
        count(counter));
  }

  /**
   * Makes a program that counts like {@link #countOwn} where the 64 bits at an offset of the
   * context equal a number.
   */
  public static byte[] countOwn(LoadedMap counter, int offset, int number) {
    return program(
        insn(0x79, 6, 1, offset, 0),
        call(14),
        insn(0x77, 0, 0, 0, 32),
        insn(0x55, 0, 0, COUNTING + 1, (int) ProcessHandle.current().pid()),
        insn(0x55, 6, 0, COUNTING, number),
        count(counter));
  }
}
