package dev.ply.analysis.struct;

import dev.ply.machine.Architecture;
import dev.ply.target.KernelTypes;
import dev.ply.target.TracepointFormat;
import dev.ply.type.IntFormat;
import dev.ply.type.Signedness;
import dev.ply.type.StructField;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.StructType;
import java.util.ArrayList;
import java.util.List;

/** Context structures as types of the language. */
public final class ContextStruct {
  private ContextStruct() {}

  /** Returns the type of a tracepoint's record, {@code *data}. */
  public static StructType of(TracepointFormat format) {
    List<StructField> fields = new ArrayList<>();
    for (TracepointFormat.Field field : format.fields()) {
      fields.add(new StructField(field.name(), field.type(), field.offset()));
    }
    return new StructType("data", fields, format.size(), 8);
  }

  /** Returns the type of a function's arguments, {@code *args}: 8 bytes each. */
  public static StructType of(KernelTypes.Function function) {
    List<StructField> fields = new ArrayList<>();
    for (KernelTypes.Parameter parameter : function.parameters()) {
      fields.add(new StructField(parameter.name(), parameter.type(), fields.size() * Long.BYTES));
    }
    return new StructType("args", fields, fields.size() * Long.BYTES, Long.BYTES);
  }

  /** Returns the type of the saved registers, {@code *regs}, which print in hexadecimal. */
  public static StructType of(Architecture architecture) {
    int word = architecture.wordSize();
    IntType register = IntType.of(word, Signedness.UNSIGNED).printedAs(IntFormat.HEX);
    List<StructField> fields = new ArrayList<>();
    for (String name : architecture.registers()) {
      fields.add(new StructField(name, register, fields.size() * word));
    }
    return new StructType("pt_regs", fields, architecture.registersSize(), word);
  }
}
