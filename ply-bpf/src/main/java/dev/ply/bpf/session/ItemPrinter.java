package dev.ply.bpf.session;

import dev.ply.bpf.object.EventSite;
import dev.ply.bpf.object.EventSite.Item;
import dev.ply.bpf.session.EventPrinter.Part;
import dev.ply.result.Datum;
import dev.ply.result.PrintfFormat.Conversion;
import dev.ply.result.ResultFormat;
import dev.ply.result.Table;
import dev.ply.result.TextBuffer;
import dev.ply.result.ValueFormat;
import dev.ply.type.AddressSpace;
import dev.ply.type.IntFormat;
import dev.ply.type.StructField;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.VoidType;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BiFunction;

/** Prepares the parts of a line that show values: record fields, whole maps. */
final class ItemPrinter {
  private final DatumReader reader;
  private final ResultFormat format;
  private final BiFunction<EventSite, String, Table<Datum>> tableByName;

  ItemPrinter(
      DatumReader reader,
      ResultFormat format,
      BiFunction<EventSite, String, Table<Datum>> tableByName) {
    this.reader = reader;
    this.format = format;
    this.tableByName = tableByName;
  }

  /** Returns the part that shows an item in its default format. */
  Part plain(EventSite site, Item item) {
    ValueFormat values = format.values();
    if (item instanceof Item.Field field) {
      StructField place = site.layout().fields().get(field.index());
      Type type = place.type();
      int offset = place.offset();
      if (isNumber(type)) {
        IntType integer = number(type);
        return (out, memory, start) ->
            values.appendInt(out, DatumReader.integer(integer, memory, start + offset), integer);
      }
      if (type instanceof PointerType) {
        return (out, memory, start) -> values.appendAddress(out, memory.getLong(start + offset));
      }
      if (type instanceof ArrayType text && text.isText()) {
        return (out, memory, start) -> {
          if (DatumReader.isCut(text, memory, start + offset)) {
            values.append(out, reader.read(text, memory, start + offset));
          } else {
            values.appendText(out, memory, start + offset, text.size());
          }
        };
      }
    }
    return (out, memory, start) -> values.append(out, datum(site, item, memory, start));
  }

  /** Returns the part that writes a map printed alone to {@code stream}, row by row. */
  Part wholeMap(EventSite site, Item.WholeMap map, OutputStream stream) {
    return (out, memory, start) -> {
      TextBuffer rows = new TextBuffer(stream);
      format.appendMap(rows, dump(site, map));
      out.append(rows);
    };
  }

  /** Returns the part that shows an item by {@code conversion}. */
  Part converted(EventSite site, Item item, Conversion conversion) {
    ValueFormat values = format.conversions();
    if (item instanceof Item.Field field) {
      StructField place = site.layout().fields().get(field.index());
      Type type = place.type();
      int offset = place.offset();
      if (isNumber(type)) {
        IntType integer = number(type);
        return (out, memory, start) ->
            conversion.append(
                out, DatumReader.integer(integer, memory, start + offset), integer, values);
      }
      if (type instanceof PointerType) {
        return (out, memory, start) ->
            conversion.appendAddress(out, memory.getLong(start + offset), values);
      }
      if (type instanceof ArrayType text && text.isText()) {
        return (out, memory, start) -> {
          if (DatumReader.isCut(text, memory, start + offset)) {
            conversion.append(out, reader.read(text, memory, start + offset), values);
          } else {
            conversion.append(out, memory, start + offset, text.size(), values);
          }
        };
      }
    }
    return (out, memory, start) -> conversion.append(out, datum(site, item, memory, start), values);
  }

  /** Returns all items of a record as values. */
  List<Datum> data(EventSite.Formatted site, ByteBuffer memory, int start) {
    return site.items().stream().map(item -> datum(site, item, memory, start)).toList();
  }

  private Datum datum(EventSite site, Item item, ByteBuffer memory, int start) {
    if (item instanceof Item.WholeMap map) {
      return dump(site, map);
    }
    StructField field = site.layout().fields().get(((Item.Field) item).index());
    return reader.read(field.type(), memory, start + field.offset());
  }

  private Datum.Dump dump(EventSite site, Item.WholeMap map) {
    Table<Datum> table = format.largest(tableByName.apply(site, map.name()), map.top());
    return new Datum.Dump(
        map.name(),
        map.divisor() == 1 ? table : table.map(value -> value.dividedBy(map.divisor())));
  }

  /** An untyped address is a number, and prints as one, except for the context. */
  private static boolean isNumber(Type type) {
    return type instanceof IntType integer
        ? !StackReader.isStack(integer) && integer.format() != IntFormat.PROBE
        : type instanceof PointerType pointer
            && pointer.target() instanceof VoidType
            && pointer.space() != AddressSpace.CONTEXT;
  }

  private static IntType number(Type type) {
    return type instanceof IntType integer ? integer : IntType.U64;
  }
}
