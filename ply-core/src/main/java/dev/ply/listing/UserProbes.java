package dev.ply.listing;

import dev.ply.probe.Provider;
import dev.ply.selector.Glob;
import dev.ply.selector.UsdtSelector;
import dev.ply.selector.UserSelector;
import dev.ply.target.BinaryCatalog;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.target.UnreadableTargetException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The probes of programs and libraries that a pattern selects: {@code ./server*:Server*}. Without a
 * program or library, those of all that the traced process, or any process, has mapped.
 */
final class UserProbes {
  private static final String MAPPED = "*";

  private final BinaryCatalog binaries;
  private final CxxNames cxxNames;
  private final List<String> unreadable = new ArrayList<>();

  UserProbes(BinaryCatalog binaries, CxxNames cxxNames) {
    this.binaries = binaries;
    this.cxxNames = cxxNames;
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
    return cxxNames == CxxNames.DECLARED || pattern instanceof UserSelector.CxxFunctions
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

  /**
   * Returns what clauses on functions can read, as C declares it: their parameters, or their
   * results. All are looked up at once; what files do not describe is missing.
   */
  Map<String, List<String>> fields(Provider provider, List<String> names) {
    Map<String, UserSelector> places = new LinkedHashMap<>();
    for (String name : names) {
      function(UserSelector.parse(name)).ifPresent(place -> places.put(name, place));
    }
    Map<UserSelector, List<String>> declared = binaries.declarations(List.copyOf(places.values()));
    Map<String, List<String>> fields = new HashMap<>();
    places.forEach(
        (name, place) ->
            fields.put(name, ofFunction(provider, declared.getOrDefault(place, List.of()))));
    return fields;
  }

  /** The last declaration is that of the result. */
  private static List<String> ofFunction(Provider provider, List<String> declarations) {
    if (declarations.isEmpty()) {
      return List.of();
    }
    int last = declarations.size() - 1;
    boolean isReturn = provider.offers(Provider.Offer.RETURN_VALUE);
    List<String> own =
        isReturn ? declarations.subList(last, last + 1) : declarations.subList(0, last);
    return own.stream()
        .filter(declaration -> !declaration.equals("void"))
        .map(declaration -> isReturn ? declaration + " retval" : declaration)
        .toList();
  }

  /** Names of C++ can stand for several functions. */
  private Optional<UserSelector> function(UserSelector place) {
    if (!(place instanceof UserSelector.Pattern pattern)) {
      return Optional.of(place);
    }
    List<UserSelector.Function> functions = binaries.select(pattern).functions();
    return functions.size() == 1 ? Optional.of(functions.get(0)) : Optional.empty();
  }

  /** Returns why inspected files that a pattern matches are left out. */
  List<String> unreadable() {
    return List.copyOf(unreadable);
  }

  private static String name(UsdtSelector.Location site) {
    return new UsdtSelector.Marks(
            site.binary(), Optional.of(new Glob(site.provider())), new Glob(site.name()))
        .text();
  }
}
