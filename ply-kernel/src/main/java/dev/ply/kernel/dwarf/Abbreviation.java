package dev.ply.kernel.dwarf;

import dev.ply.kernel.untrusted.Allowance;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The shape that many entries share: DWARF 5, section 7.5.3.
 *
 * @param hasChildren whether entries of this shape contain others
 */
record Abbreviation(int tag, boolean hasChildren, List<Attribute> attributes) {
  private static final int MOST_ATTRIBUTES = 256;

  /** The heap size of a shape in its table without attributes, and that of an attribute. */
  private static final int SHAPE_BYTES = 160;

  private static final int ATTRIBUTE_BYTES = 40;

  /**
   * An attribute's name and how its value is encoded.
   *
   * @param constant the value itself, of {@link Dwarf#FORM_IMPLICIT}
   */
  record Attribute(int name, int form, long constant) {}

  Abbreviation {
    attributes = List.copyOf(attributes);
  }

  /**
   * Reads the table at an offset of {@code .debug_abbrev}: shapes by the codes that name them.
   * Their memory is claimed.
   */
  static Map<Long, Abbreviation> table(ByteBuffer section, long offset, Allowance allowance)
      throws IOException {
    DwarfCursor bytes = DwarfCursor.of(section);
    bytes.skip(offset);
    Map<Long, Abbreviation> table = new HashMap<>();
    for (long code = bytes.uleb(); code != 0; code = bytes.uleb()) {
      int tag = (int) bytes.uleb();
      boolean hasChildren = bytes.unsignedByte() != 0;
      List<Attribute> attributes = attributes(bytes);
      // Few attributes are read before they are counted.
      allowance.claim(SHAPE_BYTES + (long) ATTRIBUTE_BYTES * attributes.size());
      table.put(code, new Abbreviation(tag, hasChildren, attributes));
    }
    return table;
  }

  private static List<Attribute> attributes(DwarfCursor bytes) throws BadDwarfException {
    List<Attribute> attributes = new ArrayList<>();
    while (true) {
      int name = (int) bytes.uleb();
      int form = (int) bytes.uleb();
      long constant = form == Dwarf.FORM_IMPLICIT ? bytes.sleb() : 0;
      if (name == 0 && form == 0) {
        return attributes;
      }
      if (attributes.size() == MOST_ATTRIBUTES) {
        throw new BadDwarfException("an entry of more than " + MOST_ATTRIBUTES + " attributes");
      }
      attributes.add(new Attribute(name, form, constant));
    }
  }
}
