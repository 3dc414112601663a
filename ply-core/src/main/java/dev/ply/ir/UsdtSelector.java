package dev.ply.ir;

import java.util.Optional;

/** A USDT probe, or all that match a pattern. */
public sealed interface UsdtSelector {
  /** Returns the program or library, as {@link UserSelector#binary} does. */
  String binary();

  /** Returns the probe as scripts write it: {@code /usr/sbin/mysqld:mysql:query__start}. */
  String text();

  /**
   * Parses USDT probes; the provider is optional.
   *
   * @throws InvalidSelectorException if the string is no USDT probe
   */
  static Marks parse(String text) {
    String example = "usdt:/usr/sbin/mysqld:mysql:query__start, say";
    BinaryName.Split split = BinaryName.split(text, example);
    int colon = SelectorParser.separator(split.rest(), ":");
    String name = split.rest().substring(colon + 1);
    if (name.isEmpty() || SelectorParser.separator(name, ":") >= 0 || colon == 0) {
      throw new InvalidSelectorException(
          "\"" + split.rest() + "\" is no USDT provider and name", "write " + example);
    }
    Optional<Glob> provider =
        colon < 0 ? Optional.empty() : Optional.of(new Glob(split.rest().substring(0, colon)));
    return new Marks(split.binary(), provider, new Glob(name));
  }

  /**
   * All USDT probes that match.
   *
   * @param provider if present, matches probes of these providers only
   */
  record Marks(String binary, Optional<Glob> provider, Glob name) implements UsdtSelector {
    public Marks {
      BinaryName.require(binary);
    }

    /** Returns whether a USDT probe matches. */
    public boolean matches(String itsProvider, String itsName) {
      return name.matches(itsName) && (provider.isEmpty() || provider.get().matches(itsProvider));
    }

    @Override
    public String text() {
      return BinaryName.quoted(binary) + provider.map(glob -> ":" + glob).orElse("") + ":" + name;
    }
  }

  /**
   * One address of a USDT probe; inlining can give a probe several.
   *
   * @param address as in the ELF file
   */
  record Location(String binary, String provider, String name, long address)
      implements UsdtSelector {
    @Override
    public String text() {
      return BinaryName.quoted(binary) + ":" + provider + ":" + name;
    }
  }
}
