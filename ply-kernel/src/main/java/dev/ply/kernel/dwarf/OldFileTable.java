package dev.ply.kernel.dwarf;

import java.util.Optional;

/**
 * Tables of DWARF 2 to 4: strings, each table up to an empty one. Files and directories count from
 * 1; directory 0 is that of the build, which only {@code .debug_info} has.
 */
record OldFileTable(DwarfCursor tables) implements FileNames {
  @Override
  public Optional<String> path(long file) throws BadDwarfException {
    DwarfCursor at = tables.copy();
    while (!at.string().isEmpty()) {
      // Directories are read again when one is known to be needed.
    }
    for (long number = 1; ; number++) {
      DwarfString name = at.string();
      if (name.isEmpty()) {
        return Optional.empty();
      }
      long directory = at.uleb();
      // Time and size.
      long unusedTime = at.uleb();
      long unusedSize = at.uleb();
      if (number == file) {
        return Optional.of(FileNames.join(directory(directory), name.text()));
      }
    }
  }

  private String directory(long wanted) throws BadDwarfException {
    DwarfCursor at = tables.copy();
    long number = 1;
    for (DwarfString name = at.string(); wanted > 0 && !name.isEmpty(); name = at.string()) {
      if (number++ == wanted) {
        return name.text();
      }
    }
    return "";
  }

  @Override
  public boolean areInStrings() {
    return false;
  }
}
