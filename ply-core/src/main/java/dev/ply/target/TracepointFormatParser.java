package dev.ply.target;

import dev.ply.ir.TypeName;
import dev.ply.type.AddressSpace;
import dev.ply.type.IntFormat;
import dev.ply.type.Signedness;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.VoidType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses the {@code format} file of a tracepoint in tracefs.
 *
 * <p>C's integer types have the size of their name: an {@code int} is 4 bytes even where a syscall
 * argument occupies 8. All other integers have the size and signedness given.
 */
public final class TracepointFormatParser {
  private static final Pattern FIELD =
      Pattern.compile(
          "\\s*field:(.*);\\s*offset:(\\d+);\\s*size:(\\d+);(?:\\s*signed:([01]);)?\\s*");
  private static final Pattern DECLARATION =
      Pattern.compile("(.*?)\\s*\\b([A-Za-z_]\\w*)\\s*(?:\\[(.*)])?\\s*");
  private static final Pattern QUALIFIER = Pattern.compile("\\b(?:const|volatile)\\b");
  private static final Pattern SPACE = Pattern.compile("\\s+");
  private static final IntType DATA_LOCATION =
      new IntType(4, Signedness.UNSIGNED, IntFormat.DATA_LOCATION);

  private static final Map<String, IntType> NAMED =
      Map.ofEntries(
          Map.entry("char", IntType.S8),
          Map.entry("signed char", IntType.S8),
          Map.entry("unsigned char", IntType.U8),
          Map.entry("short", IntType.S16),
          Map.entry("signed short", IntType.S16),
          Map.entry("unsigned short", IntType.U16),
          Map.entry("int", IntType.S32),
          Map.entry("signed int", IntType.S32),
          Map.entry("signed", IntType.S32),
          Map.entry("unsigned int", IntType.U32),
          Map.entry("unsigned", IntType.U32),
          Map.entry("long", IntType.S64),
          Map.entry("signed long", IntType.S64),
          Map.entry("unsigned long", IntType.U64),
          Map.entry("long long", IntType.S64),
          Map.entry("signed long long", IntType.S64),
          Map.entry("unsigned long long", IntType.U64));

  private final String category;

  private TracepointFormatParser(String category) {
    this.category = category;
  }

  /**
   * Parses a format.
   *
   * @param category the tracepoint's category, which the file lacks
   * @param text the content of the {@code format} file
   * @throws UnreadableTargetException if the string is not a format
   */
  public static TracepointFormat parse(String category, String text) {
    return new TracepointFormatParser(category).read(text);
  }

  /**
   * {@return the declarations of a format's own fields, as the file has them}
   *
   * @param text the content of the {@code format} file
   */
  public static List<String> declarations(String text) {
    return text.lines()
        .takeWhile(line -> !line.startsWith("print fmt:"))
        .map(String::strip)
        .filter(line -> line.startsWith("field:") && line.indexOf(';') > 0)
        .map(line -> line.substring("field:".length(), line.indexOf(';')))
        .filter(declaration -> !declaration.matches(".*\\bcommon_\\w+"))
        .toList();
  }

  private TracepointFormat read(String text) {
    String event = value(text, "name:");
    String id = value(text, "ID:");
    List<TracepointFormat.Field> fields = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (line.startsWith("print fmt:")) {
        break;
      }
      if (line.stripLeading().startsWith("field:")) {
        fields.add(field(event, line));
      }
    }
    try {
      return new TracepointFormat(category, event, Integer.parseInt(id), fields);
    } catch (NumberFormatException e) {
      throw unreadable(event, "ID:" + id);
    }
  }

  private String value(String text, String label) {
    return text.lines()
        .filter(line -> line.startsWith(label))
        .map(line -> line.substring(label.length()).strip())
        .findFirst()
        .orElseThrow(
            () ->
                new UnreadableTargetException(
                    "a tracepoint format of category \"" + category + "\" has no " + label));
  }

  private TracepointFormat.Field field(String event, String line) {
    Matcher field = FIELD.matcher(line);
    if (!field.matches()) {
      throw unreadable(event, line.strip());
    }
    Matcher declaration = DECLARATION.matcher(field.group(1));
    if (!declaration.matches()) {
      throw unreadable(event, line.strip());
    }
    String declared = declaration.group(1).strip();
    int size = Integer.parseInt(field.group(3));
    Signedness signedness = "1".equals(field.group(4)) ? Signedness.SIGNED : Signedness.UNSIGNED;
    boolean isArray = declaration.group(3) != null;
    Type type =
        isArray
            ? arrayType(declared, declaration.group(3), size, signedness)
            : type(declared, size, signedness);
    return new TracepointFormat.Field(
        declaration.group(2),
        type,
        Integer.parseInt(field.group(2)),
        type instanceof PointerType ? target(declared) : meaning(declared, type));
  }

  /** Returns what a declared pointer points to: a structure or another pointer. */
  private static Optional<TypeName> target(String declared) {
    String target = withoutQualifiers(declared.substring(0, declared.length() - 1));
    boolean isTagged = target.startsWith("struct ") || target.startsWith("union ");
    int star = target.indexOf('*');
    if (star < 0) {
      return isTagged ? Optional.of(new TypeName(target, 0)) : Optional.empty();
    }
    int stars = (int) target.chars().filter(character -> character == '*').count();
    return Optional.of(new TypeName(target.substring(0, star).strip(), stars));
  }

  /** Returns the type that tells what a number means: an enumeration, or a size in bytes. */
  private static Optional<TypeName> meaning(String declared, Type type) {
    String name = withoutQualifiers(declared);
    boolean isMeaningful =
        name.startsWith("enum ") || name.equals("size_t") || name.equals("ssize_t");
    return type instanceof IntType && isMeaningful
        ? Optional.of(new TypeName(name, 0))
        : Optional.empty();
  }

  private Type type(String declared, int size, Signedness signedness) {
    if (declared.startsWith("__data_loc")) {
      return DATA_LOCATION;
    }
    if (declared.startsWith("__rel_loc")) {
      return IntType.U32;
    }
    if (declared.endsWith("*") && size == 8) {
      return new PointerType(
          new VoidType(), category.equals("syscalls") ? AddressSpace.USER : AddressSpace.KERNEL);
    }
    IntType named = NAMED.get(withoutQualifiers(declared));
    if (named != null && named.size() <= size) {
      return named;
    }
    return isIntegerSize(size) ? IntType.of(size, signedness) : new ArrayType(IntType.U8, size);
  }

  /** The signedness given for an array is that of its elements. */
  private static Type arrayType(String declared, String length, int size, Signedness signedness) {
    String element = withoutQualifiers(declared);
    if (element.equals("char")) {
      return ArrayType.chars(size);
    }
    IntType named = NAMED.get(element);
    int elementSize = named != null ? named.size() : elementSize(element, length, size);
    return elementSize > 0 && size % elementSize == 0 && isIntegerSize(elementSize)
        ? new ArrayType(IntType.of(elementSize, signedness), size / elementSize)
        : new ArrayType(IntType.U8, size);
  }

  /** Computes the element size; the length can be the name of a constant. */
  private static int elementSize(String element, String length, int size) {
    Matcher bits = Pattern.compile("(?:__)?[us](8|16|32|64)|u?int(8|16|32|64)_t").matcher(element);
    if (bits.matches()) {
      return Integer.parseInt(bits.group(1) != null ? bits.group(1) : bits.group(2)) / 8;
    }
    return length.matches("[1-9]\\d{0,8}") ? size / Integer.parseInt(length) : 0;
  }

  private static String withoutQualifiers(String declared) {
    // Regular expressions are initialised only if needed: most formats have no arrays.
    boolean isPlain =
        !declared.contains("const")
            && !declared.contains("volatile")
            && !declared.contains("  ")
            && declared.indexOf('\t') < 0;
    return isPlain
        ? declared.strip()
        : SPACE.matcher(QUALIFIER.matcher(declared).replaceAll("").strip()).replaceAll(" ");
  }

  private static boolean isIntegerSize(int size) {
    return size == 1 || size == 2 || size == 4 || size == 8;
  }

  private UnreadableTargetException unreadable(String event, String line) {
    return new UnreadableTargetException(
        "the format of tracepoint "
            + category
            + ":"
            + event
            + " has a line that is not understood: \""
            + line
            + "\"");
  }
}
