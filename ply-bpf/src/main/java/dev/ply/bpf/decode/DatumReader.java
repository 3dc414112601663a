package dev.ply.bpf.decode;

import dev.ply.table.Datum;
import dev.ply.table.StringDecoder;
import dev.ply.target.KernelTypes;
import dev.ply.type.AddressSpace;
import dev.ply.type.Conversions;
import dev.ply.type.Encoding;
import dev.ply.type.IntFormat;
import dev.ply.type.StructField;
import dev.ply.type.TextBytes;
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
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Decodes values by the layout of their types. */
public final class DatumReader {
  private final Stacks stacks;
  private final Map<Integer, String> probeNames;
  private final StringDecoder strings;
  private final KernelTypes types;
  private final String cutMark;

  /**
   * Decodes values.
   *
   * @param stacks where stack traces come from
   * @param probeNames the definitions of probe sites by number
   * @param strings decodes strings that user space decodes
   * @param types of the kernel
   * @param cutMark follows a string that was cut
   */
  public DatumReader(
      Stacks stacks,
      Map<Integer, String> probeNames,
      StringDecoder strings,
      KernelTypes types,
      String cutMark) {
    this.types = types;
    this.cutMark = cutMark;
    this.stacks = stacks;
    this.strings = strings;
    this.probeNames = probeNames;
  }

  /** Returns this reader with the stack traces of {@code others}. */
  public DatumReader with(Stacks others) {
    return new DatumReader(others, probeNames, strings, types, cutMark);
  }

  /** Returns where stack traces come from. */
  public Stacks stacks() {
    return stacks;
  }

  /**
   * Reads the value of type {@code type} at {@code offset} of a buffer in the target's byte order.
   */
  public Datum read(Type type, ByteBuffer bytes, int offset) {
    return type.accept(new At(bytes, offset));
  }

  /** The values at an offset of a buffer. */
  private final class At implements Type.Visitor<Datum> {
    private final ByteBuffer bytes;
    private final int offset;

    At(ByteBuffer bytes, int offset) {
      this.bytes = bytes;
      this.offset = offset;
    }

    @Override
    public Datum visit(IntType type) {
      long value = type.read(bytes, offset);
      if (type.isStack()) {
        return stacks.read(value, type);
      }
      return type.format() == IntFormat.PROBE ? probe(value, type) : new Datum.Int(value, type);
    }

    @Override
    public Datum visit(PointerType type) {
      long value = bytes.getLong(offset);
      // An untyped address is a number, and prints as one, except for the context.
      return type.target() instanceof VoidType && type.space() != AddressSpace.CONTEXT
          ? new Datum.Int(value, IntType.U64)
          : new Datum.Address(value, type);
    }

    @Override
    public Datum visit(ArrayType type) {
      return type.isText() ? text(type, bytes, offset) : elements(type, bytes, offset);
    }

    @Override
    public Datum visit(EncodedString type) {
      if (type.encoding() instanceof Encoding.QuotedString quoted) {
        return quoted(quoted, bytes, offset);
      }
      return type.encoding() instanceof Encoding.Buffer buffer
          ? buffer(buffer, bytes, offset)
          : strings.decode(type.encoding(), bytes, offset);
    }

    @Override
    public Datum visit(TupleType type) {
      List<Datum> elements = fields(type.layout());
      if (type.isBothStacks()) {
        return new Datum.BothStacks(elements.get(0), elements.get(1));
      }
      return type.isRecord()
          ? new Datum.Struct(elements, type.layout())
          : new Datum.Tuple(elements);
    }

    @Override
    public Datum visit(StructType type) {
      return new Datum.Struct(fields(type), type);
    }

    private List<Datum> fields(StructType type) {
      List<Datum> fields = new ArrayList<>(type.fields().size());
      for (StructField field : type.fields()) {
        fields.add(read(field.type(), bytes, offset + field.offset()));
      }
      return fields;
    }

    @Override
    public Datum visit(KernelStruct type) {
      return members(type, bytes, offset);
    }

    @Override
    public Datum visit(VoidType type) {
      throw new IllegalArgumentException("nothing can be read as " + type.name());
    }
  }

  private Datum members(KernelStruct struct, ByteBuffer bytes, int offset) {
    List<StructField> fields = new ArrayList<>();
    List<Datum> values = new ArrayList<>();
    types
        .memberNames(struct)
        .flatMap(name -> types.member(struct, name).stream())
        .forEach(
            member -> {
              fields.add(new StructField(member.name(), member.type(), member.offset()));
              values.add(
                  member.isBitField()
                      ? bits(member, bytes, offset + member.offset())
                      : read(member.type(), bytes, offset + member.offset()));
            });
    String tag = struct.tag().isEmpty() ? "struct" : struct.tag();
    return new Datum.Struct(values, new StructType(tag, fields, struct.size(), struct.alignment()));
  }

  /** Reads a bit-field from the bytes that contain it, at most 8. */
  private static Datum bits(KernelTypes.Member member, ByteBuffer bytes, int offset) {
    IntType type = Conversions.asInteger(member.type()).orElseThrow();
    boolean isLittle = bytes.order() == ByteOrder.LITTLE_ENDIAN;
    int loaded = Math.min(Long.BYTES, (member.shift() + member.bits() + 7) / 8);
    long value = 0;
    for (int i = 0; i < loaded; i++) {
      int place = isLittle ? i : loaded - 1 - i;
      value |= Byte.toUnsignedLong(bytes.get(offset + i)) << (place * Byte.SIZE);
    }
    value <<= member.bitsAbove(loaded, bytes.order());
    int unused = Long.SIZE - member.bits();
    return new Datum.Int(type.isSigned() ? value >> unused : value >>> unused, type);
  }

  /** An unknown number was stored by the script itself. */
  private Datum probe(long number, IntType type) {
    String name = probeNames.get((int) number);
    return name == null
        ? new Datum.Int(number, type)
        : new Datum.Text(new String(TextBytes.encode(name), StandardCharsets.ISO_8859_1) + "\0");
  }

  private static Datum buffer(Encoding.Buffer type, ByteBuffer bytes, int offset) {
    byte[] content = new byte[Math.min(type.capacity(), bytes.getInt(offset))];
    bytes.get(offset + Encoding.Buffer.LENGTH_BYTES, content);
    return new Datum.Bytes(new String(content, StandardCharsets.ISO_8859_1));
  }

  /** The helper returns the string's length with its NUL, or a negative errno. */
  private static Datum quoted(Encoding.QuotedString type, ByteBuffer bytes, int offset) {
    long length = bytes.getLong(offset);
    if (length < 0) {
      return new Datum.Quoted(Optional.empty());
    }
    byte[] text = new byte[(int) Math.max(0, Math.min(length, type.bytes()) - 1)];
    bytes.get(offset + Long.BYTES, text);
    return new Datum.Quoted(Optional.of(TextBytes.decode(text)));
  }

  private Datum text(ArrayType type, ByteBuffer bytes, int offset) {
    byte[] text = new byte[type.length()];
    bytes.get(offset, text);
    boolean isCut = type.isCut(bytes, offset);
    if (isCut) {
      text[text.length - 1] = 0;
    }
    return new Datum.Text(new String(text, StandardCharsets.ISO_8859_1), isCut, cutMark);
  }

  /** Returns what follows a string in output that was cut. */
  String cutMark() {
    return cutMark;
  }

  private Datum elements(ArrayType type, ByteBuffer bytes, int offset) {
    if (type.isFloatingPoint()) {
      return type.size() == Float.BYTES
          ? Datum.Real.of(bytes.getFloat(offset))
          : Datum.Real.of(bytes.getDouble(offset));
    }
    List<Datum> elements = new ArrayList<>(type.length());
    for (int i = 0; i < type.length(); i++) {
      elements.add(read(type.element(), bytes, offset + i * type.element().size()));
    }
    return new Datum.Elements(elements);
  }
}
