package dev.ply.rust;

import java.util.Map;

/**
 * Decodes one symbol of Rust's mangling version 0 (RFC 2603) by recursive descent, without the
 * hashes of crates and the types of constants.
 */
final class RustDemangler {
  private static final int DEEPEST = 120;
  private static final int LONGEST = 16_384;
  private static final Map<Character, String> BASIC_TYPES =
      Map.ofEntries(
          Map.entry('a', "i8"),
          Map.entry('b', "bool"),
          Map.entry('c', "char"),
          Map.entry('d', "f64"),
          Map.entry('e', "str"),
          Map.entry('f', "f32"),
          Map.entry('h', "u8"),
          Map.entry('i', "isize"),
          Map.entry('j', "usize"),
          Map.entry('l', "i32"),
          Map.entry('m', "u32"),
          Map.entry('n', "i128"),
          Map.entry('o', "u128"),
          Map.entry('p', "_"),
          Map.entry('s', "i16"),
          Map.entry('t', "u16"),
          Map.entry('u', "()"),
          Map.entry('v', "..."),
          Map.entry('x', "i64"),
          Map.entry('y', "u64"),
          Map.entry('z', "!"));

  private final RustText in;
  private final StringBuilder out = new StringBuilder();
  private final RustConstants constants;
  private boolean isSilent;
  private long boundLifetimes;
  private int depth;

  RustDemangler(String symbol) {
    this.in = new RustText(symbol);
    this.constants = new RustConstants(this, in);
  }

  String decode() {
    if (in.peek() >= '0' && in.peek() <= '9') {
      // A later version of the encoding.
      throw new UnknownFormException();
    }
    path(true);
    if (!in.isAtEnd()) {
      // The crate that has instantiated a generic function.
      silently(() -> path(false));
    }
    if (!in.isAtEnd()) {
      throw new UnknownFormException();
    }
    return out.toString();
  }

  void write(String text) {
    if (!isSilent) {
      out.append(text);
      if (out.length() > LONGEST) {
        throw new UnknownFormException();
      }
    }
  }

  private void silently(Runnable part) {
    boolean outer = isSilent;
    isSilent = true;
    part.run();
    isSilent = outer;
  }

  void enter() {
    if (++depth > DEEPEST) {
      throw new UnknownFormException();
    }
  }

  void leave() {
    depth--;
  }

  /** Decodes what an earlier position has. Bytes without output are not read again. */
  void back(int start, Runnable part) {
    long target = in.base62();
    if (target < 0 || target + 2 >= start) {
      throw new UnknownFormException();
    }
    if (!isSilent) {
      int end = in.position();
      in.goTo((int) target + 2);
      part.run();
      in.goTo(end);
    }
  }

  void path(boolean isValue) {
    enter();
    int start = in.position();
    char tag = in.next();
    switch (tag) {
      case 'C' -> {
        long unused = in.optional62('s');
        write(in.identifier());
      }
      case 'N' -> nested(isValue);
      case 'M', 'X', 'Y' -> {
        if (tag != 'Y') {
          long unused = in.optional62('s');
          silently(() -> path(false));
        }
        write("<");
        type();
        if (tag != 'M') {
          write(" as ");
          path(false);
        }
        write(">");
      }
      case 'I' -> {
        path(isValue);
        write(isValue ? "::<" : "<");
        arguments();
        write(">");
      }
      case 'B' -> back(start, () -> path(isValue));
      default -> throw new UnknownFormException();
    }
    leave();
  }

  private void nested(boolean isValue) {
    char namespace = in.next();
    path(isValue);
    long number = in.optional62('s');
    String name = in.identifier();
    if (namespace >= 'A' && namespace <= 'Z') {
      String kind = namespace == 'C' ? "closure" : namespace == 'S' ? "shim" : "" + namespace;
      write(
          "::{"
              + kind
              + (name.isEmpty() ? "" : ":" + name)
              + "#"
              + Long.toUnsignedString(number)
              + "}");
    } else if (namespace >= 'a' && namespace <= 'z') {
      write(name.isEmpty() ? "" : "::" + name);
    } else {
      throw new UnknownFormException();
    }
  }

  private void arguments() {
    for (int i = 0; !in.accept('E'); i++) {
      write(i > 0 ? ", " : "");
      if (in.accept('L')) {
        lifetime(in.base62());
      } else if (in.accept('K')) {
        constants.constant(false);
      } else {
        type();
      }
    }
  }

  private void lifetime(long index) {
    if (index == 0) {
      write("'_");
      return;
    }
    long number = boundLifetimes - index;
    if (index < 0 || number < 0) {
      throw new UnknownFormException();
    }
    write(number < 26 ? "'" + (char) ('a' + number) : "'_" + number);
  }

  void type() {
    enter();
    int start = in.position();
    char tag = in.next();
    String basic = BASIC_TYPES.getOrDefault(tag, "");
    if (!basic.isEmpty()) {
      write(basic);
      leave();
      return;
    }
    switch (tag) {
      case 'R', 'Q' -> {
        write("&");
        if (in.accept('L')) {
          long index = in.base62();
          if (index != 0) {
            lifetime(index);
            write(" ");
          }
        }
        write(tag == 'Q' ? "mut " : "");
        type();
      }
      case 'P', 'O' -> {
        write(tag == 'P' ? "*const " : "*mut ");
        type();
      }
      case 'A', 'S' -> {
        write("[");
        type();
        if (tag == 'A') {
          write("; ");
          constants.constant(true);
        }
        write("]");
      }
      case 'T' -> tuple();
      case 'F' -> inBinder(this::function);
      case 'D' -> {
        write("dyn ");
        inBinder(this::traits);
        if (!in.accept('L')) {
          throw new UnknownFormException();
        }
        long index = in.base62();
        if (index != 0) {
          write(" + ");
          lifetime(index);
        }
      }
      case 'B' -> back(start, this::type);
      default -> {
        in.goTo(start);
        path(false);
      }
    }
    leave();
  }

  private void tuple() {
    write("(");
    int count = 0;
    while (!in.accept('E')) {
      write(count++ > 0 ? ", " : "");
      type();
    }
    write(count == 1 ? ",)" : ")");
  }

  /** Decodes a part that can bind lifetimes: {@code for<'a>}. */
  private void inBinder(Runnable part) {
    long bound = in.optional62('G');
    if (bound < 0 || bound > DEEPEST) {
      throw new UnknownFormException();
    }
    if (bound > 0) {
      write("for<");
      for (long i = 0; i < bound; i++) {
        write(i > 0 ? ", " : "");
        boundLifetimes++;
        lifetime(1);
      }
      write("> ");
    }
    part.run();
    boundLifetimes -= bound;
  }

  private void function() {
    write(in.accept('U') ? "unsafe " : "");
    if (in.accept('K')) {
      String abi = in.accept('C') ? "C" : in.identifier().replace('_', '-');
      write("extern \"" + abi + "\" ");
    }
    write("fn(");
    for (int i = 0; !in.accept('E'); i++) {
      write(i > 0 ? ", " : "");
      type();
    }
    write(")");
    if (!in.accept('u')) {
      write(" -> ");
      type();
    }
  }

  private void traits() {
    for (int i = 0; !in.accept('E'); i++) {
      write(i > 0 ? " + " : "");
      boolean isOpen = openPath();
      while (in.accept('p')) {
        write(isOpen ? ", " : "<");
        isOpen = true;
        write(in.identifier() + " = ");
        type();
      }
      write(isOpen ? ">" : "");
    }
  }

  /** Decodes a path without the end of its type arguments; returns whether it has some. */
  private boolean openPath() {
    enter();
    int start = in.position();
    boolean[] isOpen = {false};
    if (in.accept('B')) {
      back(start, () -> isOpen[0] = openPath());
    } else if (in.accept('I')) {
      path(false);
      write("<");
      arguments();
      isOpen[0] = true;
    } else {
      path(false);
    }
    leave();
    return isOpen[0];
  }
}
