package dev.ply.lang.bcc;

import dev.ply.ir.TypeName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A type of C as a specifier names it.
 *
 * @param name the type without qualifiers
 * @param isUser whether a pointer is marked {@code __user}: to user memory
 * @param isString whether it is {@code char*} or {@code char *}, to the letter: argdist shows the
 *     string then
 */
record CType(TypeName name, boolean isUser, boolean isString) {
  private static final Set<String> QUALIFIERS =
      Set.of("const", "volatile", "restrict", "__restrict", "register", "__kernel", "__user");

  /**
   * Types of C libraries that kernels do not have, or have by other names, and the kernel's own
   * that are usual in specifiers: they are known without BTF, too.
   */
  private static final Map<String, String> ALIASES =
      Map.ofEntries(
          Map.entry("gfp_t", "unsigned int"),
          Map.entry("fmode_t", "unsigned int"),
          Map.entry("umode_t", "unsigned short"),
          Map.entry("mode_t", "unsigned int"),
          Map.entry("dev_t", "unsigned int"),
          Map.entry("pid_t", "int"),
          Map.entry("uid_t", "unsigned int"),
          Map.entry("gid_t", "unsigned int"),
          Map.entry("ino_t", "unsigned long"),
          Map.entry("off_t", "long"),
          Map.entry("off64_t", "long long"),
          Map.entry("loff_t", "long long"),
          Map.entry("time_t", "long"),
          Map.entry("clockid_t", "int"),
          Map.entry("sector_t", "u64"),
          Map.entry("ktime_t", "s64"),
          Map.entry("socklen_t", "unsigned int"),
          Map.entry("sa_family_t", "unsigned short"),
          Map.entry("useconds_t", "unsigned int"),
          Map.entry("pthread_t", "unsigned long"),
          Map.entry("uint", "unsigned int"),
          Map.entry("ulong", "unsigned long"),
          Map.entry("_Bool", "bool"),
          Map.entry("__u8", "u8"),
          Map.entry("__u16", "u16"),
          Map.entry("__u32", "u32"),
          Map.entry("__u64", "u64"),
          Map.entry("__s8", "s8"),
          Map.entry("__s16", "s16"),
          Map.entry("__s32", "s32"),
          Map.entry("__s64", "s64"));

  /** The type of registers, which addresses are in. */
  static final CType ADDRESS = integer("u64");

  /** Returns an integer type. */
  static CType integer(String name) {
    return new CType(new TypeName(name, 0), false, false);
  }

  /** Returns the type of a text, whose words need not exist as types. */
  static CType of(String text) {
    List<String> words = new ArrayList<>();
    int stars = 0;
    boolean isUser = false;
    for (String word : text.replace("*", " * ").trim().split("\\s+", -1)) {
      if (word.equals("*")) {
        stars++;
      } else if (!QUALIFIERS.contains(word)) {
        words.add(word);
      }
      isUser |= word.equals("__user");
    }
    String base = String.join(" ", words);
    return new CType(
        new TypeName(ALIASES.getOrDefault(base, base), stars),
        isUser,
        text.equals("char*") || text.equals("char *"));
  }

  /** Returns whether this is a pointer. */
  boolean isPointer() {
    return name.pointers() > 0;
  }

  /** Returns the name, that of {@code void *} for a pointer to what kernels do not know: FILE. */
  TypeName knownName() {
    return isPointer() && !isTypeName(List.of(name.base().split(" ", -1)))
        ? new TypeName("void", 1)
        : name;
  }

  /** Returns whether a text is a type that C or a kernel has, as far as its form tells. */
  static boolean isTypeName(List<String> words) {
    List<String> plain = words.stream().filter(word -> !QUALIFIERS.contains(word)).toList();
    if (plain.isEmpty()) {
      return false;
    }
    String first = plain.get(0);
    if (first.equals("struct") || first.equals("union") || first.equals("enum")) {
      return plain.size() == 2;
    }
    return plain.stream().allMatch(CType::isNumberWord)
        || (plain.size() == 1
            && (first.equals("void") || first.endsWith("_t") || ALIASES.containsKey(first)));
  }

  private static boolean isNumberWord(String word) {
    return switch (word) {
      case "char", "short", "int", "long", "signed", "unsigned", "bool" -> true;
      default -> word.matches("[su](8|16|32|64)|u?int(8|16|32|64)");
    };
  }
}
