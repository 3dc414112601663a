package dev.ply.kernel.hotspot;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A heap of a runtime's compiled code (codeCache.hpp, heap.hpp): blobs, each of some segments.
 *
 * @param low its first address
 * @param high the first address after it
 * @param segments the address of the map of its segments: a byte for each, the distance to an
 *     earlier segment of the same blob, 0 for the first, 255 where there is none
 * @param segmentShift the binary logarithm of a segment's size
 * @param header the bytes from a blob's first segment to the blob
 */
public record CodeHeap(long low, long high, long segments, int segmentShift, int header) {
  /** The types whose fields lead to the heaps. */
  public static final Set<String> TYPES =
      Set.of(
          "CodeCache",
          "CodeHeap",
          "VirtualSpace",
          "HeapBlock",
          "GrowableArrayBase",
          "GenericGrowableArray",
          "GrowableArray<int>");

  private static final int MOST_HEAPS = 8;
  private static final long LARGEST_HEAP = 1L << 32;

  /** A segment has at least a header, and at most a page. */
  private static final int LARGEST_SHIFT = 12;

  /** Each distance is up to 254 segments. */
  private static final int MOST_DISTANCES = 1 << 10;

  private static final int UNUSED = 0xff;

  /** Reads the heaps of a runtime. */
  public static List<CodeHeap> of(HotSpotMemory memory, HotSpotStructs structs) throws IOException {
    List<CodeHeap> heaps = new ArrayList<>();
    for (long heap : addresses(memory, structs)) {
      long space = heap + structs.offset("CodeHeap._memory");
      long map = heap + structs.offset("CodeHeap._segmap");
      long low = structs.word(memory, space, "VirtualSpace._low_boundary");
      long high = structs.word(memory, space, "VirtualSpace._high_boundary");
      int shift = structs.number(memory, heap, "CodeHeap._log2_segment_size");
      if (low <= 0
          || high <= low
          || high - low > LARGEST_HEAP
          || shift < 0
          || shift > LARGEST_SHIFT) {
        throw new IOException("a heap of code that cannot be one");
      }
      heaps.add(
          new CodeHeap(
              low,
              high,
              structs.word(memory, map, "VirtualSpace._low_boundary"),
              shift,
              structs.size("HeapBlock")));
    }
    if (heaps.isEmpty()) {
      throw new IOException("the runtime has no heap of code yet");
    }
    return heaps;
  }

  /** Java 8 has one heap. */
  private static List<Long> addresses(HotSpotMemory memory, HotSpotStructs structs)
      throws IOException {
    if (structs.has("CodeCache._heap")) {
      return List.of(memory.word(structs.address("CodeCache._heap")));
    }
    long list = memory.word(structs.address("CodeCache._heaps"));
    String base =
        structs.has("GrowableArrayBase._len") ? "GrowableArrayBase" : "GenericGrowableArray";
    int count = structs.number(memory, list, base + "._len");
    long first = structs.word(memory, list, "GrowableArray<int>._data");
    List<Long> heaps = new ArrayList<>();
    for (int i = 0; i < Math.min(count, MOST_HEAPS); i++) {
      heaps.add(memory.word(first + (long) i * Long.BYTES));
    }
    return heaps;
  }

  /** Returns whether an address is in this heap. */
  public boolean has(long address) {
    return address >= low && address < high;
  }

  /** Returns the address of the blob that has an address of this heap; empty where none is. */
  OptionalLong blob(HotSpotMemory memory, long address) throws IOException {
    long segment = (address - low) >> segmentShift;
    for (int i = 0; i < MOST_DISTANCES; i++) {
      int distance = Byte.toUnsignedInt(memory.bytes(segments + segment, 1).get(0));
      if (distance == 0) {
        return OptionalLong.of(low + (segment << segmentShift) + header);
      }
      if (distance == UNUSED || distance > segment) {
        break;
      }
      segment -= distance;
    }
    return OptionalLong.empty();
  }
}
