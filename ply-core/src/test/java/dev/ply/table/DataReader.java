package dev.ply.table;

import com.google.common.base.Splitter;
import dev.ply.type.AddressSpace;
import dev.ply.type.IntFormat;
import dev.ply.type.Signedness;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads values and maps that golden files write as text: {@code s32 -5}, {@code char[8] "a\tb"},
 * {@code quantize(s64) <0:2 0:1 9:3}.
 */
public final class DataReader {
  private static final Map<String, IntType> NAMED =
      Map.of(
          "since_boot", IntType.S64.printedAs(IntFormat.SINCE_BOOT),
          "pid", IntType.U32.printedAs(IntFormat.PID),
          "uid", IntType.U32.printedAs(IntFormat.UID),
          "cpu", IntType.U32.printedAs(IntFormat.CPU),
          "reg_t", IntType.U64.printedAs(IntFormat.HEX),
          "caller", IntType.U64.printedAs(IntFormat.SYMBOL),
          "time", IntType.S64.printedAs(IntFormat.DURATION),
          "walltime", IntType.S64.printedAs(IntFormat.TIME_OF_DAY),
          "data_loc", IntType.U32.printedAs(IntFormat.DATA_LOCATION));

  private DataReader() {}

  /** A map as a golden file writes it. */
  record NamedTable(String name, Table<Datum> table) {}

  /**
   * Reads {@code name: keytype, keytype -> valuetype} and a line {@code key, key -> value} each.
   */
  static NamedTable table(String text) {
    List<String> lines = text.lines().toList();
    Matcher heading = match("([^:]+): (?:(.*) )?-> (.*)", lines.get(0));
    List<String> keyTypes =
        heading.group(2) == null ? List.of() : Splitter.on(", ").splitToList(heading.group(2));
    List<Row<Datum>> rows = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      Matcher row = match("(?:(.*) )?-> (.*)", line);
      List<Datum> key = new ArrayList<>();
      List<String> parts =
          row.group(1) == null ? List.of() : Splitter.on(", ").splitToList(row.group(1));
      for (int i = 0; i < keyTypes.size(); i++) {
        key.add(datum(keyTypes.get(i), parts.get(i)));
      }
      rows.add(new Row<>(new Key(key), datum(heading.group(3), row.group(2))));
    }
    return new NamedTable(heading.group(1), Table.of(rows));
  }

  /** Reads {@code type value}, each on its line. */
  public static List<Datum> data(String text) {
    return text.lines()
        .map(line -> match("(\\S+) (.*)", line))
        .map(match -> datum(match.group(1), match.group(2)))
        .toList();
  }

  public static Datum datum(String type, String value) {
    if (type.startsWith("char[")) {
      return text(((ArrayType) type(type)).length(), value);
    } else if (type.startsWith("quantize(")) {
      return new Datum.Distribution(
          histogram((IntType) type(type.substring(9, type.length() - 1)), value));
    } else if (type.equals("pointer")) {
      return new Datum.Address(
          Long.parseUnsignedLong(value, 16),
          new PointerType(new Type.VoidType(), AddressSpace.CONTEXT));
    }
    long number =
        value.startsWith("0x")
            ? Long.parseUnsignedLong(value.substring(2), 16)
            : value.startsWith("-") ? Long.parseLong(value) : Long.parseUnsignedLong(value);
    return new Datum.Int(number, (IntType) type(type));
  }

  private static Type type(String name) {
    if (NAMED.containsKey(name)) {
      return NAMED.get(name);
    } else if (name.startsWith("char[")) {
      return ArrayType.chars(Integer.parseInt(name.substring(5, name.length() - 1)));
    }
    return IntType.of(
        Integer.parseInt(name.substring(1)) / 8,
        name.startsWith("s") ? Signedness.SIGNED : Signedness.UNSIGNED);
  }

  private static Datum text(int length, String quoted) {
    String text = quoted.substring(1, quoted.length() - 1).translateEscapes();
    return new Datum.Text(text + "\0".repeat(length - text.length()));
  }

  private static Histogram histogram(IntType type, String counts) {
    long negative = 0;
    long[] buckets = new long[Histogram.BUCKETS];
    for (String part : Splitter.on(' ').split(counts)) {
      List<String> sides = Splitter.on(':').splitToList(part);
      long count = Long.parseLong(sides.get(1));
      if (sides.get(0).equals("<0")) {
        negative = count;
      } else {
        buckets[Integer.parseInt(sides.get(0))] = count;
      }
    }
    return new Histogram(type, negative, 0, buckets);
  }

  private static Matcher match(String pattern, String line) {
    Matcher matcher = Pattern.compile(pattern).matcher(line);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("expected " + pattern + ", found: " + line);
    }
    return matcher;
  }
}
