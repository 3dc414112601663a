package dev.ply.bpf.btf;

import dev.ply.bpf.btf.TypedLoad.Mark;
import dev.ply.type.Type.KernelStruct;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;

/** The verifier's types of a function's context (btf_ctx_access in btf.c). */
final class FunctionSignature {
  private static final int PARAMETER_WORDS = 2;

  /** The suffix of parameters that can be null. */
  private static final String NULLABLE = "__nullable";

  private final Btf btf;
  private final IntFunction<KernelStruct> structs;

  /** Reads functions of a BTF; {@code structs} returns the structure of an id. */
  FunctionSignature(Btf btf, IntFunction<KernelStruct> structs) {
    this.btf = btf;
    this.structs = structs;
  }

  /**
   * Returns the type of each 8-byte word, several for a structure passed by value, and the result
   * last.
   */
  List<TypedLoad> of(int prototype) {
    List<TypedLoad> words = new ArrayList<>();
    for (int i = 0; i < btf.entries(prototype); i++) {
      String name = btf.text(btf.word(prototype, i * PARAMETER_WORDS));
      int type = btf.resolve(btf.word(prototype, i * PARAMETER_WORDS + 1));
      TypedLoad word = word(type, name.endsWith(NULLABLE));
      int count = isStruct(type) ? (btf.sizeOrType(type) + 7) / 8 : 1;
      words.addAll(Collections.nCopies(count, word));
    }
    words.add(word(btf.resolve(btf.sizeOrType(prototype)), false));
    return words;
  }

  private TypedLoad word(int type, boolean isNullable) {
    return switch (btf.kind(type)) {
      case STRUCT, UNION, ENUM, ENUM64 -> new TypedLoad.PlainNumber();
      case INT ->
          btf.sizeOrType(type) <= Long.BYTES
              ? new TypedLoad.PlainNumber()
              : new TypedLoad.Refused("a number of more than 8 bytes");
      case PTR -> address(type, isNullable);
      case VOID -> new TypedLoad.Refused("nothing");
      case ARRAY,
          FWD,
          TYPEDEF,
          VOLATILE,
          CONST,
          RESTRICT,
          FUNC,
          FUNC_PROTO,
          VAR,
          DATASEC,
          FLOAT,
          DECL_TAG,
          TYPE_TAG ->
          new TypedLoad.Refused("neither a number nor an address");
    };
  }

  /** Other pointers can be loaded on later kernels only (btf_ctx_access in btf.c). */
  private TypedLoad address(int type, boolean isNullable) {
    int target = btf.resolve(btf.sizeOrType(type));
    if (isStruct(target)) {
      Mark tag = StructWalk.tag(btf, type);
      boolean isElsewhere = tag == Mark.USER || tag == Mark.PER_CPU;
      Mark mark = isElsewhere ? tag : isNullable ? Mark.NULLABLE : Mark.NONE;
      return new TypedLoad.ObjectPointer(structs.apply(target), mark);
    }
    BtfKind kind = btf.kind(target);
    return kind == BtfKind.VOID || kind == BtfKind.INT
        ? new TypedLoad.PlainAddress()
        : new TypedLoad.Refused("a pointer to neither a structure nor a number");
  }

  private boolean isStruct(int id) {
    return btf.kind(id) == BtfKind.STRUCT || btf.kind(id) == BtfKind.UNION;
  }
}
