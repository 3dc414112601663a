package dev.ply.bpf.vm.memory;

import dev.ply.type.AddressSpace;
import dev.ply.type.TextBytes;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** Sparse kernel and user memory, two separate address spaces, for probe reads. */
public final class SimulatedMemory {
  private static final int PAGE_BITS = 12;
  private static final int PAGE_SIZE = 1 << PAGE_BITS;

  private static final class Page {
    private final byte[] bytes = new byte[PAGE_SIZE];
    private final BitSet present = new BitSet(PAGE_SIZE);
  }

  private final Map<AddressSpace, Map<Long, Page>> pages = new EnumMap<>(AddressSpace.class);

  /** Creates memory in which every address faults. */
  public SimulatedMemory() {
    pages.put(AddressSpace.KERNEL, new HashMap<>());
    pages.put(AddressSpace.USER, new HashMap<>());
  }

  /**
   * Maps {@code bytes} at {@code address}, replacing previous contents; returns this.
   *
   * @param space kernel or user memory
   * @param address of the first byte
   * @param bytes copied
   */
  public SimulatedMemory put(AddressSpace space, long address, byte[] bytes) {
    Map<Long, Page> mapped = pagesOf(space);
    for (int i = 0; i < bytes.length; i++) {
      long at = address + i;
      Page page = mapped.computeIfAbsent(at >>> PAGE_BITS, number -> new Page());
      int offset = (int) at & (PAGE_SIZE - 1);
      page.bytes[offset] = bytes[i];
      page.present.set(offset);
    }
    return this;
  }

  /**
   * Maps {@code text}, encoded by {@link TextBytes}, with a terminating NUL; returns this.
   *
   * @param space kernel or user memory
   * @param address of the first byte
   * @param text of any characters
   */
  public SimulatedMemory putString(AddressSpace space, long address, String text) {
    byte[] bytes = TextBytes.encode(text);
    return put(space, address, Arrays.copyOf(bytes, bytes.length + 1));
  }

  /** Returns the byte at {@code address}, 0 to 255, or -1 if unmapped. */
  public int byteAt(AddressSpace space, long address) {
    Page page = pagesOf(space).get(address >>> PAGE_BITS);
    int offset = (int) address & (PAGE_SIZE - 1);
    return page != null && page.present.get(offset) ? page.bytes[offset] & 0xff : -1;
  }

  private Map<Long, Page> pagesOf(AddressSpace space) {
    Map<Long, Page> found = pages.get(space);
    if (found == null) {
      throw new IllegalArgumentException(
          "simulated memory has the address spaces KERNEL and USER, not " + space);
    }
    return found;
  }
}
