package dev.ply.render;

import dev.ply.table.Datum;
import dev.ply.table.DatumFormat;
import dev.ply.table.NamedTable;
import dev.ply.text.PrintfFormat;
import dev.ply.text.TextBuffer;
import java.util.List;

/** The layout of ply. */
public record PlyFormat(DatumFormat values) implements LineFormat {
  /** ply writes the format verbatim, {@code %%} too. */
  @Override
  public String withoutArguments(PrintfFormat format) {
    return format.toString();
  }

  @Override
  public void appendMap(TextBuffer out, NamedTable map) {
    values.append(out, new Datum.Dump(map));
    out.append('\n');
  }

  @Override
  public void appendMaps(TextBuffer out, List<NamedTable> maps) {
    for (NamedTable map : maps) {
      values.append(out, new Datum.Dump(map));
    }
  }
}
