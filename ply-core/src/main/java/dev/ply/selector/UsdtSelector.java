package dev.ply.selector;

import java.util.Optional;

/** A USDT probe, or all that match a pattern. */
public sealed interface UsdtSelector {
  /**
   * {@return the program or library, as {@link UserSelector#binary} does; empty for all that the
   * traced process has mapped}
   */
  String binary();

  /** {@return the probe as scripts write it: {@code /usr/sbin/mysqld:mysql:query__start}} */
  String text();

  /**
   * {@return the same probes of another program or library}
   *
   * @param binary its name
   */
  UsdtSelector in(String binary);

  /**
   * Parses USDT probes: name, provider and binary are separated by colons, and all but the name are
   * optional.
   *
   * @param text {@code binary:provider:probe} or {@code binary:probe}, of which the latter parts
   *     can be patterns
   * @return the probes
   * @throws InvalidSelectorException if the string is not a USDT probe
   */
  static Marks parse(String text) {
    return UsdtSelectorParser.parse(text);
  }

  /**
   * All USDT probes that match.
   *
   * @param binary the program or library, as {@link UserSelector#binary}
   * @param provider if present, matches probes of these providers only
   * @param name matches names of probes
   */
  record Marks(String binary, Optional<Glob> provider, Glob name) implements UsdtSelector {
    /**
     * Checks the binary.
     *
     * @throws IllegalArgumentException if it is empty, or has quotation marks or line breaks
     */
    public Marks {
      BinaryName.require(binary);
    }

    /**
     * {@return whether a USDT probe matches}
     *
     * @param itsProvider as in the USDT note
     * @param itsName as in the USDT note
     */
    public boolean matches(String itsProvider, String itsName) {
      return name.matches(itsName) && (provider.isEmpty() || provider.get().matches(itsProvider));
    }

    @Override
    public Marks in(String other) {
      return new Marks(other, provider, name);
    }

    @Override
    public String text() {
      String mark = provider.map(glob -> written(glob) + ":").orElse("") + written(name);
      return binary.isEmpty() && provider.isPresent() ? ":" + mark : BinaryName.join(binary, mark);
    }

    private static String written(Glob glob) {
      // A character class has colons, too: [[:alpha:]].
      String pattern = glob.toString();
      return SelectorParser.separator(pattern, ":") < 0
              && pattern.chars().noneMatch(character -> " \t\r\n{},/;\"\\+".indexOf(character) >= 0)
          ? pattern
          : QuotedPart.quote(pattern);
    }
  }

  /**
   * One address of a USDT probe; inlining can give a probe several.
   *
   * @param binary the program or library, as {@link UserSelector#binary}
   * @param provider as in the USDT note
   * @param name as in the USDT note
   * @param address as in the ELF file
   */
  record Location(String binary, String provider, String name, long address)
      implements UsdtSelector {
    @Override
    public Location in(String other) {
      return new Location(other, provider, name, address);
    }

    @Override
    public String text() {
      return BinaryName.join(
          binary, QuotedPart.quoteIfNeeded(provider) + ":" + QuotedPart.quoteIfNeeded(name));
    }
  }
}
