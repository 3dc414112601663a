package dev.ply.rust;

import java.util.Optional;

/**
 * The name of a Rust function, without the hashes that tell crates and instances apart.
 *
 * @param text with its crate, modules and types: {@code core::fmt::write}
 */
public record RustName(String text) {
  /** Longer symbols are not decoded. */
  private static final int LONGEST = 4096;

  /**
   * Decodes a symbol, {@code _RNvC1a1f} as RFC 2603 says or {@code _ZN1a1f17h0123456789abcdefE} as
   * compilers made them before; empty if it is none of these.
   */
  public static Optional<RustName> of(String symbol) {
    if (symbol.length() > LONGEST) {
      return Optional.empty();
    }
    try {
      if (symbol.startsWith("_R")) {
        return Optional.of(new RustName(new RustDemangler(symbol).decode()));
      }
      return symbol.startsWith("_ZN")
          ? LegacyName.decode(symbol).map(RustName::new)
          : Optional.empty();
    } catch (UnknownFormException e) {
      return Optional.empty();
    }
  }
}
