package dev.ply.kernel.user;

import dev.ply.kernel.symbolize.SharedCode;
import dev.ply.kernel.symbolize.SymbolReader;
import dev.ply.kernel.untrusted.FileMemory;
import dev.ply.kernel.untrusted.MemoryBudget;
import dev.ply.target.UserSymbols.Frame;
import java.util.ArrayList;
import java.util.List;

/** The symbols of one process for six traces of a tracer; run in a process with a small heap. */
final class SixReaders {
  private SixReaders() {}

  /**
   * Prints the function at an address as each of six traces shows it, then the claimed share of the
   * memory in percent with all of them open, and without.
   */
  public static void main(String[] arguments) {
    int process = Integer.parseInt(arguments[0]);
    long address = Long.parseUnsignedLong(arguments[1], 16);
    MemoryBudget memory = MemoryBudget.ofHeap();
    SharedCode shared = new SharedCode(new FileMemory(memory));
    List<SymbolReader> readers = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      SymbolReader reader = new SymbolReader(shared);
      readers.add(reader);
      Frame frame = reader.frames(process, List.of(address)).orElseThrow().get(0);
      System.out.println(frame.symbol().orElseThrow().name() + reader.shortage().orElse(""));
    }
    System.out.println(memory.claimed() > 0 && memory.claimed() <= memory.total());
    readers.forEach(SymbolReader::close);
    System.out.println(memory.claimed());
  }
}
