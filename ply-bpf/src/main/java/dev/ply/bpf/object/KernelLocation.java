package dev.ply.bpf.object;

import java.util.Optional;

/** An instruction of the kernel. */
public sealed interface KernelLocation {
  /** Returns the location in the syntax of kprobe_events: {@code vfs_read+8}, {@code ext4:f}. */
  String text();

  /**
   * An instruction by function symbol and offset.
   *
   * @param module the module that contains the function; empty to search everywhere
   * @param offset bytes from the function's start, 0 for its entry
   */
  record Symbol(Optional<String> module, String function, long offset) implements KernelLocation {
    /** The entry of a function. */
    public Symbol(String function) {
      this(Optional.empty(), function, 0);
    }

    /** Returns the function, after its module and a colon if there is one. */
    public String symbol() {
      return module.map(name -> name + ":" + function).orElse(function);
    }

    @Override
    public String text() {
      return offset == 0 ? symbol() : symbol() + "+" + offset;
    }
  }

  /** An address, unsigned. */
  record Address(long value) implements KernelLocation {
    @Override
    public String text() {
      return "0x" + Long.toHexString(value);
    }
  }
}
