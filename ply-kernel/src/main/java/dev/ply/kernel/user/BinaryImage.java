package dev.ply.kernel.user;

import dev.ply.kernel.elf.BinarySymbols;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.elf.ElfSymbol;
import dev.ply.kernel.elf.UsdtNote;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The contents of a program or library: its layout, functions, and USDT probes. */
record BinaryImage(ElfFile file, BinarySymbols symbols, List<UsdtNote> marks) {
  /** Stands in names for bytes that are not UTF-8. */
  private static final char UNDECODED = '\ufffd';

  /** Returns the functions of a name, each once; those outside code only if no other is. */
  List<ElfSymbol> named(String name) {
    List<ElfSymbol> own = symbols.table().named(name);
    List<ElfSymbol> all = distinct(own.isEmpty() ? symbols.exports().named(name) : own);
    List<ElfSymbol> inCode = all.stream().filter(this::isInCode).toList();
    return inCode.isEmpty() ? all : inCode;
  }

  private boolean isInCode(ElfSymbol symbol) {
    return file.codeOffset(symbol.address()).isPresent();
  }

  /** Returns whether a pattern can mean a symbol: it is in code, and can be found by its name. */
  boolean isUsable(ElfSymbol symbol) {
    return isInCode(symbol) && symbol.name().indexOf(UNDECODED) < 0;
  }

  /** Go's linker calls what is between these symbols Go's code; C's may be beside it. */
  boolean isGo(long address) {
    List<ElfSymbol> start = symbols.table().named("runtime.text");
    List<ElfSymbol> end = symbols.table().named("runtime.etext");
    return file.hasGo()
        && (start.isEmpty()
            || end.isEmpty()
            || (Long.compareUnsigned(address, start.get(0).address()) >= 0
                && Long.compareUnsigned(address, end.get(0).address()) < 0));
  }

  /** Returns the functions of all requested names. */
  Stream<ElfSymbol> matching(Predicate<String> wanted) {
    return Stream.concat(symbols.table().matching(wanted), symbols.exports().matching(wanted));
  }

  /** Returns the names of all functions. */
  Stream<String> names() {
    return Stream.concat(symbols.table().names(), symbols.exports().names());
  }

  /** A symbol can be listed once for each of its versions. */
  static List<ElfSymbol> distinct(List<ElfSymbol> symbols) {
    Map<Long, ElfSymbol> byAddress = new TreeMap<>();
    boolean isOld = symbols.stream().allMatch(ElfSymbol::isSuperseded);
    symbols.stream()
        .filter(symbol -> isOld || !symbol.isSuperseded())
        .forEach(symbol -> byAddress.putIfAbsent(symbol.address(), symbol));
    return List.copyOf(byAddress.values());
  }
}
