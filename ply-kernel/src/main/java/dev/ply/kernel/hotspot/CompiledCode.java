package dev.ply.kernel.hotspot;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A blob of a runtime's compiled code (codeBlob.hpp, nmethod.hpp): which method it is of, and which
 * methods are inlined at an instruction (pcDesc.hpp, scopeDesc.hpp).
 *
 * @param address of the blob
 * @param name what the runtime calls it
 * @param begin the address of its first instruction
 */
record CompiledCode(long address, String name, long begin) {
  /** The types whose fields are read. */
  static final Set<String> TYPES = Set.of("CodeBlob", "CompiledMethod", "nmethod", "PcDesc");

  private static final int MOST_BYTES = 1 << 27;
  private static final int MOST_INLINED = 256;
  private static final int LONGEST_SCOPE = 15;

  /** The type that has the field of the method: until Java 22 another. */
  private static final List<String> OWNERS = List.of("nmethod", "CompiledMethod");

  /** A method at a bytecode. */
  record Call(long method, OptionalInt bytecode) {}

  /** Where the descriptions of instructions and of the methods there are. */
  private record Sections(long instructions, long end, long scopes, long scopesEnd, long methods) {}

  /** Reads a blob. */
  static CompiledCode of(HotSpotMemory memory, HotSpotStructs structs, long blob)
      throws IOException {
    long begin =
        structs.has("CodeBlob._code_begin")
            ? structs.word(memory, blob, "CodeBlob._code_begin")
            : blob + structs.number(memory, blob, "CodeBlob._code_offset");
    String name = memory.text(structs.word(memory, blob, "CodeBlob._name"));
    return new CompiledCode(blob, name, begin);
  }

  /** Returns whether it is of a method, and no stub. */
  boolean isMethod() {
    return name.equals("nmethod") || isNative();
  }

  /** Returns whether it calls a native method. */
  boolean isNative() {
    return name.equals("native nmethod");
  }

  /** Returns whether this is the interpreter. */
  boolean isInterpreter() {
    return name.equals("Interpreter");
  }

  /** Returns the level of the compiler: 1 to 3 for C1, 4 for C2, others for native methods. */
  int level(HotSpotMemory memory, HotSpotStructs structs) throws IOException {
    return memory.bytes(address + structs.offset("nmethod._comp_level"), 1).get(0);
  }

  /** Returns what tells this blob from others that were at its place. */
  int compilation(HotSpotMemory memory, HotSpotStructs structs) throws IOException {
    return isMethod() ? structs.number(memory, address, "nmethod._compile_id") : 0;
  }

  /** Returns the address of its method's description. */
  long method(HotSpotMemory memory, HotSpotStructs structs) throws IOException {
    for (String owner : OWNERS) {
      if (structs.has(owner + "._method")) {
        return structs.word(memory, address, owner + "._method");
      }
    }
    throw new IOException("the runtime does not tell which method code is of");
  }

  /**
   * Returns the methods at an instruction, the innermost one first, each inlined into the next.
   * Compilers describe calls, and between them few instructions: others have what the next one has.
   *
   * @param isCaller whether the address is a return address
   */
  List<Call> calls(
      HotSpotMemory memory,
      HotSpotStructs structs,
      boolean areZerosExcluded,
      long pc,
      boolean isCaller)
      throws IOException {
    Sections sections = sections(memory, structs);
    int scope = scope(memory, structs, sections, (int) (pc - begin) + (isCaller ? 0 : 1));
    List<Call> calls = new ArrayList<>();
    for (int i = 0; i < MOST_INLINED && scope != 0; i++) {
      long at = sections.scopes() + scope;
      if (scope < 0 || at >= sections.scopesEnd()) {
        throw new IOException("a scope outside of its section");
      }
      int length = (int) Math.min(LONGEST_SCOPE, sections.scopesEnd() - at);
      CompressedIntegers stream =
          new CompressedIntegers(memory.bytes(at, length), areZerosExcluded);
      int outer = stream.unsigned();
      int method = stream.unsigned();
      // Of the entry, it is -1.
      int bytecode = stream.unsigned() - 1;
      if (method <= 0) {
        throw new IOException("a scope without a method");
      }
      calls.add(
          new Call(
              memory.word(sections.methods() + (method - 1L) * Long.BYTES),
              bytecode < 0 ? OptionalInt.empty() : OptionalInt.of(bytecode)));
      scope = outer;
    }
    return calls;
  }

  private Sections sections(HotSpotMemory memory, HotSpotStructs structs) throws IOException {
    long pcs = structs.number(memory, address, "nmethod._scopes_pcs_offset");
    if (structs.has("nmethod._immutable_data")) {
      long data = structs.word(memory, address, "nmethod._immutable_data");
      long size = structs.number(memory, address, "nmethod._immutable_data_size");
      long scopes = structs.number(memory, address, "nmethod._scopes_data_offset");
      long relocations = structs.number(memory, address, "CodeBlob._relocation_size");
      long methods =
          structs.word(memory, address, "CodeBlob._mutable_data")
              + (relocations + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
      return new Sections(data + pcs, data + scopes, data + scopes, data + size, methods);
    }
    long scopes = structs.word(memory, address, "CompiledMethod._scopes_data_begin");
    long end = address + structs.number(memory, address, "nmethod._dependencies_offset");
    long methods = address + structs.number(memory, address, "nmethod._metadata_offset");
    return new Sections(address + pcs, end, scopes, address + pcs, methods);
  }

  /** Returns the scope of the first description at an offset of the code or after it. */
  private static int scope(
      HotSpotMemory memory, HotSpotStructs structs, Sections sections, int wanted)
      throws IOException {
    int size = structs.size("PcDesc");
    long bytes = sections.end() - sections.instructions();
    if (size <= 0 || bytes < 0 || bytes > MOST_BYTES) {
      throw new IOException("descriptions of code of " + bytes + " bytes");
    }
    long low = 0;
    long high = bytes / size;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (structs.number(memory, sections.instructions() + middle * size, "PcDesc._pc_offset")
          < wanted) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low >= bytes / size) {
      throw new IOException("an instruction after all that are described");
    }
    ByteBuffer found = memory.bytes(sections.instructions() + low * size, size);
    return found.getInt(structs.offset("PcDesc._scope_decode_offset"));
  }
}
