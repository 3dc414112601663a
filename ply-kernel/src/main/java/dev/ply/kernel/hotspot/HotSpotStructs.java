package dev.ply.kernel.hotspot;

import dev.ply.kernel.hotspot.HotSpotTables.Field;
import java.io.IOException;
import java.util.Map;
import java.util.Set;

/** Where a runtime has the fields of some of its structures. Immutable. */
public final class HotSpotStructs {
  private final Map<String, Field> fields;
  private final Map<String, Integer> sizes;

  private HotSpotStructs(Map<String, Field> fields, Map<String, Integer> sizes) {
    this.fields = fields;
    this.sizes = sizes;
  }

  /** Reads the fields of some types. */
  public static HotSpotStructs of(HotSpotTables tables, Set<String> types) throws IOException {
    return new HotSpotStructs(tables.fields(types), tables.sizes(types));
  }

  /** Returns whether a type of this runtime has a field, {@code Type.field}. */
  public boolean has(String field) {
    return fields.containsKey(field);
  }

  /** Returns where a static field is. */
  public long address(String field) throws IOException {
    return field(field).address();
  }

  /** Returns the offset of a field in its object, at most 4 kB. */
  public int offset(String field) throws IOException {
    long offset = field(field).offset();
    if (offset < 0 || offset > HotSpotTables.LARGEST_OBJECT) {
      throw new IOException(field + " at offset " + offset);
    }
    return (int) offset;
  }

  /** Returns the size of a type, at most 4 kB. */
  public int size(String type) throws IOException {
    Integer size = sizes.get(type);
    if (size == null) {
      throw new IOException("the runtime does not tell the size of its " + type);
    }
    return size;
  }

  /** Reads a field of 64 bits. */
  public long word(HotSpotMemory memory, long object, String field) throws IOException {
    return memory.word(object + offset(field));
  }

  /** Reads a field of 32 bits. */
  public int number(HotSpotMemory memory, long object, String field) throws IOException {
    return memory.bytes(object + offset(field), Integer.BYTES).getInt(0);
  }

  /** Reads a field of 16 bits without sign. */
  public int small(HotSpotMemory memory, long object, String field) throws IOException {
    return Short.toUnsignedInt(memory.bytes(object + offset(field), Short.BYTES).getShort(0));
  }

  private Field field(String name) throws IOException {
    Field field = fields.get(name);
    if (field == null) {
      throw new IOException("the runtime has no " + name);
    }
    return field;
  }
}
