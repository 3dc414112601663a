package dev.ply.selector;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Parses USDT probes as scripts and the fluent API write them. */
final class UsdtSelectorParser {
  private static final String EXAMPLE = "usdt:/usr/sbin/mysqld:mysql:query__start, for example";
  private static final int MOST_PARTS = 3;

  private UsdtSelectorParser() {}

  static UsdtSelector.Marks parse(String text) {
    List<String> parts = parts(text);
    String name = parts.get(parts.size() - 1);
    if (parts.size() > MOST_PARTS || name.isEmpty()) {
      throw new InvalidSelectorException(
          "\"" + text + "\" is not a USDT provider and name", "write " + EXAMPLE);
    }
    if (parts.size() == 1 && name.indexOf('/') >= 0) {
      throw new InvalidSelectorException(
          "\"" + text + "\" is not a location in a program or library", "write " + EXAMPLE);
    }
    String binary = parts.size() > 1 ? parts.get(0) : "";
    if (!UserSelector.canBeBinary(binary)) {
      throw new InvalidSelectorException("no program or library is named", "write " + EXAMPLE);
    }
    Optional<Glob> provider =
        parts.size() == MOST_PARTS
            ? Optional.of(parts.get(1)).filter(own -> !own.isEmpty()).map(Glob::new)
            : Optional.empty();
    return new UsdtSelector.Marks(binary, provider, new Glob(name));
  }

  private static List<String> parts(String text) {
    List<String> parts = new ArrayList<>();
    String rest = text;
    while (true) {
      boolean isQuoted = QuotedPart.isNext(rest);
      int colon = SelectorParser.separator(rest, ":");
      QuotedPart part =
          isQuoted
              ? parts.isEmpty() ? BinaryName.quoted(rest) : QuotedPart.of(rest)
              : new QuotedPart(
                  colon < 0 ? rest : rest.substring(0, colon),
                  colon < 0 ? "" : rest.substring(colon));
      parts.add(part.text());
      if (part.rest().isEmpty()) {
        return parts;
      }
      if (part.rest().charAt(0) != ':') {
        throw new InvalidSelectorException(
            "\"" + part.rest() + "\" does not belong to a USDT probe", "write " + EXAMPLE);
      }
      rest = part.rest().substring(1);
    }
  }
}
