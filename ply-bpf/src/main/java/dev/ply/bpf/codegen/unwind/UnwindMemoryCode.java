package dev.ply.bpf.codegen.unwind;

import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Memory;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.unwind.UnwindMaps;

/** Finds chunks of the memory for unwind tables. Both lookups are a few instructions each. */
final class UnwindMemoryCode {
  private static final int CHUNK_BITS = Integer.numberOfTrailingZeros(UnwindMaps.SLAB_CHUNKS);

  private final CodeBuilder code;
  private final Place key;

  UnwindMemoryCode(CodeBuilder code, Memory memory) {
    this.code = code;
    this.key = memory.allocate(Long.BYTES);
  }

  /** Returns the address of a chunk; changes the register of its number. */
  Register chunk(Register number, Label missing) {
    Register slab = code.fresh();
    code.move(slab, number);
    code.alu(Width.W64, AluOp.RSH, slab, CHUNK_BITS);
    code.store(Size.W, key, slab);
    Register map =
        code.callForResult(Helper.MAP_LOOKUP_ELEM, code.map(UnwindMaps.MEMORY), code.address(key));
    code.jumpIfNull(map, missing);
    code.alu(Width.W64, AluOp.AND, number, UnwindMaps.SLAB_CHUNKS - 1);
    code.store(Size.W, key, number);
    Register chunk = code.callForResult(Helper.MAP_LOOKUP_ELEM, code.value(map), code.address(key));
    code.jumpIfNull(chunk, missing);
    return chunk;
  }
}
