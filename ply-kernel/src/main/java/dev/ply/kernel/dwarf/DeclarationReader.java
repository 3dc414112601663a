package dev.ply.kernel.dwarf;

import dev.ply.kernel.dwarf.Entries.Children;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.StringJoiner;

/** Writes a function's parameters and result as C declares them, {@code struct node * list}. */
final class DeclarationReader {
  /** The maximum number of pointers, arrays and qualifiers in each other. */
  private static final int DEEPEST = 32;

  private static final int LONGEST = 1000;

  /** The heap size of a declaration without its characters. */
  private static final int BYTES = 80;

  private final Entries entries;

  DeclarationReader(Entries entries) {
    this.entries = entries;
  }

  /** Returns the declarations of the parameters, and as the last the type of the result. */
  List<String> declarations(Entry function) throws IOException {
    List<String> declarations = new ArrayList<>();
    List<String> results = new ArrayList<>();
    Children children = entries.children(function);
    while (children.advance()) {
      Entry child = children.entry();
      if (child.tag() == Dwarf.TAG_PARAMETER) {
        boolean isResult = ParameterReader.isResult(child);
        String name = isResult ? "" : entries.name(child).orElse("");
        (isResult ? results : declarations).add(kept(declaration(entries.type(child), name, 0)));
      }
    }
    OptionalInt type = entries.type(function);
    if (type.isPresent() || results.isEmpty()) {
      declarations.add(kept(declaration(type, "", 0)));
    } else {
      declarations.add(
          results.size() == 1 ? results.get(0) : "(" + String.join(", ", results) + ")");
    }
    return declarations;
  }

  private String kept(String declaration) throws IOException {
    entries.claimKept(BYTES + 2L * declaration.length());
    return declaration;
  }

  private String declaration(OptionalInt type, String declared, int depth) throws IOException {
    if (type.isEmpty() || depth > DEEPEST || declared.length() > LONGEST) {
      return named("void", declared);
    }
    Entry entry = entries.at(type.getAsInt());
    OptionalInt target = entry.reference(Dwarf.TYPE);
    return switch (entry.tag()) {
      case Dwarf.TAG_POINTER -> pointer("*", target, declared, depth);
      case Dwarf.TAG_REFERENCE -> pointer("&", target, declared, depth);
      case Dwarf.TAG_RVALUE_REFERENCE -> pointer("&&", target, declared, depth);
      case Dwarf.TAG_CONST -> qualified("const", target, declared, depth);
      case Dwarf.TAG_VOLATILE -> qualified("volatile", target, declared, depth);
      case Dwarf.TAG_RESTRICT, Dwarf.TAG_ATOMIC -> declaration(target, declared, depth + 1);
      case Dwarf.TAG_ARRAY -> declaration(target, declared + lengths(entry), depth + 1);
      case Dwarf.TAG_FUNCTION_TYPE ->
          declaration(target, declared + parameters(entry, depth), depth + 1);
      case Dwarf.TAG_STRUCTURE -> named("struct ", entry, declared);
      case Dwarf.TAG_UNION -> named("union ", entry, declared);
      case Dwarf.TAG_ENUMERATION -> named("enum ", entry, declared);
      default -> named("", entry, declared);
    };
  }

  private String pointer(String star, OptionalInt target, String declared, int depth)
      throws IOException {
    boolean isGrouped = target.isPresent() && isGrouped(entries.at(target.getAsInt()));
    String inner = star + (declared.isEmpty() || declared.startsWith("*") ? "" : " ") + declared;
    return declaration(target, isGrouped ? "(" + inner + ")" : inner, depth + 1);
  }

  private static boolean isGrouped(Entry target) {
    return target.tag() == Dwarf.TAG_ARRAY || target.tag() == Dwarf.TAG_FUNCTION_TYPE;
  }

  /** A pointer's own qualifiers say nothing to those that read it. */
  private String qualified(String word, OptionalInt target, String declared, int depth)
      throws IOException {
    boolean isPointer =
        target.isPresent() && entries.at(target.getAsInt()).tag() == Dwarf.TAG_POINTER;
    String type = declaration(target, declared, depth + 1);
    return isPointer ? type : word + " " + type;
  }

  private String lengths(Entry array) throws IOException {
    StringBuilder text = new StringBuilder();
    Children children = entries.children(array);
    while (text.length() < LONGEST && children.advance()) {
      Entry range = children.entry();
      if (range.tag() == Dwarf.TAG_SUBRANGE) {
        long last = range.number(Dwarf.UPPER_BOUND).orElse(-1);
        long count = range.number(Dwarf.COUNT).orElse(last + 1);
        text.append('[').append(count > 0 ? String.valueOf(count) : "").append(']');
      }
    }
    return text.toString();
  }

  private String parameters(Entry function, int depth) throws IOException {
    StringJoiner parameters = new StringJoiner(", ", "(", ")");
    Children children = entries.children(function);
    while (parameters.length() < LONGEST && children.advance()) {
      Entry child = children.entry();
      if (child.tag() == Dwarf.TAG_PARAMETER) {
        parameters.add(declaration(entries.type(child), "", depth + DEEPEST / 4));
      }
    }
    return parameters.toString();
  }

  private static String named(String keyword, Entry entry, String declared)
      throws BadDwarfException {
    Optional<String> name = entry.name();
    return named(keyword + name.orElse("{ … }"), declared);
  }

  private static String named(String type, String declared) {
    // As bpftrace lists them: char* name.
    boolean isTight =
        declared.isEmpty()
            || declared.startsWith("[")
            || declared.startsWith("*")
            || declared.startsWith("&");
    return isTight ? type + declared : type + " " + declared;
  }
}
