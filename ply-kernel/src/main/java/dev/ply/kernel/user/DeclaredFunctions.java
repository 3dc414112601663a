package dev.ply.kernel.user;

import dev.ply.ir.TypeName;
import dev.ply.kernel.untrusted.FileFacts;
import dev.ply.kernel.untrusted.FileMemory.Kept;
import dev.ply.kernel.user.FunctionSites.Site;
import dev.ply.selector.UserSelector;
import dev.ply.target.FunctionPrototype;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.target.UnreadableTargetException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Parameters and results of functions, from debug information. Thread-safe. */
final class DeclaredFunctions {
  /** The heap bytes of a function's result type, without its name. */
  private static final int RESULT = 160;

  private final FunctionSites sites;
  private final BinaryImages images;
  private final Map<Entry, Kept<Optional<FunctionPrototype>>> prototypes =
      new ConcurrentHashMap<>();

  /** The types of results by the functions' offsets, of the functions that were asked for. */
  private final Map<FileFacts, Kept<Map<Long, Optional<TypeName>>>> results =
      new ConcurrentHashMap<>();

  /** Files whose debug information is damaged, or too much. */
  private final Set<FileFacts> unreadable = ConcurrentHashMap.newKeySet();

  DeclaredFunctions(FunctionSites sites, BinaryImages images) {
    this.sites = sites;
    this.images = images;
  }

  /** The start of a function in a file, which is another one after it has been written to. */
  private record Entry(FileFacts file, long offset) {
    static Entry of(Site site) {
      return new Entry(site.image().file().facts(), site.location().offset());
    }
  }

  /** Returns the parameters of a function, if those of all functions of its name are the same. */
  Optional<FunctionPrototype> prototype(UserSelector place) {
    List<UserSelector.Address> several =
        place instanceof UserSelector.Function function ? sites.several(function) : List.of();
    if (!several.isEmpty()) {
      List<Optional<FunctionPrototype>> different =
          several.stream().map(this::prototype).distinct().toList();
      return different.size() == 1 ? different.get(0) : Optional.empty();
    }
    List<Site> found = sites.locate(place);
    return found.size() == 1 ? prototype(found.get(0), name(place)) : Optional.empty();
  }

  private Optional<FunctionPrototype> prototype(Site site, String name) {
    Optional<Optional<FunctionPrototype>> known =
        Optional.ofNullable(prototypes.get(Entry.of(site))).flatMap(Kept::get);
    if (known.isPresent()) {
      return known.get();
    }
    Kept<Optional<FunctionPrototype>> read = readPrototype(site, name);
    prototypes.put(Entry.of(site), read);
    return read.get().orElse(Optional.empty());
  }

  private static String name(UserSelector place) {
    return place instanceof UserSelector.Function function
        ? function.name()
        : place instanceof UserSelector.Address address ? address.function().orElse("") : "";
  }

  private Kept<Optional<FunctionPrototype>> readPrototype(Site site, String name) {
    try {
      return images.keep(
          site.location().file(), file -> Prototypes.read(file, site.location().offset(), name));
    } catch (IOException e) {
      throw new UnreadableTargetException(
          "the debug information of "
              + site.location().file()
              + " cannot be read: "
              + e.getMessage());
    }
  }

  /** Returns the parameters and results of described functions as text. */
  Map<UserSelector, List<String>> declarations(List<UserSelector> places) {
    Map<Path, Map<UserSelector, Site>> byFile = new LinkedHashMap<>();
    located(places)
        .forEach(
            (place, site) ->
                byFile
                    .computeIfAbsent(site.location().file(), file -> new HashMap<>())
                    .put(place, site));
    Map<UserSelector, List<String>> declared = new HashMap<>();
    byFile.forEach((path, files) -> declared.putAll(declarations(path, files)));
    return declared;
  }

  private Map<UserSelector, List<String>> declarations(Path path, Map<UserSelector, Site> places) {
    Map<Long, String> functions = new HashMap<>();
    places.forEach((place, site) -> functions.put(site.location().offset(), symbol(place)));
    Map<UserSelector, List<String>> declared = new HashMap<>();
    try {
      Map<Long, List<String>> found =
          images.inspect(path, file -> Prototypes.declarations(file, functions));
      places.forEach(
          (place, site) ->
              Optional.ofNullable(found.get(site.location().offset()))
                  .ifPresent(declarations -> declared.put(place, declarations)));
    } catch (IOException e) {
      // What cannot be read is unknown, as without debug information.
    }
    return declared;
  }

  private static String symbol(UserSelector place) {
    return place instanceof UserSelector.Function function ? function.name() : "";
  }

  /** Returns the probe sites on a single function; others are reported when probed. */
  private Map<UserSelector, Site> located(List<UserSelector> places) {
    Map<UserSelector, Site> located = new LinkedHashMap<>();
    for (UserSelector place : places) {
      try {
        List<Site> found = sites.locate(place);
        if (found.size() == 1) {
          located.put(place, found.get(0));
        }
      } catch (ProbeSiteNotFoundException | UnreadableTargetException e) {
        // It has no declaration.
      }
    }
    return located;
  }

  /** Returns the type of what a function returns, if it is a number or an address. */
  Optional<TypeName> result(UserSelector place) {
    List<Site> found = sites.locate(place);
    if (found.size() != 1) {
      return Optional.empty();
    }
    Entry entry = Entry.of(found.get(0));
    if (!isKnown(entry)) {
      readResults(List.of(place));
    }
    return results(entry.file()).getOrDefault(entry.offset(), Optional.empty());
  }

  private boolean isKnown(Entry entry) {
    return unreadable.contains(entry.file()) || results(entry.file()).containsKey(entry.offset());
  }

  private Map<Long, Optional<TypeName>> results(FileFacts file) {
    return Optional.ofNullable(results.get(file)).flatMap(Kept::get).orElse(Map.of());
  }

  /** Reads the results of many functions at once. */
  void readResults(List<UserSelector> places) {
    Map<Path, Map<Entry, String>> byFile = new LinkedHashMap<>();
    located(places)
        .forEach(
            (place, site) -> {
              if (!isKnown(Entry.of(site))) {
                byFile
                    .computeIfAbsent(site.location().file(), file -> new HashMap<>())
                    .put(Entry.of(site), symbol(place));
              }
            });
    byFile.forEach(
        (path, entries) ->
            entries.keySet().stream()
                .map(Entry::file)
                .distinct()
                .forEach(file -> readResults(path, file, entries)));
  }

  /** Damaged debug information says nothing of the types. */
  private void readResults(Path path, FileFacts facts, Map<Entry, String> entries) {
    Map<Long, String> functions = new HashMap<>();
    entries.forEach((entry, name) -> functions.put(entry.offset(), name));
    Map<Long, Optional<TypeName>> types = new HashMap<>(results(facts));
    try {
      Kept<Map<Long, Optional<TypeName>>> read =
          images.keep(
              path,
              file -> {
                Map<Long, TypeName> found = Prototypes.results(file, functions);
                functions
                    .keySet()
                    .forEach(offset -> types.put(offset, Optional.ofNullable(found.get(offset))));
                file.allowance().claimKept(bytes(types));
                return types;
              });
      Optional.ofNullable(results.put(facts, read)).ifPresent(Kept::drop);
    } catch (IOException e) {
      // What cannot be read is unknown, as without debug information.
      unreadable.add(facts);
    }
  }

  private static long bytes(Map<Long, Optional<TypeName>> types) {
    return types.values().stream()
        .mapToLong(type -> RESULT + 2L * type.map(name -> name.base().length()).orElse(0))
        .sum();
  }
}
