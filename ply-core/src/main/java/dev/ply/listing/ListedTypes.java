package dev.ply.listing;

import dev.ply.diagnostic.Suggestions;
import dev.ply.selector.Glob;
import dev.ply.target.KernelTypes;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The structures, unions and enumerations that a pattern selects: {@code struct task_*}. */
final class ListedTypes {
  /** Keyword and tag of a type. */
  private static final Pattern TYPE = Pattern.compile("\\s*(struct|union|enum)\\s+\\S+\\s*");

  private static final Pattern SPACES = Pattern.compile("\\s+");

  private final KernelTypes types;

  ListedTypes(KernelTypes types) {
    this.types = types;
  }

  /** Returns whether a pattern means types. */
  static boolean isMeantBy(String pattern) {
    return TYPE.matcher(pattern).matches();
  }

  /** Returns their names, each with its keyword. */
  List<String> names(String pattern) {
    String name = name(pattern);
    if (!Glob.isGlob(pattern)) {
      return types.definition(name).map(text -> name).stream().toList();
    }
    Glob glob = new Glob(name);
    return types.definitions().stream().filter(glob::matches).sorted().toList();
  }

  /** Returns the definition of a type of this name, in C. */
  String definition(String name) {
    return types.definition(name).orElseThrow();
  }

  private static String name(String pattern) {
    return SPACES.matcher(pattern.strip()).replaceAll(" ");
  }

  /** Returns what to write instead of a type that the kernel lacks. */
  String hint(String pattern) {
    String name = name(pattern);
    String keyword = name.substring(0, name.indexOf(' ') + 1);
    String tag = ListingHints.literal(name.substring(keyword.length()));
    List<String> all = types.definitions();
    Optional<String> nearest =
        Suggestions.nearest(
                tag,
                all.stream()
                    .filter(one -> one.startsWith(keyword))
                    .map(one -> one.substring(keyword.length())))
            .map(keyword::concat)
            .or(() -> all.stream().filter(one -> one.endsWith(" " + tag)).findFirst());
    return nearest
        .map(found -> "did you mean \"" + found + "\"?")
        .orElse(
            all.isEmpty()
                ? "its types are unknown"
                : "to match names that contain it, write '" + keyword + "*" + tag + "*'");
  }
}
