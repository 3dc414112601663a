package dev.ply.bpf.vm;

import static dev.ply.bpf.vm.VmFault.Kind.BAD_ARGUMENT;
import static dev.ply.bpf.vm.VmFault.Kind.INVALID_ADDRESS;
import static dev.ply.bpf.vm.VmFault.Kind.MISALIGNED;
import static dev.ply.bpf.vm.VmFault.Kind.NULL_DEREFERENCE;
import static dev.ply.bpf.vm.VmFault.Kind.OUT_OF_BOUNDS;
import static dev.ply.bpf.vm.VmFault.Kind.READ_ONLY;
import static dev.ply.bpf.vm.VmFault.Kind.UNINITIALISED_MEMORY;

import dev.ply.bpf.isa.Size;
import dev.ply.type.AddressSpace;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The memory that a program's loads and stores reach: regions, each alone in 4 GiB of addresses.
 * Loads reach the kernel's memory around a run, too: programs may be handed addresses there.
 *
 * <p>An address is {@code (FIRST + slot) << 32 | START + offset}: the upper half finds the region
 * without a search, and a gigabyte on either side of it faults. Addresses are negative as numbers,
 * like a kernel's.
 */
final class MachineMemory {
  private static final int FIRST = 0xc000_0000;
  private static final long START = 0x4000_0000L;
  private static final long HALF = 0xffff_ffffL;
  private static final int NULL_PAGE = 4096;

  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private @Nullable Region[] regions = new @Nullable Region[64];
  private int used;
  private final Deque<Integer> free = new ArrayDeque<>();
  private final List<Region> doomed = new ArrayList<>();
  private SimulatedMemory around = new SimulatedMemory();

  /** Maps {@code bytes} at an address of their own. */
  Region map(Region.Kind kind, String name, byte[] bytes) {
    Integer reused = free.poll();
    int slot = reused != null ? reused : used++;
    if (slot == regions.length) {
      regions = Arrays.copyOf(regions, 2 * slot);
    }
    Region region = new Region(kind, name, addressOf(slot), bytes);
    regions[slot] = region;
    return region;
  }

  /** Makes a mapped region, hidden or not, accessible. */
  void show(Region region) {
    regions[slotOf(region.address())] = region;
  }

  /** Makes accesses to a region fault, and keeps its address from others. */
  void hide(Region region) {
    regions[slotOf(region.address())] = null;
  }

  /** Leaves a region as it is until the run ends, as the kernel frees only after a grace period. */
  void freeAfterRun(Region region) {
    doomed.add(region);
  }

  /** Sets the memory around a run, of which loads reach what is the kernel's. */
  void surroundWith(SimulatedMemory memory) {
    around = memory;
  }

  /** Frees what was to be freed. */
  void endRun() {
    for (Region region : doomed) {
      hide(region);
      free.add(slotOf(region.address()));
    }
    doomed.clear();
  }

  /** Returns the value at {@code address}, zero-extended. */
  long load(long address, Size size) {
    int count = size.bytes();
    if (at(address) == null) {
      return loadAround(address, count);
    }
    Region region = access(address, count, "reads");
    int at = offset(address);
    if (region.isTracked() && get(region.shadow(), at, size) != (-1L >>> (64 - 8 * count))) {
      throw uninitialised(region, at, count);
    }
    return get(region.bytes(), at, size);
  }

  private long loadAround(long address, int count) {
    long value = 0;
    for (int i = count - 1; i >= 0; i--) {
      int next = around.byteAt(AddressSpace.KERNEL, address + i);
      if (next < 0) {
        throw nowhere(address, count, "reads");
      }
      value = value << Byte.SIZE | next;
    }
    return value;
  }

  /** Stores the lower bytes of {@code value} at {@code address}. */
  void store(long address, Size size, long value) {
    Region region = access(address, size.bytes(), "writes");
    if (!region.isWritable()) {
      throw readOnly(region, offset(address), size.bytes());
    }
    int at = offset(address);
    set(region.bytes(), at, size, value);
    if (region.isTracked()) {
      set(region.shadow(), at, size, -1);
    }
  }

  /** Checks that {@code address} suits an atomic operation of {@code size}. */
  void requireAligned(long address, Size size) {
    if ((address & (size.bytes() - 1)) != 0) {
      throw new VmFault(
          MISALIGNED,
          "operates atomically on "
              + size.bytes()
              + " bytes at "
              + hex(address)
              + ", which is no multiple of "
              + size.bytes());
    }
  }

  /** Returns a copy of {@code count} initialised bytes. */
  byte[] read(long address, int count) {
    if (count == 0) {
      return new byte[0];
    }
    Region region = access(address, count, "reads");
    int at = offset(address);
    if (region.isTracked()) {
      for (int i = at; i < at + count; i++) {
        if (region.shadow()[i] == 0) {
          throw uninitialised(region, i, 1);
        }
      }
    }
    return Arrays.copyOfRange(region.bytes(), at, at + count);
  }

  /**
   * Writes {@code source}; what follows it in the destination's {@code count} bytes stays as it is
   * but counts as initialised, as the kernel's verifier has it.
   */
  void write(long address, int count, byte[] source, int length) {
    if (count == 0) {
      return;
    }
    requireWritable(address, count);
    Region region = access(address, count, "writes");
    int at = offset(address);
    System.arraycopy(source, 0, region.bytes(), at, length);
    if (region.isTracked()) {
      Arrays.fill(region.shadow(), at, at + count, (byte) -1);
    }
  }

  /** Checks that {@code count} bytes may be written. */
  void requireWritable(long address, int count) {
    if (count > 0) {
      Region region = access(address, count, "writes");
      if (!region.isWritable()) {
        throw readOnly(region, offset(address), count);
      }
    }
  }

  /** Checks that {@code address} is that of the context. */
  void requireContext(long address) {
    Region region = at(address);
    if (region == null || region.kind() != Region.Kind.CONTEXT || wideOffset(address) != 0) {
      throw new VmFault(BAD_ARGUMENT, "passes " + hex(address) + " in r1, not the context");
    }
  }

  /**
   * Returns the byte at {@code address}, 0 to 255, or -1 where nothing is mapped: what the kernel's
   * probe reads see, which ask nothing but that.
   */
  int peek(long address) {
    Region region = at(address);
    long at = wideOffset(address);
    return region != null && at >= 0 && at < region.bytes().length
        ? region.bytes()[(int) at] & 0xff
        : -1;
  }

  private Region access(long address, int count, String verb) {
    Region region = at(address);
    if (region == null) {
      throw nowhere(address, count, verb);
    }
    long from = wideOffset(address);
    if (from < 0 || from + count > region.limit()) {
      throw new VmFault(OUT_OF_BOUNDS, verb + " " + bytes(count) + " at " + region.describe(from));
    }
    return region;
  }

  private @Nullable Region at(long address) {
    int slot = slotOf(address);
    return slot >= 0 && slot < used ? regions[slot] : null;
  }

  private static long addressOf(int slot) {
    return (long) (FIRST + slot) << 32 | START;
  }

  private static int slotOf(long address) {
    return (int) (address >>> 32) - FIRST;
  }

  private static long wideOffset(long address) {
    return (address & HALF) - START;
  }

  private static int offset(long address) {
    return (int) wideOffset(address);
  }

  private static long get(byte[] bytes, int at, Size size) {
    return switch (size) {
      case B -> bytes[at] & 0xffL;
      case H -> (short) SHORTS.get(bytes, at) & 0xffffL;
      case W -> (int) INTS.get(bytes, at) & HALF;
      case DW -> (long) LONGS.get(bytes, at);
    };
  }

  private static void set(byte[] bytes, int at, Size size, long value) {
    switch (size) {
      case B -> bytes[at] = (byte) value;
      case H -> SHORTS.set(bytes, at, (short) value);
      case W -> INTS.set(bytes, at, (int) value);
      case DW -> LONGS.set(bytes, at, value);
    }
  }

  private static VmFault nowhere(long address, int count, String verb) {
    if (address >= 0 && address < NULL_PAGE) {
      return new VmFault(
          NULL_DEREFERENCE,
          verb + " " + bytes(count) + " at offset " + address + " of null; test for null before");
    }
    return new VmFault(
        INVALID_ADDRESS,
        verb + " " + bytes(count) + " at " + hex(address) + ", where nothing is mapped");
  }

  private static VmFault readOnly(Region region, long offset, int count) {
    return new VmFault(
        READ_ONLY, "writes " + bytes(count) + " at " + region.describe(offset) + ", read-only");
  }

  private static VmFault uninitialised(Region region, long offset, int count) {
    return new VmFault(
        UNINITIALISED_MEMORY,
        "reads " + bytes(count) + " at " + region.describe(offset) + " that nothing wrote");
  }

  private static String bytes(int count) {
    return count == 1 ? "1 byte" : count + " bytes";
  }

  private static String hex(long address) {
    return "0x" + Long.toHexString(address);
  }
}
