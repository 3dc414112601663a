package dev.ply.selector;

import dev.ply.cxx.CxxName;
import dev.ply.rust.RustName;
import dev.ply.symbol.Demangled;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The location of a probe in a program or library. */
public sealed interface UserSelector {
  /**
   * {@return a place in which a function of C++ or Rust stands by its name, {@code
   * ./app:cpp:"f(int)"}; others, and instructions inside functions, as they are}
   *
   * @param place as text
   */
  static String shown(String place) {
    int symbol = place.lastIndexOf(':') + 1;
    String written = place.substring(symbol);
    boolean isQuoted = written.length() > 1 && written.startsWith("\"") && written.endsWith("\"");
    String plain = isQuoted ? written.substring(1, written.length() - 1) : written;
    String name = Demangled.text(plain);
    // A part that a compiler split off is not a function of that name.
    return name.equals(plain) || (name.endsWith("]") && plain.indexOf('.') >= 0)
        ? place
        : place.substring(0, symbol) + "cpp:" + QuotedPart.quote(name);
  }

  /**
   * {@return the program or library: a path, a soname stem ({@code c} for libc.so.6), a program in
   * {@code $PATH}, or a PID, which selects all files mapped by that process and its hits only; or a
   * pattern of paths or names, {@code *} for all that processes have mapped; empty for the program
   * of the traced process}
   */
  String binary();

  /**
   * {@return the same location in another program or library}
   *
   * @param binary its name
   */
  UserSelector in(String binary);

  /**
   * {@return whether the name of a program or library is a pattern of several}
   *
   * @param binary of any form
   */
  static boolean isPattern(String binary) {
    return Glob.isGlob(binary);
  }

  /**
   * {@return whether a string has the form of a program's or library's name}
   *
   * @param text of any form
   */
  static boolean canBeBinary(String text) {
    return BinaryName.canBe(text);
  }

  /** {@return the location as scripts write it: {@code c:malloc}, {@code /bin/bash:readline}} */
  String text();

  /**
   * Parses a location.
   *
   * @param text {@code binary:function}, with offset, or an address or pattern after the colon
   * @throws InvalidSelectorException if the syntax is invalid
   */
  static UserSelector parse(String text) {
    return UserSelectorParser.parse(text);
  }

  /**
   * Parses a function entry.
   *
   * @param text {@code binary:function}, or an address or pattern after the colon
   * @throws InvalidSelectorException if the syntax is invalid, or is inside a function
   */
  static Entry parseEntry(String text) {
    return UserSelectorParser.parseEntry(text);
  }

  /** A function entry, whose return can be probed too. */
  sealed interface Entry extends UserSelector {
    @Override
    Entry in(String binary);
  }

  /**
   * A function by its symbol name.
   *
   * @param binary the program or library
   * @param name as in the ELF symbol table
   */
  record Function(String binary, String name) implements Entry {
    private static final java.util.regex.Pattern NAME =
        java.util.regex.Pattern.compile("[^\\s{},;:/\"+]+");

    /**
     * Checks the names.
     *
     * @throws IllegalArgumentException if the binary has quotation marks or line breaks, or the
     *     name is not the name of a function
     */
    public Function {
      BinaryName.require(binary);
      if (!canBe(name)) {
        throw new IllegalArgumentException("\"" + name + "\" is not the name of a function");
      }
    }

    /**
     * {@return whether a string has the form of a function name that needs no quotes}
     *
     * @param text of any form
     */
    public static boolean isName(String text) {
      return canBe(text) && NAME.matcher(text).matches() && !Character.isDigit(text.charAt(0));
    }

    /**
     * {@return whether a function can have this name; some need quotes in a definition}
     *
     * @param text of any form
     */
    public static boolean canBe(String text) {
      return !text.isBlank() && text.chars().noneMatch(Character::isISOControl);
    }

    @Override
    public Function in(String other) {
      return new Function(other, name);
    }

    @Override
    public String text() {
      return BinaryName.join(binary, isName(name) ? name : QuotedPart.quote(name));
    }
  }

  /**
   * An instruction within a function.
   *
   * @param function that contains the instruction
   * @param offset bytes from the function's entry to the instruction, positive
   */
  record Inside(Function function, long offset) implements UserSelector {
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
    public String binary() {
      return function.binary();
    }

    @Override
    public Inside in(String other) {
      return new Inside(function.in(other), offset);
    }

    @Override
    public String text() {
      return function.text() + "+" + offset;
    }
  }

  /**
   * An address as in the ELF file, unsigned, independent of where it is loaded.
   *
   * @param binary the program or library
   * @param value a virtual address of the file
   * @param counter bytes from the file's start to the reference counter that is raised while the
   *     probe is attached, as the semaphore of a USDT probe; 0 for none
   * @param function the name of the function there, where the script means it: several functions of
   *     a file can have one name
   */
  record Address(String binary, long value, long counter, Optional<String> function)
      implements Entry {
    /**
     * Checks the binary.
     *
     * @throws IllegalArgumentException if it is empty, or has quotation marks or line breaks
     */
    public Address {
      BinaryName.require(binary);
    }

    /**
     * An address with a reference counter.
     *
     * @param binary the program or library
     * @param value a virtual address of the file
     * @param counter the reference counter's offset in the file, 0 for none
     * @throws IllegalArgumentException if the binary is empty, or has quotation marks or line
     *     breaks
     */
    public Address(String binary, long value, long counter) {
      this(binary, value, counter, Optional.empty());
    }

    /**
     * An address without a reference counter.
     *
     * @param binary the program or library
     * @param value a virtual address of the file
     * @throws IllegalArgumentException if the binary is empty, or has quotation marks or line
     *     breaks
     */
    public Address(String binary, long value) {
      this(binary, value, 0);
    }

    @Override
    public Address in(String other) {
      return new Address(other, value, counter, function);
    }

    @Override
    public String text() {
      if (function.isPresent()) {
        return new Function(binary, function.get()).text();
      }
      String address = BinaryName.join(binary, "0x" + Long.toHexString(value));
      return counter == 0 ? address : address + "(0x" + Long.toHexString(counter) + ")";
    }
  }

  /** Functions that match a pattern. */
  sealed interface Pattern extends Entry {
    @Override
    Pattern in(String binary);

    /** {@return the pattern} */
    Glob name();

    /**
     * {@return whether a symbol is the name that the pattern is when its special characters are
     * taken literally: {@code generic[int]}}
     *
     * @param symbol as in the ELF symbol table
     */
    boolean isLiterally(String symbol);

    /**
     * {@return whether a symbol is the name of a function that is meant, be it literally}
     *
     * @param symbol as in the ELF symbol table
     */
    boolean matches(String symbol);
  }

  /**
   * All functions whose symbols match a pattern.
   *
   * @param binary the program or library
   * @param name matches whole symbols
   */
  record Functions(String binary, Glob name) implements Pattern {
    /**
     * Checks the binary.
     *
     * @throws IllegalArgumentException if it is empty, or has quotation marks or line breaks
     */
    public Functions {
      BinaryName.require(binary);
    }

    @Override
    public boolean isLiterally(String symbol) {
      return name.toString().equals(symbol);
    }

    @Override
    public boolean matches(String symbol) {
      return name.matches(symbol) || isLiterally(symbol);
    }

    @Override
    public Functions in(String other) {
      return new Functions(other, name);
    }

    @Override
    public String text() {
      String written = name.toString();
      return BinaryName.join(
          binary, Function.isName(written) ? written : QuotedPart.quote(written));
    }
  }

  /**
   * All C++ functions whose names match a pattern, with or without the types of their parameters:
   * {@code Foo::bar}, {@code Foo::*(int)}. Without them, also functions of C linkage. Functions of
   * Rust are meant by their names, too.
   *
   * @param binary the program or library
   * @param name matches demangled names
   */
  record CxxFunctions(String binary, Glob name) implements Pattern {
    private static final java.util.regex.Pattern ABI_TAG =
        java.util.regex.Pattern.compile("\\[abi:[^\\]]*]");

    /**
     * Checks the binary.
     *
     * @throws IllegalArgumentException if it is empty, or has quotation marks or line breaks
     */
    public CxxFunctions {
      BinaryName.require(binary);
    }

    @Override
    public boolean isLiterally(String symbol) {
      return isMeant(symbol, name.toString()::equals);
    }

    @Override
    public boolean matches(String symbol) {
      String literal = name.toString();
      return isMeant(symbol, text -> name.matches(text) || literal.equals(text));
    }

    private boolean isMeant(String symbol, Predicate<String> meant) {
      if (!Demangled.isMangled(symbol)) {
        return !hasParameters() && meant.test(symbol);
      }
      Optional<RustName> rust = RustName.of(symbol);
      return rust.isPresent()
          ? meant.test(rust.get().text())
          : CxxName.of(symbol).filter(function -> isMeant(function, meant)).isPresent();
    }

    /** Symbols of C, as functions declared {@code extern "C"} have, tell no parameters. */
    private boolean hasParameters() {
      return name.toString().indexOf('(') >= 0;
    }

    /** Tags that libraries add to names for their ABI need not be written. */
    private static boolean isMeant(CxxName function, Predicate<String> meant) {
      return !function.parameters().isEmpty()
          && Stream.of(function.name(), function.name() + function.parameters(), function.text())
              .anyMatch(
                  text -> meant.test(text) || meant.test(ABI_TAG.matcher(text).replaceAll("")));
    }

    @Override
    public CxxFunctions in(String other) {
      return new CxxFunctions(other, name);
    }

    @Override
    public String text() {
      return BinaryName.join(binary, "cpp:" + QuotedPart.quote(name.toString()));
    }
  }
}
