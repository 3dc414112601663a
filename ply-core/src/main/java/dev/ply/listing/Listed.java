package dev.ply.listing;

import dev.ply.probe.Provider;
import java.util.List;

/** An entry of a list. */
public sealed interface Listed {
  /**
   * A probe.
   *
   * @param provider that has it
   * @param name after the provider's keyword; empty for a probe that is called as its provider
   * @param fields what its clauses can read, as C declares it; none if only names are asked for
   */
  record Probe(Provider provider, String name, List<String> fields) implements Listed {
    /** Creates an entry. */
    public Probe {
      fields = List.copyOf(fields);
    }

    /** {@return the probe as scripts name it} */
    public String text() {
      return name.isEmpty() ? provider.keyword() : provider.keyword() + ":" + name;
    }
  }

  /**
   * A structure, union or enumeration.
   *
   * @param text its keyword and tag, or its definition in C
   */
  record Type(String text) implements Listed {}

  /**
   * Something that a pattern means and that cannot be listed.
   *
   * @param text what, and why
   */
  record LeftOut(String text) implements Listed {}
}
