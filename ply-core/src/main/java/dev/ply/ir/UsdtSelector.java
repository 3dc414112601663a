package dev.ply.ir;

import java.util.Optional;

/** Which of the places that a program's authors have marked for tracing a probe is on. */
public sealed interface UsdtSelector {
  /** Returns the program or library, as {@link UserSelector#binary} does. */
  String binary();

  /** Returns the place as scripts write it: {@code /usr/sbin/mysqld:mysql:query__start}. */
  String text();

  /**
   * Reads marks as scripts write them; their provider may be left away.
   *
   * @throws InvalidSelectorException if the text names none
   */
  static Marks parse(String text) {
    String example = "usdt:/usr/sbin/mysqld:mysql:query__start, say";
    BinaryName.Split split = BinaryName.split(text, example);
    int colon = SelectorParser.separator(split.rest(), ":");
    String name = split.rest().substring(colon + 1);
    if (name.isEmpty() || SelectorParser.separator(name, ":") >= 0 || colon == 0) {
      throw new InvalidSelectorException(
          "\"" + split.rest() + "\" names no provider and mark", "write " + example);
    }
    Optional<Glob> provider =
        colon < 0 ? Optional.empty() : Optional.of(new Glob(split.rest().substring(0, colon)));
    return new Marks(split.binary(), provider, new Glob(name));
  }

  /**
   * All marks with such names.
   *
   * @param provider if present, those of which providers only
   */
  record Marks(String binary, Optional<Glob> provider, Glob name) implements UsdtSelector {
    public Marks {
      BinaryName.require(binary);
    }

    /** Tells whether a mark is one of these. */
    public boolean matches(String itsProvider, String itsName) {
      return name.matches(itsName) && (provider.isEmpty() || provider.get().matches(itsProvider));
    }

    @Override
    public String text() {
      return BinaryName.quoted(binary) + provider.map(glob -> ":" + glob).orElse("") + ":" + name;
    }
  }

  /**
   * One place in the code. A mark is in several where the compiler has put its function.
   *
   * @param address as the file's own tables give it
   */
  record Location(String binary, String provider, String name, long address)
      implements UsdtSelector {
    @Override
    public String text() {
      return BinaryName.quoted(binary) + ":" + provider + ":" + name;
    }
  }
}
