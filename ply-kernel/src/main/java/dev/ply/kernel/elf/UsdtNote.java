package dev.ply.kernel.elf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A USDT probe in an ELF file, as described by a note of SystemTap's {@code <sys/sdt.h>}.
 *
 * @param address as in the ELF file
 * @param semaphore the address of the USDT semaphore, 0 for none
 * @param arguments locations of the arguments, in assembler syntax
 */
public record UsdtNote(
    String provider, String name, long address, long semaphore, String arguments) {
  private static final String SECTION = ".note.stapsdt";
  private static final String BASE = ".stapsdt.base";
  private static final String OWNER = "stapsdt";
  private static final int TYPE = 3;

  /** The maximum length of a provider, a name or the arguments. */
  private static final int LONGEST_TEXT = 1024;

  /** The heap size of a probe without the characters of its texts. */
  private static final int BYTES = 240;

  /** Returns the USDT probes of a file, in file order; their memory is claimed. */
  public static List<UsdtNote> all(ElfFile file) throws IOException {
    Optional<ElfSection> section = file.section(SECTION);
    List<UsdtNote> marks = new ArrayList<>();
    if (section.isPresent()) {
      long base = file.section(BASE).map(ElfSection::address).orElse(0L);
      long before = file.allowance().claimed();
      List<ElfNote> notes = ElfNote.all(file, section.get());
      long ofNotes = file.allowance().claimed() - before;
      for (ElfNote note : notes) {
        if (note.owner().equals(OWNER) && note.type() == TYPE) {
          Optional<UsdtNote> mark = read(file, note, base);
          file.allowance().claim(mark.map(UsdtNote::heapBytes).orElse(0L));
          mark.ifPresent(marks::add);
        }
      }
      file.allowance().release(ofNotes);
    }
    return marks;
  }

  private long heapBytes() {
    return BYTES + 2L * (provider.length() + name.length() + arguments.length());
  }

  /** In a prelinked file, the base address shows by how much addresses were changed. */
  private static Optional<UsdtNote> read(ElfFile file, ElfNote note, long base) {
    ByteBuffer bytes = note.description();
    int word = file.is64() ? Long.BYTES : Integer.BYTES;
    if (bytes.limit() < 3 * word) {
      return Optional.empty();
    }
    long moved = base == 0 ? 0 : base - file.word(bytes, word);
    long semaphore = file.word(bytes, 2 * word);
    int at = 3 * word;
    String provider = ElfFile.text(bytes, at, LONGEST_TEXT);
    String name = ElfFile.text(bytes, at + provider.length() + 1, LONGEST_TEXT);
    String arguments =
        ElfFile.text(bytes, at + provider.length() + name.length() + 2, LONGEST_TEXT);
    if (Math.max(provider.length(), Math.max(name.length(), arguments.length())) >= LONGEST_TEXT) {
      return Optional.empty();
    }
    return Optional.of(
        new UsdtNote(
            provider,
            name,
            file.word(bytes, 0) + moved,
            semaphore == 0 ? 0 : semaphore + moved,
            arguments));
  }
}
