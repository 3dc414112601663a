package dev.ply.bpf.btf;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Types as C writes them: definitions of structures and enumerations, declarations. */
final class CText {
  /** The depth of structures within structures, and of pointers to pointers, that is followed. */
  private static final int DEEPEST = 64;

  private static final int MEMBER_WORDS = 3;
  private static final int PARAMETER_WORDS = 2;

  private final Btf btf;

  CText(Btf btf) {
    this.btf = btf;
  }

  /** Returns the definition of {@code struct list_head}, with its trailing newline, if known. */
  Optional<String> definition(String tagged) {
    int space = tagged.indexOf(' ');
    Optional<BtfKind> kind = kind(tagged.substring(0, Math.max(space, 0)));
    String name = tagged.substring(space + 1);
    OptionalInt id = kind.map(known -> find(known, name)).orElse(OptionalInt.empty());
    return id.isEmpty() ? Optional.empty() : Optional.of(body(id.getAsInt(), "", 0) + ";\n");
  }

  private static Optional<BtfKind> kind(String keyword) {
    return switch (keyword) {
      case "struct" -> Optional.of(BtfKind.STRUCT);
      case "union" -> Optional.of(BtfKind.UNION);
      case "enum" -> Optional.of(BtfKind.ENUM);
      default -> Optional.empty();
    };
  }

  private OptionalInt find(BtfKind kind, String name) {
    int id = btf.find(kind, name);
    int found = id == 0 && kind == BtfKind.ENUM ? btf.find(BtfKind.ENUM64, name) : id;
    return found == 0 || name.isEmpty() ? OptionalInt.empty() : OptionalInt.of(found);
  }

  /** Returns the names of all structures, unions and enumerations, each once, in BTF's order. */
  List<String> names() {
    List<String> names = new ArrayList<>();
    for (int id = btf.first(); id < btf.end(); id++) {
      Optional<String> keyword = keyword(btf.kind(id));
      if (keyword.isPresent() && !btf.name(id).isEmpty()) {
        names.add(keyword.get() + " " + btf.name(id));
      }
    }
    return names.stream().distinct().toList();
  }

  private static Optional<String> keyword(BtfKind kind) {
    return switch (kind) {
      case STRUCT -> Optional.of("struct");
      case UNION -> Optional.of("union");
      case ENUM, ENUM64 -> Optional.of("enum");
      default -> Optional.empty();
    };
  }

  /** Returns the parameters of a prototype, {@code struct file * file}, and last its result. */
  List<String> signature(int prototype) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < btf.entries(prototype); i++) {
      String name = btf.text(btf.word(prototype, i * PARAMETER_WORDS));
      int type = btf.word(prototype, i * PARAMETER_WORDS + 1);
      all.add(type == 0 ? "..." : (declaration(type, "", 0) + " " + name).stripTrailing());
    }
    all.add(declaration(btf.sizeOrType(prototype), "", 0));
    return List.copyOf(all);
  }

  private String body(int id, String indent, int depth) {
    requireShallow(depth);
    String head = keyword(btf.kind(id)).orElseThrow() + " " + btf.name(id);
    StringBuilder text = new StringBuilder(head.stripTrailing()).append(" {\n");
    boolean isEnumeration = btf.kind(id) == BtfKind.ENUM || btf.kind(id) == BtfKind.ENUM64;
    for (int i = 0; i < btf.entries(id); i++) {
      text.append(indent).append('\t');
      text.append(isEnumeration ? enumerator(id, i) + "," : member(id, i, indent, depth) + ";");
      text.append('\n');
    }
    return text.append(indent).append('}').toString();
  }

  private String enumerator(int id, int index) {
    boolean isWide = btf.kind(id) == BtfKind.ENUM64;
    int at = index * (isWide ? 3 : 2);
    long low = btf.word(id, at + 1);
    long value = isWide ? ((long) btf.word(id, at + 2) << 32) | (low & 0xffff_ffffL) : low;
    String digits =
        btf.flag(id)
            ? Long.toString(value)
            : Long.toUnsignedString(isWide ? value : value & 0xffff_ffffL);
    return btf.text(btf.word(id, at)) + " = " + digits;
  }

  private String member(int struct, int index, String indent, int depth) {
    String name = btf.text(btf.word(struct, index * MEMBER_WORDS));
    int type = btf.word(struct, index * MEMBER_WORDS + 1);
    int bits = btf.flag(struct) ? btf.word(struct, index * MEMBER_WORDS + 2) >>> 24 : 0;
    String declared = inline(type, name, indent, depth);
    return bits == 0 ? declared : declared + ": " + bits;
  }

  /** Returns a member's declaration, with the definition of a structure that has no name. */
  private String inline(int type, String name, String indent, int depth) {
    return btf.name(type).isEmpty() && keyword(btf.kind(type)).isPresent()
        ? (body(type, indent + '\t', depth + 1) + " " + name).stripTrailing()
        : declaration(type, name, depth);
  }

  /** Returns the declaration of something of a type; {@code inner} is what C writes around. */
  private String declaration(int id, String inner, int depth) {
    requireShallow(depth);
    int next = depth + 1;
    return switch (btf.kind(id)) {
      case PTR -> {
        int target = btf.sizeOrType(id);
        BtfKind kind = btf.kind(unqualified(target));
        yield kind == BtfKind.ARRAY || kind == BtfKind.FUNC_PROTO
            ? declaration(target, "(*" + inner + ")", next)
            : declaration(target, "*" + inner, next);
      }
      case ARRAY -> declaration(btf.word(id, 0), inner + "[" + btf.word(id, 2) + "]", next);
      case FUNC_PROTO -> {
        List<String> parameters = new ArrayList<>();
        for (int i = 0; i < btf.entries(id); i++) {
          int type = btf.word(id, i * PARAMETER_WORDS + 1);
          parameters.add(type == 0 ? "..." : declaration(type, "", next));
        }
        String list = parameters.isEmpty() ? "void" : String.join(", ", parameters);
        yield declaration(btf.sizeOrType(id), inner + "(" + list + ")", next);
      }
      case CONST -> qualified("const", id, inner, next);
      case VOLATILE -> qualified("volatile", id, inner, next);
      case RESTRICT -> qualified("restrict", id, inner, next);
      case TYPE_TAG -> declaration(btf.sizeOrType(id), inner, next);
      case VOID -> ("void " + inner).stripTrailing();
      case FWD ->
          ((btf.flag(id) ? "union " : "struct ") + btf.name(id) + " " + inner).stripTrailing();
      case STRUCT, UNION, ENUM, ENUM64 ->
          (keyword(btf.kind(id)).orElseThrow() + " " + named(id) + " " + inner).stripTrailing();
      case INT, TYPEDEF, FLOAT, FUNC, VAR, DATASEC, DECL_TAG ->
          (btf.name(id) + " " + inner).stripTrailing();
    };
  }

  private String named(int id) {
    return btf.name(id).isEmpty() ? "{ ... }" : btf.name(id);
  }

  /** A qualifier of a pointer follows its star, others precede the type. */
  private String qualified(String qualifier, int id, String inner, int depth) {
    int target = btf.sizeOrType(id);
    return btf.kind(target) == BtfKind.PTR
        ? declaration(target, (" " + qualifier + " " + inner).stripTrailing(), depth)
        : qualifier + " " + declaration(target, inner, depth);
  }

  private int unqualified(int id) {
    int type = id;
    for (int depth = 0; isQualifier(btf.kind(type)); depth++) {
      requireShallow(depth);
      type = btf.sizeOrType(type);
    }
    return type;
  }

  private static boolean isQualifier(BtfKind kind) {
    return kind.isTransparent() && kind != BtfKind.TYPEDEF;
  }

  private static void requireShallow(int depth) {
    if (depth > DEEPEST) {
      throw new MalformedBtfException("types that contain themselves");
    }
  }
}
