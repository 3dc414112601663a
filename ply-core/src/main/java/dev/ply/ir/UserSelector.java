package dev.ply.ir;

import java.util.regex.Pattern;

/** Where in the code of a program or library a probe stands. */
public sealed interface UserSelector {
  /**
   * Returns the program or library: a path, the name of a library without {@code lib} and its
   * suffix, the name of a program in {@code $PATH}, or the number of a process, which stands for
   * all files that it has mapped, and for hits by it alone.
   */
  String binary();

  /** Returns the place as scripts write it: {@code c:malloc}, {@code /bin/bash:readline}. */
  String text();

  /**
   * Reads a place as scripts write it.
   *
   * @throws InvalidSelectorException if the text names none
   */
  static UserSelector parse(String text) {
    return UserSelectorParser.parse(text);
  }

  /**
   * Reads a place where functions begin.
   *
   * @throws InvalidSelectorException if the text names none, or one inside a function
   */
  static Entry parseEntry(String text) {
    return UserSelectorParser.parseEntry(text);
  }

  /** A place where functions begin, so that their return can be probed too. */
  sealed interface Entry extends UserSelector {}

  /** A function, by the name it has in the symbol table. */
  record Function(String binary, String name) implements Entry {
    private static final Pattern NAME = Pattern.compile("[^\\s{},;:/\"+]+");

    public Function {
      BinaryName.require(binary);
      if (!isName(name)) {
        throw new IllegalArgumentException("\"" + name + "\" is not the name of a function");
      }
    }

    /** Tells whether a text could be a function's name. */
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
   * @param offset bytes from the function's start to the start of the instruction, positive
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

  /** An address as the binary's own tables give it, unsigned; where it is loaded is no matter. */
  record Address(String binary, long value) implements Entry {
    public Address {
      BinaryName.require(binary);
    }

    @Override
    public String text() {
      return BinaryName.quoted(binary) + ":0x" + Long.toHexString(value);
    }
  }

  /** All functions with such names. */
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
