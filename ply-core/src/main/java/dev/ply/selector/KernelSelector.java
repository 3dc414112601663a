package dev.ply.selector;

import java.util.Optional;

/** The location of a probe in kernel code. */
public sealed interface KernelSelector {
  /**
   * {@return the location as scripts write it: {@code vfs_read}, {@code vfs_read+8}, {@code
   * ext4:*}}
   */
  String text();

  /**
   * Parses a location.
   *
   * @param text a function, a function with offset, an address or a pattern
   * @throws InvalidSelectorException if the syntax is invalid
   */
  static KernelSelector parse(String text) {
    return SelectorParser.kernel(text);
  }

  /**
   * Parses a function entry.
   *
   * @param text a function, an address or a pattern, without offset
   * @throws InvalidSelectorException if the syntax is invalid, or is inside a function
   */
  static Entry parseEntry(String text) {
    return SelectorParser.kernelEntry(text);
  }

  /** A function entry, whose return can be probed too. */
  sealed interface Entry extends KernelSelector {}

  /**
   * A function.
   *
   * @param module the module that has it; without one, the kernel looks everywhere. {@code
   *     vmlinux}, which some call the kernel itself, is none
   * @param name as in kallsyms
   */
  record Function(Optional<String> module, String name) implements Entry {
    private static final String KERNEL = "vmlinux";

    /**
     * Checks the names.
     *
     * @throws IllegalArgumentException if the name of the function or module has not the form of
     *     one
     */
    public Function {
      if (!isName(name)) {
        throw new IllegalArgumentException("\"" + name + "\" is not the name of a function");
      }
      if (module.isPresent()) {
        if (!isModule(module.get())) {
          throw new IllegalArgumentException(
              "\"" + module.get() + "\" is not the name of a module");
        }
        module = module.filter(own -> !own.equals(KERNEL));
      }
    }

    /**
     * A function of the kernel or any module.
     *
     * @param name as in kallsyms
     */
    public Function(String name) {
      this(Optional.empty(), name);
    }

    /**
     * {@return whether a string has the form of a function name}
     *
     * @param text of any form
     */
    public static boolean isName(String text) {
      // No regular expression: a pattern is tried on tens of thousands of functions.
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        boolean isDigit = c >= '0' && c <= '9';
        if (!isLetter(c) && !(isDigit && i > 0)) {
          return false;
        }
      }
      return !text.isEmpty();
    }

    private static boolean isLetter(char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '$';
    }

    /**
     * {@return whether a string has the form of a module name}
     *
     * @param text of any form
     */
    public static boolean isModule(String text) {
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c == '.' || c == '$' || (!isLetter(c) && (c < '0' || c > '9'))) {
          return false;
        }
      }
      return !text.isEmpty();
    }

    @Override
    public String text() {
      return module.isEmpty() ? name : module.get() + ":" + name;
    }
  }

  /**
   * An instruction within a function.
   *
   * @param function that contains the instruction
   * @param offset bytes from the function's entry to the instruction, positive
   */
  record Inside(Function function, long offset) implements KernelSelector {
    /**
     * Checks the offset.
     *
     * @throws IllegalArgumentException if the offset is not positive
     */
    public Inside {
      if (offset <= 0) {
        throw new IllegalArgumentException(
            "no instruction inside " + function.text() + " is at offset " + offset);
      }
    }

    @Override
    public String text() {
      return function.text() + "+" + offset;
    }
  }

  /**
   * An address, unsigned.
   *
   * @param value as in kallsyms
   * @param name what the script calls it: several functions of a kernel can have one name
   */
  record Address(long value, Optional<String> name) implements Entry {
    /**
     * An address without a name.
     *
     * @param value as in kallsyms
     */
    public Address(long value) {
      this(value, Optional.empty());
    }

    @Override
    public String text() {
      return name.orElseGet(() -> "0x" + Long.toHexString(value));
    }
  }

  /**
   * All probeable functions that match a pattern.
   *
   * @param module if present, matches functions of these modules only
   * @param name matches the names of functions as in kallsyms
   */
  record Functions(Optional<Glob> module, Glob name) implements Entry {
    /**
     * Matching functions of the kernel and all modules.
     *
     * @param name the pattern as scripts write it
     */
    public Functions(String name) {
      this(Optional.empty(), new Glob(name));
    }

    /**
     * {@return whether a function matches}
     *
     * @param function with its module
     */
    public boolean matches(Function function) {
      return name.matches(function.name())
          && (module.isEmpty() || module.get().matches(function.module().orElse(Function.KERNEL)));
    }

    @Override
    public String text() {
      return module.map(glob -> glob + ":").orElse("") + name;
    }
  }
}
