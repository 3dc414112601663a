package dev.ply.kernel.learn;

import dev.ply.bpf.unwind.HotSpotCode;
import dev.ply.bpf.unwind.MappedCode;
import dev.ply.kernel.hotspot.HotSpotMemory;
import dev.ply.kernel.hotspot.HotSpotMemory.Field;
import dev.ply.kernel.procfs.ProcessMaps;
import dev.ply.kernel.procfs.ProcessMaps.Mapping;
import dev.ply.kernel.untrusted.ReadBudget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds the code heaps of a HotSpot runtime (codeCache.hpp). */
final class HotSpotHeaps {
  private static final Set<String> TYPES =
      Set.of(
          "CodeCache",
          "CodeHeap",
          "VirtualSpace",
          "CodeBlob",
          "GrowableArrayBase",
          "GenericGrowableArray",
          "GrowableArray<int>",
          "AbstractInterpreter",
          "StubQueue");

  private static final int MOST_HEAPS = 8;
  private static final long LARGEST_HEAP = 1L << 32;

  /** A segment has at least a header, and at most a page. */
  private static final int LARGEST_SHIFT = 12;

  private final HotSpotMemory memory;
  private final Map<String, Field> fields;

  private HotSpotHeaps(HotSpotMemory memory) throws IOException {
    this.memory = memory;
    this.fields = memory.fields(TYPES);
  }

  /** Returns the heaps of a process; none if it has no runtime that describes itself. */
  static List<MappedCode> of(ProcessMaps maps, ReadBudget budget) {
    Optional<Mapping> library =
        maps.codeFiles().stream()
            .filter(mapping -> mapping.name().endsWith("/libjvm.so"))
            .findFirst();
    return library
        .flatMap(
            found ->
                HotSpotMemory.read(maps, found, budget, memory -> new HotSpotHeaps(memory).heaps()))
        .orElse(List.of());
  }

  private List<MappedCode> heaps() throws IOException {
    List<MappedCode> heaps = new ArrayList<>();
    long interpreter = memory.word(field("AbstractInterpreter._code").address());
    long low = at(interpreter, "StubQueue._stub_buffer");
    long high = low + number(interpreter, "StubQueue._buffer_limit");
    for (long heap : addresses()) {
      long space = heap + field("CodeHeap._memory").offset();
      long start = at(space, "VirtualSpace._low_boundary");
      long end = at(space, "VirtualSpace._high_boundary");
      long segments = at(heap + field("CodeHeap._segmap").offset(), "VirtualSpace._low_boundary");
      int shift = number(heap, "CodeHeap._log2_segment_size");
      if (start <= 0 || end <= start || end - start > LARGEST_HEAP || shift > LARGEST_SHIFT) {
        throw new IOException("a heap of code that cannot be one");
      }
      int frameSize =
          memory.typeSize("HeapBlock")
              + HotSpotMemory.checked(field("CodeBlob._frame_size").offset());
      heaps.add(
          new MappedCode(
              start,
              end,
              0,
              Optional.of(new HotSpotCode(start, segments, shift, frameSize, low, high))));
    }
    return heaps;
  }

  /** Java 8 has one heap. */
  private List<Long> addresses() throws IOException {
    Field one = fields.get("CodeCache._heap");
    if (one != null) {
      return List.of(memory.word(one.address()));
    }
    long list = memory.word(field("CodeCache._heaps").address());
    String base =
        fields.containsKey("GrowableArrayBase._len") ? "GrowableArrayBase" : "GenericGrowableArray";
    int count = number(list, base + "._len");
    long first = at(list, "GrowableArray<int>._data");
    List<Long> heaps = new ArrayList<>();
    for (int i = 0; i < Math.min(count, MOST_HEAPS); i++) {
      heaps.add(memory.word(first + (long) i * Long.BYTES));
    }
    return heaps;
  }

  private long at(long object, String name) throws IOException {
    return memory.word(object + field(name).offset());
  }

  private int number(long object, String name) throws IOException {
    return memory.bytes(object + field(name).offset(), Integer.BYTES).getInt(0);
  }

  private Field field(String name) throws IOException {
    Field field = fields.get(name);
    if (field == null) {
      throw new IOException("the runtime has no " + name);
    }
    return field;
  }
}
