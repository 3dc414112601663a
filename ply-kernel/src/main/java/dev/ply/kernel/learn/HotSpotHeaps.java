package dev.ply.kernel.learn;

import dev.ply.bpf.unwind.HotSpotCode;
import dev.ply.bpf.unwind.MappedCode;
import dev.ply.kernel.hotspot.CodeHeap;
import dev.ply.kernel.hotspot.HotSpotMemory;
import dev.ply.kernel.hotspot.HotSpotStructs;
import dev.ply.kernel.hotspot.HotSpotTables;
import dev.ply.kernel.procfs.ProcessMaps;
import dev.ply.kernel.procfs.ProcessMaps.Mapping;
import dev.ply.kernel.untrusted.ReadBudget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds the code heaps of a HotSpot runtime. */
final class HotSpotHeaps {
  private static final Set<String> TYPES =
      Set.of("CodeBlob", "AbstractInterpreter", "StubQueue", "Method", "ConstMethod");

  private HotSpotHeaps() {}

  /** Returns the heaps of a process; none if it has no runtime that describes itself. */
  static List<MappedCode> of(ProcessMaps maps, ReadBudget budget) {
    Optional<Mapping> library =
        maps.codeFiles().stream()
            .filter(mapping -> mapping.name().endsWith("/libjvm.so"))
            .findFirst();
    return library
        .flatMap(found -> HotSpotTables.read(maps, found, budget, HotSpotHeaps::heaps))
        .orElse(List.of());
  }

  /** Reads the heaps of a runtime. */
  static List<MappedCode> heaps(HotSpotTables tables) throws IOException {
    Set<String> types = new HashSet<>(TYPES);
    types.addAll(CodeHeap.TYPES);
    HotSpotStructs structs = HotSpotStructs.of(tables, types);
    HotSpotMemory memory = tables.memory();
    long interpreter = memory.word(structs.address("AbstractInterpreter._code"));
    long low = structs.word(memory, interpreter, "StubQueue._stub_buffer");
    long high = low + structs.number(memory, interpreter, "StubQueue._buffer_limit");
    int constMethod = structs.offset("Method._constMethod");
    int bytecodes = structs.size("ConstMethod");
    List<MappedCode> heaps = new ArrayList<>();
    for (CodeHeap heap : CodeHeap.of(memory, structs)) {
      int frameSize = heap.header() + structs.offset("CodeBlob._frame_size");
      HotSpotCode code =
          new HotSpotCode(
              heap.low(),
              heap.segments(),
              heap.segmentShift(),
              frameSize,
              low,
              high,
              constMethod,
              bytecodes);
      heaps.add(new MappedCode(heap.low(), heap.high(), 0, Optional.of(code)));
    }
    return heaps;
  }
}
