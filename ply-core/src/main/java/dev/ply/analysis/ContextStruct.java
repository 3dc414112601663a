package dev.ply.analysis;

import dev.ply.target.Architecture;
import dev.ply.target.KernelTypes;
import dev.ply.target.TracepointFormat;
import dev.ply.type.IntFormat;
import dev.ply.type.Signedness;
import dev.ply.type.StructField;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.StructType;
import java.util.ArrayList;
import java.util.List;

/** What programs see as their context, as structures of the language. */
final class ContextStruct {
  private ContextStruct() {}

  /** Returns the record of a tracepoint, {@code *data}. */
  static StructType of(TracepointFormat format) {
    List<StructField> fields = new ArrayList<>();
    for (TracepointFormat.Field field : format.fields()) {
      fields.add(new StructField(field.name(), field.type(), field.offset()));
    }
    return new StructType("data", fields, format.size(), 8);
  }

  /** Returns the arguments of a function, {@code *args}: a word for each. */
  static StructType of(KernelTypes.Function function) {
    List<StructField> fields = new ArrayList<>();
    for (KernelTypes.Parameter parameter : function.parameters()) {
      fields.add(new StructField(parameter.name(), parameter.type(), fields.size() * Long.BYTES));
    }
    return new StructType("args", fields, fields.size() * Long.BYTES, Long.BYTES);
  }

  /** Returns the saved registers, {@code *regs}: words that print in hexadecimal. */
  static StructType of(Architecture architecture) {
    int word = architecture.wordSize();
    IntType register = IntType.of(word, Signedness.UNSIGNED).printedAs(IntFormat.HEX);
    List<StructField> fields = new ArrayList<>();
    for (String name : architecture.registers()) {
      fields.add(new StructField(name, register, fields.size() * word));
    }
    return new StructType("pt_regs", fields, architecture.registersSize(), word);
  }
}
