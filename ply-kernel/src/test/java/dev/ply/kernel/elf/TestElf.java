package dev.ply.kernel.elf;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes small ELF files: a segment of code that is loaded 0x1000 above its offset, one of data, and
 * sections.
 */
public final class TestElf {
  /** Where the code is in the file. */
  public static final int CODE_OFFSET = 0x1000;

  /** Where the code is loaded. */
  public static final int CODE_ADDRESS = 0x2000;

  private static final int CODE_SIZE = 0x1000;

  private final ByteOrder order;
  private final List<Section> sections = new ArrayList<>();

  private record Section(String name, int type, long address, ByteBuffer content, int link) {
    Section(String name, int type, long address, byte[] content, int link) {
      this(name, type, address, ByteBuffer.wrap(content), link);
    }
  }

  /** A function of the file that is made. */
  public record Function(String name, long address, long size, int type, int version) {
    /** An ordinary function. */
    public Function(String name, long address, long size) {
      this(name, address, size, 2, 1);
    }
  }

  public TestElf(ByteOrder order) {
    this.order = order;
    sections.add(new Section("", 0, 0, new byte[0], 0));
  }

  /** Adds a symbol table, type 2, or exports, type 11 with their versions. */
  public TestElf symbols(int type, Function... functions) throws IOException {
    ByteArrayOutputStream names = new ByteArrayOutputStream();
    names.write(0);
    ByteBuffer table = ByteBuffer.allocate(24 * (functions.length + 1)).order(order);
    ByteBuffer versions = ByteBuffer.allocate(2 * (functions.length + 1)).order(order);
    for (int i = 0; i < functions.length; i++) {
      int at = 24 * (i + 1);
      table.putInt(at, names.size());
      table.put(at + 4, (byte) (0x10 | functions[i].type()));
      table.putShort(at + 6, (short) 1);
      table.putLong(at + 8, functions[i].address());
      table.putLong(at + 16, functions[i].size());
      versions.putShort(2 * (i + 1), (short) functions[i].version());
      names.write((functions[i].name() + "\0").getBytes(StandardCharsets.UTF_8));
    }
    sections.add(
        new Section(
            type == 2 ? ".symtab" : ".dynsym", type, 0, table.array(), sections.size() + 1));
    sections.add(new Section(".strtab", 3, 0, names.toByteArray(), 0));
    if (type == 11) {
      sections.add(new Section(".gnu.version", 0x6fffffff, 0, versions.array(), 0));
    }
    return this;
  }

  /** Adds a symbol table of functions, all of one size, whose names begin at offsets of a text. */
  public TestElf symbols(long[] addresses, long size, int[] nameOffsets, byte[] names) {
    ByteBuffer table = ByteBuffer.allocate(24 * addresses.length).order(order);
    for (int i = 0; i < addresses.length; i++) {
      int at = 24 * i;
      table.putInt(at, nameOffsets[i]).put(at + 4, (byte) 0x12).putShort(at + 6, (short) 1);
      table.putLong(at + 8, addresses[i]).putLong(at + 16, size);
    }
    sections.add(new Section(".symtab", 2, 0, table.array(), sections.size() + 1));
    sections.add(new Section(".strtab", 3, 0, names, 0));
    return this;
  }

  /** Adds a section of notes with one of them. */
  public TestElf note(String section, String owner, int type, byte[] description) {
    int name = (owner.length() + 4) & ~3;
    ByteBuffer note = ByteBuffer.allocate(12 + name + ((description.length + 3) & ~3)).order(order);
    note.putInt(0, owner.length() + 1).putInt(4, description.length).putInt(8, type);
    note.put(12, owner.getBytes(StandardCharsets.US_ASCII));
    note.put(12 + name, description);
    return section(section, 7, 0, note.array());
  }

  /** Adds a section. */
  public TestElf section(String name, int type, long address, byte[] content) {
    sections.add(new Section(name, type, address, content, 0));
    return this;
  }

  /** Writes the file. */
  public Path write(Path file) throws IOException {
    ByteArrayOutputStream names = new ByteArrayOutputStream();
    int[] nameOffsets = new int[sections.size() + 1];
    sections.add(new Section(".shstrtab", 3, 0, new byte[0], 0));
    for (int i = 0; i < sections.size(); i++) {
      nameOffsets[i] = names.size();
      names.write((sections.get(i).name() + "\0").getBytes(StandardCharsets.US_ASCII));
    }
    int last = sections.size() - 1;
    sections.set(last, new Section(".shstrtab", 3, 0, names.toByteArray(), 0));
    int size = sections.stream().mapToInt(section -> section.content().limit() + 8).sum();
    int start = 2 * CODE_OFFSET;
    ByteBuffer bytes = ByteBuffer.allocate(start + size + 64 * sections.size()).order(order);
    int headers = start + size;
    header(bytes, headers);
    int at = start;
    for (int i = 0; i < sections.size(); i++) {
      Section section = sections.get(i);
      at = (at + 7) & ~7;
      bytes.put(at, section.content(), 0, section.content().limit());
      int entry = headers + 64 * i;
      bytes.putInt(entry, nameOffsets[i]).putInt(entry + 4, section.type());
      bytes.putLong(entry + 16, section.address());
      bytes.putLong(entry + 24, at).putLong(entry + 32, section.content().limit());
      bytes.putInt(entry + 40, section.link());
      at += section.content().limit();
    }
    return Files.write(file, bytes.array());
  }

  private void header(ByteBuffer bytes, int headers) {
    bytes.put(0, new byte[] {0x7f, 'E', 'L', 'F', 2});
    bytes.put(5, (byte) (order == ByteOrder.LITTLE_ENDIAN ? 1 : 2));
    bytes.putShort(16, (short) 3).putShort(18, (short) 62);
    bytes.putLong(32, 64).putLong(40, headers);
    bytes.putShort(54, (short) 56).putShort(56, (short) 2);
    bytes.putShort(58, (short) 64).putShort(60, (short) sections.size());
    bytes.putShort(62, (short) (sections.size() - 1));
    segment(bytes, 64, 5, CODE_OFFSET, CODE_ADDRESS);
    segment(bytes, 120, 6, 0, 0x10000);
  }

  private static void segment(ByteBuffer bytes, int at, int flags, long offset, long address) {
    bytes.putInt(at, 1).putInt(at + 4, flags);
    bytes.putLong(at + 8, offset).putLong(at + 16, address);
    bytes.putLong(at + 32, CODE_SIZE).putLong(at + 40, CODE_SIZE);
  }
}
