package dev.ply.cli;

import dev.ply.selector.Glob;
import dev.ply.selector.UsdtSelector;
import dev.ply.selector.UserSelector;
import dev.ply.target.BinaryCatalog;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.target.UnreadableTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The probes of programs and libraries that a pattern selects: {@code ./server*:Server*}. Without a
 * program or library, those of all that the traced process, or any process, has mapped.
 */
final class UserProbeListing {
  private static final String MAPPED = "*";

  private final BinaryCatalog binaries;
  private final boolean showsNames;
  private final List<String> unreadable = new ArrayList<>();

  /**
   * Lists what programs and libraries have.
   *
   * @param showsNames whether functions of C++ and Rust are shown by their names, not only those
   *     that are looked for by them
   */
  UserProbeListing(BinaryCatalog binaries, boolean showsNames) {
    this.binaries = binaries;
    this.showsNames = showsNames;
  }

  /** Returns the functions, or the place if it is inside one, without their provider. */
  Stream<String> functions(String selector) {
    UserSelector place = UserSelector.parse(selector);
    return in(place.binary(), name -> functions(place.in(name)));
  }

  private Stream<String> functions(UserSelector place) {
    if (place instanceof UserSelector.Function function && !binaries.several(function).isEmpty()) {
      return Stream.of(place.text());
    }
    return place instanceof UserSelector.Pattern pattern
        ? binaries.select(pattern).functions().stream()
            .map(function -> named(pattern, function.text()))
            .distinct()
        : binaries.locate(place).stream().map(location -> place.text()).distinct();
  }

  private String named(UserSelector.Pattern pattern, String function) {
    return showsNames || pattern instanceof UserSelector.CxxFunctions
        ? UserSelector.shown(function)
        : function;
  }

  /** Returns the USDT probes, each once whatever its addresses, without their provider. */
  Stream<String> marks(String selector) {
    UsdtSelector place = UsdtSelector.parse(selector);
    return in(
        place.binary(),
        name ->
            binaries.marks(place.in(name)).stream()
                .map(mark -> name(mark.place()))
                .distinct()
                .sorted());
  }

  private Stream<String> in(String binary, Function<String, Stream<String>> inOne) {
    String pattern = binary.isEmpty() ? MAPPED : binary;
    if (!binaries.isPattern(pattern)) {
      return inOne.apply(pattern);
    }
    return binaries.matching(pattern).names().stream()
        .flatMap(
            name -> {
              try {
                return inOne.apply(name);
              } catch (ProbeSiteNotFoundException e) {
                // Other files have what is looked for.
                return Stream.empty();
              } catch (UnreadableTargetException e) {
                unreadable.add(String.valueOf(e.getMessage()));
                return Stream.empty();
              }
            });
  }

  /** Returns why files that a pattern means are left out, of those that have been looked at. */
  List<String> unreadable() {
    return List.copyOf(unreadable);
  }

  private static String name(UsdtSelector.Location site) {
    return new UsdtSelector.Marks(
            site.binary(), Optional.of(new Glob(site.provider())), new Glob(site.name()))
        .text();
  }
}
