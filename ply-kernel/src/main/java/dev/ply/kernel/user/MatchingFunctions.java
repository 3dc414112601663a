package dev.ply.kernel.user;

import dev.ply.kernel.elf.ElfSymbol;
import dev.ply.kernel.untrusted.Allowance;
import dev.ply.kernel.untrusted.BudgetExceededException;
import dev.ply.kernel.untrusted.Claim;
import dev.ply.kernel.untrusted.FileMemory;
import dev.ply.kernel.untrusted.Resource;
import dev.ply.selector.UserSelector;
import dev.ply.symbol.Demangled;
import dev.ply.target.BinaryCatalog.Selection;
import dev.ply.target.UnreadableTargetException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Selects the functions of programs and libraries that a pattern means. Thread-safe. */
final class MatchingFunctions {
  private final BinaryFinder finder;
  private final BinaryImages images;

  MatchingFunctions(BinaryFinder finder, BinaryImages images) {
    this.finder = finder;
    this.images = images;
  }

  /**
   * Returns the functions, and counts matches that cannot be probed.
   *
   * @throws UnreadableTargetException if a file cannot be read, or compared in time
   */
  Selection select(UserSelector.Pattern pattern) {
    List<Claim> claims = new ArrayList<>();
    try {
      return select(pattern, claims);
    } finally {
      claims.forEach(Claim::release);
    }
  }

  private Selection select(UserSelector.Pattern pattern, List<Claim> claims) {
    Map<String, ElfSymbol> found = new TreeMap<>();
    Set<String> unusable = new HashSet<>();
    for (FoundImages.One one : FoundImages.of(finder.find(pattern.binary()), images).all()) {
      BinaryImage image = one.image();
      for (ElfSymbol symbol : meant(pattern, image, claims)) {
        if (image.isUsable(symbol)) {
          found.putIfAbsent(symbol.name(), symbol);
        } else {
          unusable.add(symbol.name());
        }
      }
    }
    unusable.removeAll(found.keySet());
    if (found.keySet().stream().anyMatch(pattern::isLiterally)) {
      found.keySet().removeIf(name -> !pattern.isLiterally(name));
    }
    // The kinds of a constructor often are one function with several symbols.
    Set<Long> addresses = new HashSet<>();
    List<UserSelector.Function> functions =
        found.values().stream()
            .filter(symbol -> !symbol.isIndirect())
            .filter(
                symbol ->
                    !(pattern instanceof UserSelector.CxxFunctions)
                        || addresses.add(symbol.address()))
            .map(symbol -> new UserSelector.Function(pattern.binary(), symbol.name()))
            .toList();
    long indirect = found.values().stream().filter(ElfSymbol::isIndirect).count();
    return new Selection(functions, Math.toIntExact(indirect), unusable.size());
  }

  private List<ElfSymbol> meant(
      UserSelector.Pattern pattern, BinaryImage image, List<Claim> claims) {
    try {
      FileMemory.Held<List<ElfSymbol>> chosen =
          images.chosen(image, (name, time) -> isMeant(pattern, name, time));
      claims.add(chosen.claim());
      return chosen.content().stream()
          .filter(symbol -> UserSelector.Function.canBe(symbol.name()))
          .toList();
    } catch (BudgetExceededException e) {
      throw new UnreadableTargetException(
          "the functions of "
              + image.file().path()
              + " cannot be compared with "
              + pattern.text()
              + (e.resource() == Resource.TIME
                  ? ": their names take too much time to decode"
                  : ": their names take too much memory"));
    } catch (IOException e) {
      throw new UnreadableTargetException(
          image.file().path() + " cannot be read: " + e.getMessage());
    }
  }

  /** Decoding the names of C++ and Rust costs time, of which files of others have little. */
  private static boolean isMeant(UserSelector.Pattern pattern, String name, Allowance time)
      throws BudgetExceededException {
    if (pattern instanceof UserSelector.CxxFunctions && Demangled.isMangled(name)) {
      time.requireTime();
    }
    return pattern.matches(name);
  }
}
