package dev.ply.listing;

import dev.ply.probe.Provider;
import dev.ply.probe.Provider.Offer;
import dev.ply.probe.Provider.Site;
import dev.ply.target.KernelTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The arguments and results that clauses on a function can read, as C declares them; kprobes number
 * the arguments.
 */
final class FunctionFields {
  private final KernelTypes types;

  FunctionFields(KernelTypes types) {
    this.types = types;
  }

  /** Returns the fields of a provider's probes on a function; none where its types are unknown. */
  List<String> of(Provider provider, String name) {
    // Lists usually have several functions: all names are read at once.
    Optional<KernelTypes.Function> function =
        types.functionNames().contains(name) ? types.function(name) : Optional.empty();
    return function.map(known -> of(provider, known)).orElse(List.of());
  }

  private List<String> of(Provider provider, KernelTypes.Function function) {
    List<String> declarations = new ArrayList<>(types.declarations(function));
    String result = declarations.remove(declarations.size() - 1) + " retval";
    if (!provider.offers(Offer.NAMED_ARGUMENTS)) {
      return provider.offers(Offer.RETURN_VALUE)
          ? List.of(result)
          : numbered(declarations, function.parameters());
    }
    if (provider.site() == Site.RAW_TRACEPOINT) {
      // The first parameter is the probe's own data.
      return declarations.subList(1, declarations.size());
    }
    return provider.offers(Offer.RETURN_VALUE)
        ? Stream.concat(declarations.stream(), Stream.of(result)).toList()
        : declarations;
  }

  private static List<String> numbered(
      List<String> declarations, List<KernelTypes.Parameter> parameters) {
    List<String> numbered = new ArrayList<>();
    for (int i = 0; i < parameters.size(); i++) {
      String declared = declarations.get(i);
      String name = parameters.get(i).name();
      // That of a pointer to a function is in the middle.
      int at = name.isEmpty() ? declared.length() : declared.lastIndexOf(name);
      numbered.add(declared.substring(0, at) + "arg" + i + declared.substring(at + name.length()));
    }
    return numbered;
  }
}
