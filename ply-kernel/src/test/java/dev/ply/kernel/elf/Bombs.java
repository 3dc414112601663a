package dev.ply.kernel.elf;

import dev.ply.kernel.dwarf.LineBytes;
import dev.ply.kernel.elf.TestElf.Function;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.Deflater;

/**
 * Makes small ELF files that are large in memory: each is a library with one function, {@code
 * bomb}, and little on disk.
 */
public final class Bombs {
  private static final int COMPRESSED = 0x800;
  private static final int SECTION_HEADER = 64;
  private static final int SHAPES = 16_000;
  private static final int ATTRIBUTES = 255;
  private static final int NAMES = 54 << 20;
  private static final int ZEROS = 20 << 20;

  private Bombs() {}

  /**
   * Has the function count down a number for x86-64, in a file.
   *
   * @param count up to 2³¹
   */
  public static void fill(Path file, int count) throws IOException {
    ByteBuffer code = ByteBuffer.allocate(10).order(ByteOrder.LITTLE_ENDIAN);
    // mov $count, %ecx; dec %ecx; jnz -4; ret
    code.put((byte) 0xb9)
        .putInt(count)
        .put(new byte[] {(byte) 0xff, (byte) 0xc9, 0x75, (byte) 0xfc});
    code.put((byte) 0xc3);
    try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
      opened.seek(TestElf.CODE_OFFSET);
      opened.write(code.array());
    }
  }

  /** Writes one of each into a directory; returns them by what is large. */
  public static Map<String, Path> all(Path directory) throws IOException {
    Map<String, Path> bombs = new LinkedHashMap<>();
    bombs.put("section-names", sectionNames(directory.resolve("section-names")));
    bombs.put("section-headers", sectionHeaders(directory.resolve("section-headers")));
    bombs.put("shapes", shapes(directory.resolve("shapes")));
    bombs.put("names", names(directory.resolve("names")));
    bombs.put("units", zeros(directory.resolve("units"), ".debug_info"));
    bombs.put("lines", zeros(directory.resolve("lines"), ".debug_line"));
    bombs.put("notes", notes(directory.resolve("notes")));
    bombs.put("type-units", typeUnits(directory.resolve("type-units")));
    return bombs;
  }

  private static TestElf elf() throws IOException {
    return new TestElf(ByteOrder.LITTLE_ENDIAN)
        .symbols(2, new Function("bomb", TestElf.CODE_ADDRESS, 16));
  }

  /** A megabyte of names of sections, all of it a hole. */
  public static Path sectionNames(Path file) throws IOException {
    Path written = elf().write(file);
    patch(
        written,
        bytes -> {
          int names = header(bytes, Short.toUnsignedInt(bytes.getShort(62)));
          bytes.putLong(names + 24, 1 << 20).putLong(names + 32, 1 << 20);
        });
    return cut(written, 2 << 20);
  }

  /** As many sections as are read, all but the first of them a hole. */
  public static Path sectionHeaders(Path file) throws IOException {
    Path written = elf().write(file);
    patch(
        written,
        bytes -> {
          // More sections than the header can count: the first one has their number.
          bytes.putShort(60, (short) 0);
          bytes.putLong(header(bytes, 0) + 32, 1 << 16);
        });
    return cut(written, (1L << 16) * SECTION_HEADER + (1 << 20));
  }

  /** Entries of 255 attributes, of thousands of shapes. */
  public static Path shapes(Path file) throws IOException {
    LineBytes shapes = new LineBytes();
    for (int i = 1; i <= SHAPES; i++) {
      // The code, a function without children, and its attributes: names, each a byte.
      shapes.add(0x80 | (i & 0x7f), 0x80 | (i >> 7 & 0x7f), i >> 14, 0x2e, 0);
      for (int j = 0; j < ATTRIBUTES; j++) {
        shapes.add(3, 0x0b);
      }
      shapes.add(0, 0);
    }
    byte[] unit =
        new LineBytes().number(2, 4).number(4, 0).add(8).add(1).add(new byte[ATTRIBUTES]).toBytes();
    return write(
        file,
        new LineBytes().number(4, unit.length).add(unit).toBytes(),
        Map.of(".debug_abbrev", shapes.add(0).toBytes()));
  }

  private static Path write(Path file, byte[] info, Map<String, byte[]> compressed)
      throws IOException {
    TestElf elf = elf().section(".debug_info", 1, 0, info);
    for (Map.Entry<String, byte[]> section : compressed.entrySet()) {
      elf.section(section.getKey(), 1, 0, deflated(section.getValue()));
    }
    elf.write(file);
    patch(
        file,
        bytes -> {
          // Symbols, names and the plain section come first.
          for (int i = 0; i < compressed.size(); i++) {
            bytes.putLong(header(bytes, 4 + i) + 8, COMPRESSED);
          }
        });
    return file;
  }

  /** A table of names that is all but the first few bytes a hole. */
  public static Path names(Path file) throws IOException {
    Path written = elf().write(file);
    patch(written, bytes -> bytes.putLong(header(bytes, 2) + 32, NAMES));
    return cut(written, NAMES + (1 << 20));
  }

  /** Zeros, compressed. */
  public static Path zeros(Path file, String section) throws IOException {
    elf().section(section, 1, 0, deflated(new byte[ZEROS])).write(file);
    patch(file, bytes -> bytes.putLong(header(bytes, 3) + 8, COMPRESSED));
    return file;
  }

  /** Notes of no bytes. */
  public static Path notes(Path file) throws IOException {
    Path written = elf().section(".note.stapsdt", 7, 0, new byte[16]).write(file);
    patch(
        written,
        bytes ->
            bytes.putLong(header(bytes, 3) + 24, 1 << 20).putLong(header(bytes, 3) + 32, 3 << 20));
    return cut(written, 4 << 20);
  }

  /** Units of types, each of which has a number. */
  public static Path typeUnits(Path file) throws IOException {
    int units = 500_000;
    ByteBuffer bytes = ByteBuffer.allocate(24 * units).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < units; i++) {
      bytes.putInt(20).putShort((short) 5).put((byte) 2).put((byte) 8).putInt(0);
      bytes.putLong(i).putInt(23);
    }
    elf().section(".debug_info", 1, 0, deflated(bytes.array())).write(file);
    patch(file, changed -> changed.putLong(header(changed, 3) + 8, COMPRESSED));
    return file;
  }

  private static byte[] deflated(byte[] content) {
    Deflater deflater = new Deflater();
    deflater.setInput(content);
    deflater.finish();
    byte[] deflated = new byte[content.length + 100];
    int size = deflater.deflate(deflated);
    deflater.end();
    return new LineBytes()
        .number(4, 1)
        .number(4, 0)
        .number(8, content.length)
        .number(8, 1)
        .add(Arrays.copyOf(deflated, size))
        .toBytes();
  }

  /** Changes headers of a file that is otherwise right. */
  private static void patch(Path path, java.util.function.Consumer<ByteBuffer> change)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
    change.accept(bytes);
    Files.write(path, bytes.array());
  }

  private static int header(ByteBuffer bytes, int section) {
    return (int) bytes.getLong(40) + SECTION_HEADER * section;
  }

  /** Makes a file that long, with a hole at its end. */
  private static Path cut(Path path, long size) throws IOException {
    try (RandomAccessFile sparse = new RandomAccessFile(path.toFile(), "rw")) {
      sparse.setLength(size);
    }
    return path;
  }
}
