package dev.ply.analysis.struct;

import dev.ply.ir.TypeDefinition.Field;
import dev.ply.ir.TypeDefinition.Packing;
import dev.ply.ir.TypeDefinition.RecordedLayout;
import dev.ply.ir.TypeDefinition.Struct;
import dev.ply.machine.Architecture;
import dev.ply.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The layout of a structure that a script defines, by the rules of the System V ABI and GCC's
 * attributes, or as a compiler has recorded it.
 */
record StructLayout(List<Place> places, int size, int alignment) {
  StructLayout {
    places = List.copyOf(places);
  }

  /**
   * A member's location.
   *
   * @param offset bytes from the structure's start
   * @param shift the lowest bit of a bit-field, counted from that of the byte at {@code offset}
   */
  record Place(Field field, Type type, int offset, int shift) {}

  /** The type of a member, and its alignment in bytes. */
  record Aligned(Type type, int alignment) {}

  /** The layout of the members so far: their end and their largest alignment. */
  private static final class Layout {
    private final Packing packing;
    private final Architecture architecture;
    private int alignment;

    Layout(Packing packing, Architecture architecture) {
      this.packing = packing;
      this.architecture = architecture;
      this.alignment = Math.max(1, packing.alignment());
    }

    /** Returns the first bit of a member that can start at a bit. */
    long start(Field field, Aligned type, long bit) {
      return field.bits().isPresent()
          ? bitField(field, type, field.bits().getAsInt(), bit)
          : member(field, type.alignment(), bit);
    }

    private long member(Field field, int natural, long bit) {
      int wanted =
          !isPacked(field)
              ? Math.max(natural, field.alignment())
              : field.alignment() > 0 ? field.alignment() : 1;
      int aligned = limited(wanted);
      alignment = Math.max(alignment, aligned);
      return roundUp(bit, aligned * Byte.SIZE);
    }

    private long bitField(Field field, Aligned type, int bits, long bit) {
      // Elsewhere only a bit-field with a name makes the structure as strict as its type.
      boolean isStrict = !field.name().isEmpty() || architecture.hasStrictBitFields();
      int natural = type.alignment();
      int given = field.alignment() == 0 ? 0 : limited(field.alignment());
      if (bits == 0) {
        // Ends the unit, packed or not.
        alignment = isStrict ? Math.max(alignment, natural) : alignment;
        return roundUp(bit, Math.max(field.alignment(), natural) * Byte.SIZE);
      }
      if (isStrict) {
        boolean isLimited = packing.limit() > 0 || !isPacked(field);
        alignment = Math.max(alignment, Math.max(given, isLimited ? limited(natural) : 1));
      }
      long start = given == 0 ? bit : roundUp(bit, given * Byte.SIZE);
      // A bit-field does not cross a boundary of its type.
      int unit = Math.max(1, type.type().size()) * Byte.SIZE;
      int step = natural * Byte.SIZE;
      boolean isCrossing = (start + bits + step - 1) / step - start / step > unit / step;
      boolean isDense = isPacked(field) || packing.limit() > 0;
      return isCrossing && !isDense ? roundUp(start, step) : start;
    }

    private boolean isPacked(Field field) {
      return packing.isPacked() || field.isPacked();
    }

    private int limited(int wanted) {
      return packing.limit() > 0 ? Math.min(packing.limit(), wanted) : wanted;
    }
  }

  /**
   * Lays out a structure whose members have these types. Its size is {@link DefinedTypes#LARGEST}
   * if that is exceeded.
   */
  static StructLayout of(Struct struct, Function<Field, Aligned> types, Architecture architecture) {
    if (struct.recorded().isPresent()) {
      return recorded(struct.fields(), struct.recorded().get(), types);
    }
    List<Place> places = new ArrayList<>();
    Layout layout = new Layout(struct.packing(), architecture);
    long bit = 0;
    long end = 0;
    for (Field field : struct.fields()) {
      Aligned type = types.apply(field);
      long start = layout.start(field, type, struct.isUnion() ? 0 : bit);
      long bits =
          field.bits().isPresent()
              ? field.bits().getAsInt()
              : (long) type.type().size() * Byte.SIZE;
      bit = start + bits;
      if (field.bits().isEmpty() || !field.name().isEmpty()) {
        places.add(
            new Place(field, type.type(), (int) (start / Byte.SIZE), (int) (start % Byte.SIZE)));
      }
      bit = Math.min(bit, (long) DefinedTypes.LARGEST * Byte.SIZE);
      end = Math.max(end, bit);
    }
    long size = roundUp(end, layout.alignment * Byte.SIZE) / Byte.SIZE;
    return new StructLayout(places, (int) Math.min(DefinedTypes.LARGEST, size), layout.alignment);
  }

  private static StructLayout recorded(
      List<Field> fields, RecordedLayout layout, Function<Field, Aligned> types) {
    List<Place> places = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      long bit = layout.places().get(i);
      places.add(
          new Place(
              fields.get(i),
              types.apply(fields.get(i)).type(),
              (int) (bit / Byte.SIZE),
              (int) (bit % Byte.SIZE)));
    }
    return new StructLayout(places, layout.size(), layout.alignment());
  }

  private static long roundUp(long bits, int unit) {
    return (bits + unit - 1) / unit * unit;
  }
}
