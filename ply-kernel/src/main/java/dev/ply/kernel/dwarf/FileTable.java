package dev.ply.kernel.dwarf;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tables of DWARF 5, which describe the format of their entries. Files and directories count from
 * 0; directory 0 is that of the build.
 */
record FileTable(DwarfCursor tables, int offsetSize, DwarfStrings strings) implements FileNames {
  private static final int CONTENT_PATH = 1;
  private static final int CONTENT_DIRECTORY = 2;

  private static final int FORM_DATA2 = 0x05;
  private static final int FORM_DATA4 = 0x06;
  private static final int FORM_DATA8 = 0x07;
  private static final int FORM_STRING = 0x08;
  private static final int FORM_BLOCK = 0x09;
  private static final int FORM_DATA1 = 0x0b;
  private static final int FORM_STRP = 0x0e;
  private static final int FORM_UDATA = 0x0f;
  private static final int FORM_DATA16 = 0x1e;
  private static final int FORM_LINE_STRP = 0x1f;

  /** A field of each entry: what it is, and how it is encoded. */
  private record Field(int content, int form) {}

  private record Entry(DwarfString name, long directory) {
    static final Entry NONE = new Entry(DwarfString.EMPTY, 0);
  }

  @Override
  public Optional<String> path(long file) throws BadDwarfException {
    DwarfCursor at = tables.copy();
    // Directories are read again when one is known to be needed.
    Optional<Entry> unused = entry(at, -1);
    Optional<Entry> found = entry(at, file);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    long number = found.get().directory();
    String directory = directory(number);
    return Optional.of(
        FileNames.join(
            number == 0 ? directory : FileNames.join(directory(0), directory),
            found.get().name().text()));
  }

  private String directory(long number) throws BadDwarfException {
    return entry(tables.copy(), number).orElse(Entry.NONE).name().text();
  }

  /** Reads a table up to an entry; all of it if there is no such entry. */
  private Optional<Entry> entry(DwarfCursor at, long wanted) throws BadDwarfException {
    List<Field> fields = fields(at);
    long count = at.uleb();
    if (fields.isEmpty() && count != 0) {
      throw new BadDwarfException("a table of " + count + " entries of no bytes");
    }
    for (long number = 0; Long.compareUnsigned(number, count) < 0; number++) {
      Entry entry = entry(at, fields);
      if (number == wanted) {
        return Optional.of(entry);
      }
    }
    return Optional.empty();
  }

  private static List<Field> fields(DwarfCursor at) throws BadDwarfException {
    int count = at.unsignedByte();
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      fields.add(new Field((int) at.uleb(), (int) at.uleb()));
    }
    return fields;
  }

  private Entry entry(DwarfCursor at, List<Field> fields) throws BadDwarfException {
    DwarfString name = DwarfString.EMPTY;
    long directory = 0;
    for (Field field : fields) {
      switch (field.form()) {
        case FORM_STRING -> name = named(field, at.string(), name);
        case FORM_LINE_STRP ->
            name =
                named(field, new DwarfString(strings.lineStrings(), at.unsigned(offsetSize)), name);
        case FORM_STRP ->
            name = named(field, new DwarfString(strings.strings(), at.unsigned(offsetSize)), name);
        case FORM_UDATA -> directory = numbered(field, at.uleb(), directory);
        case FORM_DATA1 -> directory = numbered(field, at.unsigned(1), directory);
        case FORM_DATA2 -> directory = numbered(field, at.unsigned(2), directory);
        case FORM_DATA4 -> directory = numbered(field, at.unsigned(4), directory);
        case FORM_DATA8 -> directory = numbered(field, at.unsigned(8), directory);
        case FORM_DATA16 -> at.skip(16);
        case FORM_BLOCK -> at.skip(at.uleb());
        default -> throw new BadDwarfException("a file table with form " + field.form());
      }
    }
    return new Entry(name, directory);
  }

  private static DwarfString named(Field field, DwarfString value, DwarfString name) {
    return field.content() == CONTENT_PATH ? value : name;
  }

  private static long numbered(Field field, long value, long directory) {
    return field.content() == CONTENT_DIRECTORY ? value : directory;
  }

  @Override
  public boolean areInStrings() throws BadDwarfException {
    DwarfCursor at = tables.copy();
    boolean directories = fields(at).stream().anyMatch(field -> field.form() == FORM_STRP);
    if (directories) {
      return true;
    }
    at = tables.copy();
    Optional<Entry> unused = entry(at, -1);
    return fields(at).stream().anyMatch(field -> field.form() == FORM_STRP);
  }
}
