package dev.ply.kernel.user;

import dev.ply.ir.TypeName;
import dev.ply.ir.UserSelector;
import dev.ply.kernel.untrusted.FileFacts;
import dev.ply.kernel.untrusted.FileMemory.Kept;
import dev.ply.kernel.user.FunctionSites.Site;
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
import java.util.concurrent.ConcurrentHashMap;

/** What debug information says of functions: their parameters and results. Thread-safe. */
final class DeclaredFunctions {
  private final FunctionSites sites;
  private final BinaryImages images;
  private final Map<Entry, Kept<Optional<FunctionPrototype>>> prototypes =
      new ConcurrentHashMap<>();

  private final Map<Entry, Optional<TypeName>> results = new ConcurrentHashMap<>();

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

  /** Returns the parameters and results as text, of those functions that are described. */
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

  /** Returns the places that are one function; what others are is said where they are probed. */
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
    if (!results.containsKey(entry)) {
      readResults(List.of(place));
    }
    return results.getOrDefault(entry, Optional.empty());
  }

  /** Reads the results of many functions at once. */
  void readResults(List<UserSelector> places) {
    Map<Path, Map<Entry, String>> byFile = new LinkedHashMap<>();
    located(places)
        .forEach(
            (place, site) -> {
              if (!results.containsKey(Entry.of(site))) {
                byFile
                    .computeIfAbsent(site.location().file(), file -> new HashMap<>())
                    .put(Entry.of(site), symbol(place));
              }
            });
    byFile.forEach(this::readResults);
  }

  /** Damaged debug information says nothing of the types. */
  private void readResults(Path path, Map<Entry, String> entries) {
    Map<Long, String> functions = new HashMap<>();
    entries.forEach((entry, name) -> functions.put(entry.offset(), name));
    Map<Long, TypeName> types = Map.of();
    try {
      types = images.inspect(path, file -> Prototypes.results(file, functions));
    } catch (IOException e) {
      // What cannot be read is unknown, as without debug information.
    }
    for (Entry entry : entries.keySet()) {
      results.put(entry, Optional.ofNullable(types.get(entry.offset())));
    }
  }
}
