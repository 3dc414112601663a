package dev.ply.bpf.decode;

import dev.ply.bpf.object.MapLayout;
import dev.ply.table.Datum;
import dev.ply.table.Key;
import dev.ply.table.Row;
import dev.ply.table.RowSource;
import dev.ply.type.Encoding;
import dev.ply.type.IntFormat;
import dev.ply.type.StructField;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.EncodedString;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.KernelStruct;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.StructType;
import dev.ply.type.Type.TupleType;
import dev.ply.type.Type.VoidType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A snapshot of a map, kept as raw bytes and decoded row by row: objects would take ten times the
 * memory. Stack traces are read once, when the first row with them is added, because their
 * processes may exit.
 */
public final class PackedRows implements RowSource {
  /** A part of the memory: neither too large to be found at once, nor too small for an array. */
  private static final int PART_BYTES = 1 << 18;

  /** The first part grows from this, since most maps are small. */
  private static final int FIRST_ROWS = 16;

  private final List<StructField> keys;
  private final Value value;
  private final DatumReader reader;
  private final Stacks stacks;
  private final Map<Integer, Map<Long, Datum>> read = new HashMap<>();
  private final List<StructField> stackFields = new ArrayList<>();
  private final int keyBytes;
  private final int rowBytes;
  private final int rowsPerPart;
  private final List<ByteBuffer> parts = new ArrayList<>();
  private int size;

  /** How the values of rows are kept. */
  sealed interface Value {
    /** Returns the size of a value in bytes. */
    int bytes();

    /** As programs store it. */
    record Stored(Type type) implements Value {
      @Override
      public int bytes() {
        return type.size();
      }
    }

    /** The results of an aggregation that are numbers. */
    record Result(IntType type) implements Value {
      @Override
      public int bytes() {
        return Long.BYTES;
      }
    }

    /** The words of an aggregation with other results. */
    record Words(MapLayout layout, int count) implements Value {
      @Override
      public int bytes() {
        return count * Long.BYTES;
      }

      Datum result(ByteBuffer part, int offset) {
        long[] words = new long[count];
        for (int i = 0; i < count; i++) {
          words[i] = part.getLong(offset + i * Long.BYTES);
        }
        return layout
            .aggregated()
            .function()
            .result(words, layout.aggregated().shape(), true)
            .orElseThrow();
      }
    }
  }

  PackedRows(MapLayout layout, Value value, DatumReader reader) {
    this.keys = layout.symbol().keyType().fields();
    this.value = value;
    this.stacks = reader.stacks();
    this.reader = reader.with(this::known);
    this.keyBytes = layout.symbol().keys().isEmpty() ? 0 : layout.symbol().keyType().size();
    this.rowBytes = keyBytes + value.bytes();
    this.rowsPerPart = Math.max(1, PART_BYTES / Math.max(1, rowBytes));
    keys.forEach(field -> stackFields.addAll(stacks(field.type(), field.offset())));
    if (value instanceof Value.Stored stored) {
      stackFields.addAll(stacks(stored.type(), keyBytes));
    }
  }

  /** Returns whether decoding keys and values of these types later gives the same result as now. */
  static boolean canHold(MapLayout layout, Value value) {
    return layout.symbol().keyType().fields().stream().allMatch(field -> isConstant(field.type()))
        && (!(value instanceof Value.Stored stored) || isConstant(stored.type()));
  }

  private static boolean isConstant(Type type) {
    return type.accept(new Constancy());
  }

  /**
   * Whether values can be decoded later: functions and users are looked up while they are there.
   */
  private static final class Constancy implements Type.Visitor<Boolean> {
    @Override
    public Boolean visit(EncodedString type) {
      Encoding encoding =
          type.encoding() instanceof Encoding.EncodedOrText choice
              ? choice.encoding()
              : type.encoding();
      return !(encoding instanceof Encoding.UserSymbol
          || encoding instanceof Encoding.UserName
          || encoding instanceof Encoding.ThreadName
          || encoding instanceof Encoding.Container
          || encoding instanceof Encoding.Pod
          || encoding instanceof Encoding.ProbedFunction);
    }

    @Override
    public Boolean visit(TupleType type) {
      return visit(type.layout());
    }

    @Override
    public Boolean visit(StructType type) {
      return type.fields().stream().allMatch(field -> isConstant(field.type()));
    }

    @Override
    public Boolean visit(ArrayType type) {
      return type.isText()
          || type.isFloatingPoint()
          || (isConstant(type.element()) && !isStack(type.element()));
    }

    @Override
    public Boolean visit(IntType type) {
      return true;
    }

    @Override
    public Boolean visit(PointerType type) {
      return true;
    }

    @Override
    public Boolean visit(KernelStruct type) {
      return true;
    }

    @Override
    public Boolean visit(VoidType type) {
      return false;
    }
  }

  private static boolean isStack(Type type) {
    return type instanceof IntType integer && integer.isStack();
  }

  /** Returns where a value has the numbers of stack traces. */
  public static List<StructField> stacks(Type type, int offset) {
    if (isStack(type)) {
      return List.of(new StructField("", type, offset));
    }
    return type.parts().stream()
        .flatMap(field -> stacks(field.type(), offset + field.offset()).stream())
        .toList();
  }

  /** Adds a row whose value is as programs store it. */
  void add(ByteBuffer key, ByteBuffer stored) {
    int offset = reserve(key);
    part(size).put(offset + keyBytes, stored, 0, value.bytes());
    added(offset);
  }

  /** Adds a row with a number. */
  void add(ByteBuffer key, long number) {
    int offset = reserve(key);
    part(size).putLong(offset + keyBytes, number);
    added(offset);
  }

  /** Adds a row with the words of an aggregation. */
  void add(ByteBuffer key, long[] words) {
    int offset = reserve(key);
    for (int i = 0; i < value.bytes() / Long.BYTES; i++) {
      part(size).putLong(offset + keyBytes + i * Long.BYTES, words[i]);
    }
    added(offset);
  }

  /** Makes room for a row, and returns where in the last part. */
  private int reserve(ByteBuffer key) {
    int offset = offset(size);
    if (offset == 0) {
      int rows = parts.isEmpty() ? Math.min(FIRST_ROWS, rowsPerPart) : rowsPerPart;
      parts.add(ByteBuffer.allocate(rows * rowBytes).order(key.order()));
    } else if (offset == part(size).capacity()) {
      ByteBuffer full = part(size);
      int bytes = Math.min(2 * offset, rowsPerPart * rowBytes);
      parts.set(
          parts.size() - 1, ByteBuffer.allocate(bytes).order(key.order()).put(0, full, 0, offset));
    }
    part(size).put(offset, key, 0, keyBytes);
    return offset;
  }

  private void added(int offset) {
    ByteBuffer part = part(size);
    for (StructField field : stackFields) {
      IntType type = (IntType) field.type();
      long number = type.read(part, offset + field.offset());
      ofShape(type).computeIfAbsent(number, unread -> stacks.read(unread, type));
    }
    size++;
  }

  private Map<Long, Datum> ofShape(IntType type) {
    return read.computeIfAbsent(type.format().isUserStack() ? 1 : 0, unused -> new HashMap<>());
  }

  private Datum known(long number, IntType type) {
    return ofShape(type).getOrDefault(number, new Datum.Int(number, type));
  }

  private ByteBuffer part(int index) {
    return parts.get(index / rowsPerPart);
  }

  private int offset(int index) {
    return index % rowsPerPart * rowBytes;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public Row<Datum> row(int index) {
    ByteBuffer part = part(index);
    int offset = offset(index);
    List<Datum> components = new ArrayList<>(keys.size());
    for (StructField field : keys) {
      components.add(reader.read(field.type(), part, offset + field.offset()));
    }
    return new Row<>(new Key(components), value(part, offset + keyBytes));
  }

  private Datum value(ByteBuffer part, int offset) {
    if (value instanceof Value.Stored stored) {
      return reader.read(stored.type(), part, offset);
    } else if (value instanceof Value.Result number) {
      return new Datum.Int(part.getLong(offset), number.type());
    }
    return ((Value.Words) value).result(part, offset);
  }

  @Override
  public int compareValues(int a, int b) {
    if (value instanceof Value.Result number) {
      long x = part(a).getLong(offset(a) + keyBytes);
      long y = part(b).getLong(offset(b) + keyBytes);
      return number.type().isSigned() ? Long.compare(x, y) : Long.compareUnsigned(x, y);
    }
    return value instanceof Value.Stored stored
        ? compare(stored.type(), part(a), offset(a) + keyBytes, part(b), offset(b) + keyBytes)
        : RowSource.compare(
            value(part(a), offset(a) + keyBytes), value(part(b), offset(b) + keyBytes));
  }

  @Override
  public int compareKeys(int a, int b) {
    for (StructField field : keys) {
      int order =
          compare(
              field.type(),
              part(a),
              offset(a) + field.offset(),
              part(b),
              offset(b) + field.offset());
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private int compare(Type type, ByteBuffer a, int offsetOfA, ByteBuffer b, int offsetOfB) {
    if (type instanceof IntType integer && !isStack(type) && integer.format() != IntFormat.PROBE) {
      long x = integer.read(a, offsetOfA);
      long y = integer.read(b, offsetOfB);
      return integer.isSigned() ? Long.compare(x, y) : Long.compareUnsigned(x, y);
    }
    if (type instanceof ArrayType text && text.isText() && !text.marksCut()) {
      return compareBytes(text.length(), a, offsetOfA, b, offsetOfB);
    }
    return RowSource.compare(reader.read(type, a, offsetOfA), reader.read(type, b, offsetOfB));
  }

  private static int compareBytes(
      int length, ByteBuffer a, int offsetOfA, ByteBuffer b, int offsetOfB) {
    for (int i = 0; i < length; i++) {
      int order = Byte.compareUnsigned(a.get(offsetOfA + i), b.get(offsetOfB + i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
}
