package dev.ply.kernel.user;

import dev.ply.kernel.symbolize.SharedCode;
import dev.ply.kernel.symbolize.SymbolReader;
import dev.ply.kernel.untrusted.FileMemory;
import dev.ply.kernel.untrusted.MemoryBudget;
import java.util.ArrayList;
import java.util.List;

/** The symbols of a process where the heap is full of results; run in a process of its own. */
final class FullHeap {
  private static final int PART = 1 << 20;

  /** Parts that are left free, too few for the symbols. */
  private static final int FREE = 3;

  private FullHeap() {}

  /** Prints the function at an address while the heap is full, why, and once it is not. */
  public static void main(String[] arguments) {
    int process = Integer.parseInt(arguments[0]);
    long address = Long.parseUnsignedLong(arguments[1], 16);
    MemoryBudget memory = MemoryBudget.of(1L << 40);
    SymbolReader reader = new SymbolReader(new SharedCode(new FileMemory(memory)));
    List<byte[]> results = fill();
    System.out.println(name(reader, process, address));
    System.out.println(reader.shortage().orElse(""));
    System.out.println(results.stream().mapToInt(part -> part.length).sum() > PART);
    results.clear();
    System.out.println(name(reader, process, address));
    reader.close();
  }

  private static List<byte[]> fill() {
    List<byte[]> parts = new ArrayList<>();
    try {
      while (true) {
        parts.add(new byte[PART]);
      }
    } catch (OutOfMemoryError e) {
      parts.subList(0, FREE).clear();
    }
    return parts;
  }

  private static String name(SymbolReader reader, int process, long address) {
    return reader
        .frames(process, List.of(address))
        .flatMap(frames -> frames.get(0).symbol())
        .map(symbol -> symbol.name())
        .orElse("an address");
  }
}
