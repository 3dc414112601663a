package dev.ply.target;

import dev.ply.ir.TypeName;
import dev.ply.type.Type;
import java.util.List;
import java.util.Optional;

/**
 * The format of a tracepoint's record, from the {@code format} file in tracefs.
 *
 * @param category the directory of tracefs
 * @param event in the category
 * @param id the id for perf_event_open(2)
 * @param fields in the file's order, {@code common_} fields first
 */
public record TracepointFormat(String category, String event, int id, List<Field> fields) {
  /**
   * A field of the record.
   *
   * @param name as the format file has it
   * @param type pointers have a void target; {@code __data_loc} fields are 32-bit data locations
   * @param offset bytes from the start of the record
   * @param declared what the type does not say: the enumeration, that a number is a {@code size_t}
   *     or {@code ssize_t}, or the target of a pointer to a structure or to a pointer
   */
  public record Field(String name, Type type, int offset, Optional<TypeName> declared) {
    /**
     * A field whose type says all.
     *
     * @param name as the format file has it
     * @param type of the field
     * @param offset bytes from the start of the record
     */
    public Field(String name, Type type, int offset) {
      this(name, type, offset, Optional.empty());
    }
  }

  /** Copies the fields. */
  public TracepointFormat {
    fields = List.copyOf(fields);
  }

  /**
   * {@return the field of this name}
   *
   * @param name as the format file has it
   */
  public Optional<Field> field(String name) {
    return fields.stream().filter(field -> field.name().equals(name)).findFirst();
  }

  /** {@return the size of the record's fixed part in bytes} */
  public int size() {
    return fields.stream().mapToInt(field -> field.offset() + field.type().size()).max().orElse(0);
  }
}
