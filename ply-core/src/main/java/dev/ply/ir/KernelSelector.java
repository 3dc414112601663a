package dev.ply.ir;

import java.util.Optional;

/** Where in the kernel's code a probe stands. */
public sealed interface KernelSelector {
  /**
   * Returns the place as scripts write it: {@code vfs_read}, {@code vfs_read+8}, {@code ext4:*}.
   */
  String text();

  /**
   * Reads a place as scripts write it.
   *
   * @throws InvalidSelectorException if the text names none
   */
  static KernelSelector parse(String text) {
    return SelectorParser.kernel(text);
  }

  /**
   * Reads a place where functions begin.
   *
   * @throws InvalidSelectorException if the text names none, or one inside a function
   */
  static Entry parseEntry(String text) {
    return SelectorParser.kernelEntry(text);
  }

  /** A place where functions begin, so that their return can be probed too. */
  sealed interface Entry extends KernelSelector {}

  /**
   * A function.
   *
   * @param module the module that has it; without one, the kernel looks everywhere. {@code
   *     vmlinux}, which some call the kernel itself, is none
   */
  record Function(Optional<String> module, String name) implements Entry {
    private static final String KERNEL = "vmlinux";

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

    /** A function of whatever module. */
    public Function(String name) {
      this(Optional.empty(), name);
    }

    /** Tells whether a text could be a function's name. */
    public static boolean isName(String text) {
      // No regular expression: patterns mean thousands of functions.
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

    /** Tells whether a text could be a module's name. */
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
   * @param offset bytes from the function's start to the start of the instruction, positive
   */
  record Inside(Function function, long offset) implements KernelSelector {
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

  /** An address, unsigned. */
  record Address(long value) implements Entry {
    @Override
    public String text() {
      return "0x" + Long.toHexString(value);
    }
  }

  /**
   * All functions with such names that can be probed.
   *
   * @param module if present, which modules' functions only
   */
  record Functions(Optional<Glob> module, Glob name) implements Entry {
    /** Such functions of whatever module. */
    public Functions(String name) {
      this(Optional.empty(), new Glob(name));
    }

    /** Tells whether a function is one of these. */
    public boolean matches(Function function) {
      return name.matches(function.name())
          && (module.isEmpty() || function.module().filter(module.get()::matches).isPresent());
    }

    @Override
    public String text() {
      return module.map(glob -> glob + ":").orElse("") + name;
    }
  }
}
