package dev.ply.analysis;

import dev.ply.ir.TypeDefinition.Field;
import dev.ply.ir.TypeDefinition.RecordedLayout;
import dev.ply.ir.TypeDefinition.Struct;
import dev.ply.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * The layout of a structure that a script defines, by the rules of the System V ABI, or as a
 * compiler has recorded it.
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

  /**
   * Lays out a structure whose members have these types, with these alignments in bytes. Its size
   * is {@link DefinedTypes#LARGEST} if that is exceeded.
   */
  static StructLayout of(
      Struct struct, Function<Field, Type> types, ToIntFunction<Type> alignments) {
    if (struct.recorded().isPresent()) {
      return recorded(struct.fields(), struct.recorded().get(), types);
    }
    List<Place> places = new ArrayList<>();
    long bit = 0;
    long end = 0;
    int alignment = 1;
    for (Field field : struct.fields()) {
      Type type = types.apply(field);
      int aligned = struct.isPacked() ? 1 : alignments.applyAsInt(type);
      int unit = Math.max(1, type.size()) * Byte.SIZE;
      long start = struct.isUnion() ? 0 : bit;
      if (field.bits().isEmpty()) {
        start = roundUp(start, aligned * Byte.SIZE);
        bit = start + (long) type.size() * Byte.SIZE;
        places.add(new Place(field, type, (int) (start / Byte.SIZE), 0));
      } else {
        int bits = field.bits().getAsInt();
        // A bit-field does not cross a boundary of its type; one of width 0 ends the unit.
        boolean isCrossing = start % unit + bits > unit;
        if (bits == 0 || (isCrossing && !struct.isPacked())) {
          start = roundUp(start, unit);
        }
        bit = start + bits;
        if (!field.name().isEmpty()) {
          places.add(new Place(field, type, (int) (start / Byte.SIZE), (int) (start % Byte.SIZE)));
        }
      }
      alignment = Math.max(alignment, aligned);
      bit = Math.min(bit, (long) DefinedTypes.LARGEST * Byte.SIZE);
      end = Math.max(end, bit);
    }
    int size = (int) (roundUp(end, alignment * Byte.SIZE) / Byte.SIZE);
    return new StructLayout(places, size, alignment);
  }

  private static StructLayout recorded(
      List<Field> fields, RecordedLayout layout, Function<Field, Type> types) {
    List<Place> places = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      long bit = layout.places().get(i);
      places.add(
          new Place(
              fields.get(i),
              types.apply(fields.get(i)),
              (int) (bit / Byte.SIZE),
              (int) (bit % Byte.SIZE)));
    }
    return new StructLayout(places, layout.size(), layout.alignment());
  }

  private static long roundUp(long bits, int unit) {
    return (bits + unit - 1) / unit * unit;
  }
}
