package dev.ply.bpf.object;

import java.util.Optional;

/** An instruction of the kernel. */
public sealed interface KernelLocation {
  /** {@return the location in the syntax of kprobe_events: {@code vfs_read+8}, {@code ext4:f}} */
  String text();

  /**
   * An instruction by function symbol and offset.
   *
   * @param module the module that contains the function; empty to search everywhere
   * @param function as in kallsyms
   * @param offset bytes from the function's start, 0 for its entry
   */
  record Symbol(Optional<String> module, String function, long offset) implements KernelLocation {
    /**
     * The entry of a function.
     *
     * @param function as in kallsyms
     */
    public Symbol(String function) {
      this(Optional.empty(), function, 0);
    }

    /** {@return the function, after its module and a colon if there is one} */
    public String symbol() {
      return module.map(name -> name + ":" + function).orElse(function);
    }

    @Override
    public String text() {
      return offset == 0 ? symbol() : symbol() + "+" + offset;
    }
  }

  /**
   * An address, unsigned.
   *
   * @param value as in kallsyms
   */
  record Address(long value) implements KernelLocation {
    @Override
    public String text() {
      return "0x" + Long.toHexString(value);
    }
  }
}
