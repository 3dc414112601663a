package dev.ply.ir;

import java.util.regex.Pattern;

/** The location of a probe in a program or library. */
public sealed interface UserSelector {
  /**
   * Returns the program or library: a path, a soname stem ({@code c} for libc.so.6), a program in
   * {@code $PATH}, or a PID, which selects all files mapped by that process and its hits only.
   */
  String binary();

  /** Returns the location as scripts write it: {@code c:malloc}, {@code /bin/bash:readline}. */
  String text();

  /**
   * Parses a location.
   *
   * @throws InvalidSelectorException if the string is none
   */
  static UserSelector parse(String text) {
    return UserSelectorParser.parse(text);
  }

  /**
   * Parses a function entry.
   *
   * @throws InvalidSelectorException if the string is none, or is inside a function
   */
  static Entry parseEntry(String text) {
    return UserSelectorParser.parseEntry(text);
  }

  /** A function entry, whose return can be probed too. */
  sealed interface Entry extends UserSelector {}

  /** A function by its symbol name. */
  record Function(String binary, String name) implements Entry {
    private static final Pattern NAME = Pattern.compile("[^\\s{},;:/\"+]+");

    public Function {
      BinaryName.require(binary);
      if (!isName(name)) {
        throw new IllegalArgumentException("\"" + name + "\" is not the name of a function");
      }
    }

    /** Returns whether a string has the form of a function name. */
    public static boolean isName(String text) {
      return NAME.matcher(text).matches() && !Character.isDigit(text.charAt(0));
    }

    @Override
    public String text() {
      return BinaryName.quoted(binary) + ":" + name;
    }
  }

  /**
   * An instruction within a function.
   *
   * @param offset bytes from the function's entry to the instruction, positive
   */
  record Inside(Function function, long offset) implements UserSelector {
    public Inside {
      if (offset <= 0) {
        throw new IllegalArgumentException(
            "no instruction inside " + function.text() + " is at offset " + offset);
      }
    }

    @Override
    public String binary() {
      return function.binary();
    }

    @Override
    public String text() {
      return function.text() + "+" + offset;
    }
  }

  /** An address as in the ELF file, unsigned, independent of where it is loaded. */
  record Address(String binary, long value) implements Entry {
    public Address {
      BinaryName.require(binary);
    }

    @Override
    public String text() {
      return BinaryName.quoted(binary) + ":0x" + Long.toHexString(value);
    }
  }

  /** All functions that match a pattern. */
  record Functions(String binary, Glob name) implements Entry {
    public Functions {
      BinaryName.require(binary);
    }

    @Override
    public String text() {
      return BinaryName.quoted(binary) + ":" + name;
    }
  }
}
