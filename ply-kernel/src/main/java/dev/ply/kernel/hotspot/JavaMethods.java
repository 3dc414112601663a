package dev.ply.kernel.hotspot;

import dev.ply.target.JavaCode.Method;
import dev.ply.target.SourceLine;
import dev.ply.type.TextBytes;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Methods of a runtime by the addresses of their descriptions (method.hpp, constMethod.hpp): names
 * and lines. A name that was read once stays, whatever the runtime unloads. Not thread-safe.
 */
final class JavaMethods {
  /** The types whose fields are read. */
  static final Set<String> TYPES =
      Set.of("Method", "ConstMethod", "ConstantPool", "Klass", "Symbol");

  private static final int MOST_KNOWN = 1 << 14;
  private static final int LONGEST_NAME = 1 << 10;
  private static final int MOST_LINE_BYTES = 1 << 16;
  private static final int HAS_LINES = 1;

  private final HotSpotStructs structs;
  private final boolean areZerosExcluded;
  private final Map<Long, Known> known = new HashMap<>();

  /** A method, with the name of its source file. */
  private record Known(Method method, Optional<String> file) {}

  /**
   * Reads the methods of a runtime.
   *
   * @param areZerosExcluded how it compresses integers: {@link CompressedIntegers}
   */
  JavaMethods(HotSpotStructs structs, boolean areZerosExcluded) {
    this.structs = structs;
    this.areZerosExcluded = areZerosExcluded;
  }

  /** Forgets all. */
  void forget() {
    known.clear();
  }

  /** Returns a method. */
  Method method(HotSpotMemory memory, long address) throws IOException {
    return known(memory, address).method();
  }

  /** Returns the line of a bytecode; empty where the class file tells none. */
  Optional<SourceLine> line(HotSpotMemory memory, long address, OptionalInt bytecode)
      throws IOException {
    Optional<String> file = known(memory, address).file();
    if (bytecode.isEmpty() || file.isEmpty()) {
      return Optional.empty();
    }
    OptionalInt line = line(memory, address, bytecode.getAsInt());
    return line.isPresent()
        ? Optional.of(new SourceLine(file.get(), line.getAsInt()))
        : Optional.empty();
  }

  private Known known(HotSpotMemory memory, long address) throws IOException {
    Known method = known.get(address);
    if (method == null) {
      method = read(memory, address);
      if (known.size() >= MOST_KNOWN) {
        known.clear();
      }
      known.put(address, method);
    }
    return method;
  }

  private Known read(HotSpotMemory memory, long address) throws IOException {
    long constant = structs.word(memory, address, "Method._constMethod");
    long pool = structs.word(memory, constant, "ConstMethod._constants");
    long holder = structs.word(memory, pool, "ConstantPool._pool_holder");
    String type = symbol(memory, structs.word(memory, holder, "Klass._name"));
    String name = symbol(memory, pool, structs.small(memory, constant, "ConstMethod._name_index"));
    String descriptor =
        symbol(memory, pool, structs.small(memory, constant, "ConstMethod._signature_index"));
    Method method = new Method(type.replace('/', '.'), name, descriptor);
    return new Known(method, file(memory, pool));
  }

  private Optional<String> file(HotSpotMemory memory, long pool) throws IOException {
    if (!structs.has("ConstantPool._source_file_name_index")) {
      return Optional.empty();
    }
    int index = structs.small(memory, pool, "ConstantPool._source_file_name_index");
    return index == 0 ? Optional.empty() : Optional.of(symbol(memory, pool, index));
  }

  private String symbol(HotSpotMemory memory, long pool, int index) throws IOException {
    if (index <= 0 || index >= structs.number(memory, pool, "ConstantPool._length")) {
      throw new IOException("a name at " + index + " of a pool of constants");
    }
    long entry = pool + structs.size("ConstantPool") + (long) index * Long.BYTES;
    return symbol(memory, memory.word(entry));
  }

  private String symbol(HotSpotMemory memory, long symbol) throws IOException {
    int length = structs.small(memory, symbol, "Symbol._length");
    if (length == 0 || length > LONGEST_NAME) {
      throw new IOException("a name of " + length + " bytes");
    }
    byte[] name = new byte[length];
    memory.bytes(symbol + structs.offset("Symbol._body"), length).get(name);
    return TextBytes.decode(name);
  }

  /** Lines follow the bytecodes, as differences. */
  private OptionalInt line(HotSpotMemory memory, long address, int wanted) throws IOException {
    long constant = structs.word(memory, address, "Method._constMethod");
    String flags =
        structs.has("ConstMethod._flags") ? "ConstMethod._flags" : "ConstMethod._flags._flags";
    int size = structs.small(memory, constant, "ConstMethod._code_size");
    if ((structs.small(memory, constant, flags) & HAS_LINES) == 0 || wanted >= size) {
      return OptionalInt.empty();
    }
    int words = structs.number(memory, constant, "ConstMethod._constMethod_size");
    int start = structs.size("ConstMethod") + size;
    long bytes = Math.min(MOST_LINE_BYTES, (long) words * Long.BYTES - start);
    if (bytes <= 0) {
      return OptionalInt.empty();
    }
    CompressedIntegers table =
        new CompressedIntegers(memory.bytes(constant + start, (int) bytes), areZerosExcluded);
    return line(table, wanted);
  }

  private static OptionalInt line(CompressedIntegers table, int wanted) throws IOException {
    OptionalInt found = OptionalInt.empty();
    int bytecode = 0;
    int line = 0;
    for (int next = table.unsignedByte(); next != 0; next = table.unsignedByte()) {
      if (next == 0xff) {
        bytecode += table.signed();
        line += table.signed();
      } else {
        bytecode += next >> 3;
        line += next & 7;
      }
      if (bytecode > wanted) {
        break;
      }
      found = line > 0 ? OptionalInt.of(line) : OptionalInt.empty();
    }
    return found;
  }
}
