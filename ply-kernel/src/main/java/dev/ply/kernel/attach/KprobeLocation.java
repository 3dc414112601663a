package dev.ply.kernel.attach;

import dev.ply.ir.KernelSelector;

/**
 * A probe's place as the kernel takes it.
 *
 * @param symbol a function, its module before a colon; empty for an address
 * @param offset bytes from the function's start, or the address
 */
record KprobeLocation(String symbol, long offset, boolean atReturn) {
  static KprobeLocation of(KernelSelector place, boolean atReturn) {
    if (place instanceof KernelSelector.Function function) {
      return new KprobeLocation(symbol(function), 0, atReturn);
    }
    if (place instanceof KernelSelector.Inside inside) {
      return new KprobeLocation(symbol(inside.function()), inside.offset(), atReturn);
    }
    if (place instanceof KernelSelector.Address address) {
      return new KprobeLocation("", address.value(), atReturn);
    }
    throw new IllegalArgumentException("\"" + place.text() + "\" is many places");
  }

  private static String symbol(KernelSelector.Function function) {
    return function.module().map(module -> module + ":" + function.name()).orElse(function.name());
  }

  /** Returns the place as tracefs takes it. */
  String text() {
    if (symbol.isEmpty()) {
      return "0x" + Long.toHexString(offset);
    }
    return offset == 0 ? symbol : symbol + "+" + offset;
  }

  @Override
  public String toString() {
    return (atReturn ? "kretprobe:" : "kprobe:") + text();
  }
}
