package dev.ply.symbol;

import dev.ply.cxx.CxxName;
import dev.ply.rust.RustName;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The names of functions of C++ and Rust as their programmers write them, from symbols: {@code
 * app::Svc::handle(int)}, {@code core::fmt::write}. Thread-safe.
 */
public final class Demangled {
  /** Longer names are shown as symbols. */
  private static final int LONGEST = 4096;

  /** Decoding costs microseconds; stack traces have the same functions again and again. */
  private static final Map<String, String> KNOWN = new ConcurrentHashMap<>();

  private static final int MOST_KNOWN = 2000;
  private static final int LONGEST_KNOWN = 1024;

  private Demangled() {}

  /**
   * {@return the name of a function, without the hashes of Rust's crates; the symbol itself if it
   * is of C, or of a form that is not known} A part that a compiler split off is named after the
   * whole: {@code f(int) [clone .cold]}.
   *
   * @param symbol as the file has it
   */
  public static String text(String symbol) {
    if (!isMangled(symbol)) {
      return symbol;
    }
    String known = KNOWN.get(symbol);
    if (known != null) {
      return known;
    }
    String text = decode(symbol).filter(name -> name.length() <= LONGEST).orElse(symbol);
    if (text.length() + symbol.length() <= LONGEST_KNOWN) {
      if (KNOWN.size() >= MOST_KNOWN) {
        KNOWN.clear();
      }
      KNOWN.put(symbol, text);
    }
    return text;
  }

  /**
   * {@return whether a symbol is one of C++ or Rust by its first characters}
   *
   * @param symbol as the file has it
   */
  public static boolean isMangled(String symbol) {
    return symbol.startsWith("_Z") || symbol.startsWith("_R");
  }

  private static Optional<String> decode(String symbol) {
    Optional<String> whole = name(symbol);
    int dot = symbol.indexOf('.');
    if (whole.isPresent() || dot < 0) {
      return whole;
    }
    // Names of Rust's first mangling have dots, too: their end is that of the name.
    int end = symbol.indexOf("E.", Math.max(0, symbol.indexOf("17h")));
    Optional<String> legacy = end < 0 ? Optional.empty() : part(symbol, end + 1);
    return legacy.or(() -> part(symbol, dot));
  }

  private static Optional<String> part(String symbol, int end) {
    String suffix = symbol.substring(end);
    return name(symbol.substring(0, end))
        .map(name -> suffix.startsWith(".llvm.") ? name : name + " [clone " + suffix + "]");
  }

  private static Optional<String> name(String symbol) {
    return RustName.of(symbol).map(RustName::text).or(() -> CxxName.of(symbol).map(CxxName::text));
  }
}
