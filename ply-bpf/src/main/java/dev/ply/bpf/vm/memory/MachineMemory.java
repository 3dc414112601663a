package dev.ply.bpf.vm.memory;

import static dev.ply.bpf.vm.memory.VmFault.Kind.BAD_ARGUMENT;
import static dev.ply.bpf.vm.memory.VmFault.Kind.INVALID_ADDRESS;
import static dev.ply.bpf.vm.memory.VmFault.Kind.MISALIGNED;
import static dev.ply.bpf.vm.memory.VmFault.Kind.NULL_DEREFERENCE;
import static dev.ply.bpf.vm.memory.VmFault.Kind.OUT_OF_BOUNDS;
import static dev.ply.bpf.vm.memory.VmFault.Kind.READ_ONLY;
import static dev.ply.bpf.vm.memory.VmFault.Kind.UNINITIALISED_MEMORY;

import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Size;
import dev.ply.type.AddressSpace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The address space of a machine: regions, each in its own 4 GiB window.
 *
 * <p>An address is {@code (FIRST + slot) << 32 | START + offset}: its upper half selects the
 * region, with a gigabyte of guard space on either side. Addresses are negative as signed numbers,
 * like kernel addresses. Loads outside all regions read the simulated kernel memory of the run.
 */
public final class MachineMemory {
  private static final int FIRST = 0xc000_0000;
  private static final long START = 0x4000_0000L;
  private static final long HALF = 0xffff_ffffL;
  private static final int NULL_PAGE = 4096;

  private @Nullable Region[] regions = new @Nullable Region[64];
  private int used;
  private final Deque<Integer> free = new ArrayDeque<>();
  private final List<Region> doomed = new ArrayList<>();
  private SimulatedMemory kernelMemory = new SimulatedMemory();

  /** Maps {@code bytes} at a new address. */
  public Region map(Region.Kind kind, String name, byte[] bytes) {
    Integer reused = free.poll();
    int slot = reused != null ? reused : used++;
    if (slot == regions.length) {
      regions = Arrays.copyOf(regions, 2 * slot);
    }
    Region region = new Region(kind, name, addressOf(slot), bytes);
    regions[slot] = region;
    return region;
  }

  /** Makes a hidden region accessible again. */
  public void show(Region region) {
    regions[slotOf(region.address())] = region;
  }

  /** Makes accesses to a region fault; its address stays reserved. */
  public void hide(Region region) {
    regions[slotOf(region.address())] = null;
  }

  /** Unmaps a region when the run ends, like the kernel after an RCU grace period. */
  public void freeAfterRun(Region region) {
    doomed.add(region);
  }

  /** Sets the kernel memory that loads outside all regions read. */
  public void setKernelMemory(SimulatedMemory memory) {
    kernelMemory = memory;
  }

  /** Unmaps the regions passed to {@link #freeAfterRun}. */
  public void endRun() {
    for (Region region : doomed) {
      hide(region);
      free.add(slotOf(region.address()));
    }
    doomed.clear();
  }

  /** Loads 1 byte, zero-extended. */
  public long load8(long address) {
    Region region = at(address);
    int at = offset(address);
    if (region != null && region.has(at, 1) && region.isInitialised8(at)) {
      return LittleEndian.get8(region.bytes(), at);
    }
    return load(address, Size.B);
  }

  /** Loads 2 bytes, zero-extended. */
  public long load16(long address) {
    Region region = at(address);
    int at = offset(address);
    if (region != null && region.has(at, 2) && region.isInitialised16(at)) {
      return LittleEndian.get16(region.bytes(), at);
    }
    return load(address, Size.H);
  }

  /** Loads 4 bytes, zero-extended. */
  public long load32(long address) {
    Region region = at(address);
    int at = offset(address);
    if (region != null && region.has(at, 4) && region.isInitialised32(at)) {
      return LittleEndian.get32(region.bytes(), at);
    }
    return load(address, Size.W);
  }

  /** Loads 8 bytes, zero-extended. */
  public long load64(long address) {
    Region region = at(address);
    int at = offset(address);
    if (region != null && region.has(at, 8) && region.isInitialised64(at)) {
      return LittleEndian.get64(region.bytes(), at);
    }
    return load(address, Size.DW);
  }

  /** Stores the low 1 byte of a value. */
  public void store8(long address, long value) {
    Region region = at(address);
    int at = offset(address);
    if (region != null && region.isWritable() && region.has(at, 1)) {
      LittleEndian.set8(region.bytes(), at, value);
      if (region.isTracked()) {
        LittleEndian.set8(region.shadow(), at, -1);
      }
    } else {
      store(address, Size.B, value);
    }
  }

  /** Stores the low 2 bytes of a value. */
  public void store16(long address, long value) {
    Region region = at(address);
    int at = offset(address);
    if (region != null && region.isWritable() && region.has(at, 2)) {
      LittleEndian.set16(region.bytes(), at, value);
      if (region.isTracked()) {
        LittleEndian.set16(region.shadow(), at, -1);
      }
    } else {
      store(address, Size.H, value);
    }
  }

  /** Stores the low 4 bytes of a value. */
  public void store32(long address, long value) {
    Region region = at(address);
    int at = offset(address);
    if (region != null && region.isWritable() && region.has(at, 4)) {
      LittleEndian.set32(region.bytes(), at, value);
      if (region.isTracked()) {
        LittleEndian.set32(region.shadow(), at, -1);
      }
    } else {
      store(address, Size.W, value);
    }
  }

  /** Stores the low 8 bytes of a value. */
  public void store64(long address, long value) {
    Region region = at(address);
    int at = offset(address);
    if (region != null && region.isWritable() && region.has(at, 8)) {
      LittleEndian.set64(region.bytes(), at, value);
      if (region.isTracked()) {
        LittleEndian.set64(region.shadow(), at, -1);
      }
    } else {
      store(address, Size.DW, value);
    }
  }

  /** Returns the value at {@code address}, zero-extended. */
  public long load(long address, Size size) {
    int count = size.bytes();
    if (at(address) == null) {
      return loadKernelMemory(address, count);
    }
    Region region = access(address, count, "reads");
    int at = offset(address);
    if (region.isTracked()
        && LittleEndian.get(region.shadow(), at, size) != (-1L >>> (64 - 8 * count))) {
      throw uninitialised(region, at, count);
    }
    return LittleEndian.get(region.bytes(), at, size);
  }

  private long loadKernelMemory(long address, int count) {
    long value = 0;
    for (int i = count - 1; i >= 0; i--) {
      int next = kernelMemory.byteAt(AddressSpace.KERNEL, address + i);
      if (next < 0) {
        throw unmapped(address, count, "reads");
      }
      value = value << Byte.SIZE | next;
    }
    return value;
  }

  /** Stores the low bytes of {@code value} at {@code address}. */
  void store(long address, Size size, long value) {
    Region region = access(address, size.bytes(), "writes");
    if (!region.isWritable()) {
      throw readOnly(region, offset(address), size.bytes());
    }
    int at = offset(address);
    LittleEndian.set(region.bytes(), at, size, value);
    if (region.isTracked()) {
      LittleEndian.set(region.shadow(), at, size, -1);
    }
  }

  /**
   * Operates atomically on the value at {@code address}; returns the old one.
   *
   * @param expected what CMPXCHG compares the value with
   */
  public long operate(AtomicOp op, long address, Size size, long source, long expected) {
    requireAligned(address, size);
    requireWritable(address, size.bytes());
    long old = load(address, size);
    if (op != AtomicOp.CMPXCHG || old == Arithmetic.extend(Extension.ZERO, size, expected)) {
      store(address, size, Arithmetic.update(op, old, source));
    }
    return old;
  }

  /** Checks that {@code address} is a multiple of {@code size}. */
  private void requireAligned(long address, Size size) {
    if ((address & (size.bytes() - 1)) != 0) {
      throw new VmFault(
          MISALIGNED,
          "operates atomically on "
              + size.bytes()
              + " bytes at "
              + hex(address)
              + ", not a multiple of "
              + size.bytes());
    }
  }

  /** Returns a copy of {@code count} bytes, which must be initialised. */
  public byte[] read(long address, int count) {
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
   * Writes the first {@code length} bytes of {@code source}, and marks all {@code count} bytes of
   * the destination as initialised, like the verifier after a helper call.
   */
  public void write(long address, int count, byte[] source, int length) {
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

  /** Checks that {@code count} bytes are writable. */
  public void requireWritable(long address, int count) {
    if (count > 0) {
      Region region = access(address, count, "writes");
      if (!region.isWritable()) {
        throw readOnly(region, offset(address), count);
      }
    }
  }

  /** Checks that {@code address} is the context. */
  public void requireContext(long address) {
    Region region = at(address);
    if (region == null || region.kind() != Region.Kind.CONTEXT || wideOffset(address) != 0) {
      throw new VmFault(BAD_ARGUMENT, "passes " + hex(address) + " in r1, not the context");
    }
  }

  /**
   * Returns the byte at {@code address}, 0 to 255, or -1 if unmapped: for probe reads, which ignore
   * limits and initialisation.
   */
  public int peek(long address) {
    Region region = at(address);
    long at = wideOffset(address);
    return region != null && at >= 0 && at < region.bytes().length
        ? region.bytes()[(int) at] & 0xff
        : -1;
  }

  private Region access(long address, int count, String verb) {
    Region region = at(address);
    if (region == null) {
      throw unmapped(address, count, verb);
    }
    long from = wideOffset(address);
    if (from < 0 || from + count > region.limit()) {
      throw new VmFault(OUT_OF_BOUNDS, verb + " " + bytes(count) + " at " + region.describe(from));
    }
    return region;
  }

  private @Nullable Region at(long address) {
    int slot = slotOf(address);
    return slot >= 0 && slot < regions.length ? regions[slot] : null;
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

  private static VmFault unmapped(long address, int count, String verb) {
    if (address >= 0 && address < NULL_PAGE) {
      return new VmFault(
          NULL_DEREFERENCE,
          verb + " " + bytes(count) + " at offset " + address + " of null; test for null first");
    }
    return new VmFault(
        INVALID_ADDRESS,
        verb + " " + bytes(count) + " at " + hex(address) + ", which is not mapped");
  }

  private static VmFault readOnly(Region region, long offset, int count) {
    return new VmFault(
        READ_ONLY, "writes " + bytes(count) + " at " + region.describe(offset) + ", read-only");
  }

  private static VmFault uninitialised(Region region, long offset, int count) {
    return new VmFault(
        UNINITIALISED_MEMORY,
        "reads " + bytes(count) + " at " + region.describe(offset) + ", uninitialised");
  }

  private static String bytes(int count) {
    return count == 1 ? "1 byte" : count + " bytes";
  }

  private static String hex(long address) {
    return "0x" + Long.toHexString(address);
  }
}
