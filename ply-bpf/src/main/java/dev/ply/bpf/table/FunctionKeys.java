package dev.ply.bpf.table;

import dev.ply.bpf.decode.PackedRows;
import dev.ply.bpf.decode.Stacks;
import dev.ply.bpf.object.MapLayout;
import dev.ply.table.Datum;
import dev.ply.type.IntFormat;
import dev.ply.type.StructField;
import dev.ply.type.Type.IntType;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The keys of a table some of whose stacks are of functions: programs tell apart where in a
 * function each frame is; here keys of the same functions become one. For one reading of a map, in
 * which a stack stays the same.
 */
final class FunctionKeys implements Stacks {
  private final Stacks stacks;
  private final List<StructField> fields;
  private final Map<Long, Datum> kernel = new HashMap<>();
  private final Map<Long, Datum> user = new HashMap<>();

  FunctionKeys(MapLayout layout, Stacks stacks) {
    this.stacks = stacks;
    this.fields =
        PackedRows.stacks(layout.symbol().keyType(), 0).stream()
            .filter(field -> format(field).isOfFunctions())
            .toList();
  }

  private static IntFormat format(StructField field) {
    return ((IntType) field.type()).format();
  }

  /** Returns the key that stands for all keys of the same functions. */
  ByteBuffer of(ByteBuffer key) {
    ByteBuffer one = TableReader.copy(key);
    for (StructField field : fields) {
      IntType type = (IntType) field.type();
      Datum stack = read(type.read(one, field.offset()), type);
      long number = number(stack, type.read(one, field.offset()));
      known(type).putIfAbsent(number, stack);
      if (type.bytes() == Integer.BYTES) {
        one.putInt(field.offset(), (int) number);
      } else {
        one.putLong(field.offset(), number);
      }
    }
    return one;
  }

  /** Returns the number of the stack that was read, which another stack's number may have given. */
  private static long number(Datum stack, long read) {
    if (stack instanceof Datum.Stack trace) {
      return trace.id();
    } else if (stack instanceof Datum.UserStack trace) {
      return (long) trace.process() << Integer.SIZE | Integer.toUnsignedLong(trace.id());
    } else if (stack instanceof Datum.MissingStack none && none.id() < 0) {
      // A process makes no difference to a stack that is missing.
      return Integer.toUnsignedLong(none.id());
    }
    return read;
  }

  @Override
  public Datum read(long number, IntType type) {
    Map<Long, Datum> known = known(type);
    Datum stack = known.get(number);
    if (stack == null) {
      stack = stacks.read(number, type);
      known.put(number, stack);
    }
    return stack;
  }

  private Map<Long, Datum> known(IntType type) {
    return type.format().isUserStack() ? user : kernel;
  }
}
