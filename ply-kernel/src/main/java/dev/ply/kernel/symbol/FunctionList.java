package dev.ply.kernel.symbol;

import com.google.common.base.Suppliers;
import dev.ply.kernel.sys.ByteSearch;
import dev.ply.selector.Glob;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * One of the kernel's lists of functions: a line each, with the name after a fixed number of
 * fields, and possibly the module in brackets at the end. The lists have megabytes, of which a
 * pattern matches few lines: they are searched for the pattern's literal part, and only lines that
 * contain it are parsed.
 */
final class FunctionList {
  /** Receives functions. */
  interface Visitor {
    /**
     * Receives a function.
     *
     * @param module empty for vmlinux
     * @param line the offset of its line in the list
     */
    void see(String name, String module, int line);
  }

  /** The usual size of a list. */
  private static final int USUAL_SIZE = 1 << 20;

  /** More than the kernel returns per read; with larger buffers, Java makes another copy. */
  private static final int PIECE = 1 << 13;

  private final byte[] bytes;
  private final String text;
  private final Supplier<ByteSearch> search;
  private final int wordsBefore;
  private final char before;

  /**
   * Creates a list.
   *
   * @param wordsBefore the number of fields before each name
   * @param before the character before each name but the first
   */
  private FunctionList(byte[] text, int wordsBefore, char before) {
    this.bytes = text;
    this.text = new String(text, StandardCharsets.ISO_8859_1);
    this.search = Suppliers.memoize(() -> new ByteSearch(text, new byte[0]));
    this.wordsBefore = wordsBefore;
    this.before = before;
  }

  /** A list of lines such as {@code ext4_sync_file [ext4]}. */
  static FunctionList ofTracer(byte[] text) {
    return new FunctionList(text, 0, '\n');
  }

  /** A list of lines such as {@code ffffffff81000000-ffffffff81000100<tab>vfs_read}. */
  static FunctionList ofBlacklist(byte[] text) {
    return new FunctionList(text, 1, '\t');
  }

  /** A list of lines such as {@code ffffffffc0001000 t ext4_sync_file<tab>[ext4]}. */
  static FunctionList ofKallsyms(byte[] text) {
    return new FunctionList(text, 2, ' ');
  }

  /** Reads a kernel file of unknown size. */
  static byte[] read(Path file) throws IOException {
    try (FileInputStream in = new FileInputStream(file.toFile())) {
      byte[] content = new byte[USUAL_SIZE];
      int end = 0;
      int count = 0;
      while (count >= 0) {
        end += count;
        if (end == content.length) {
          content = Arrays.copyOf(content, 2 * end);
        }
        count = in.read(content, end, Math.min(PIECE, content.length - end));
      }
      return Arrays.copyOf(content, end);
    }
  }

  /** Passes the functions that match a pattern to a visitor; malformed lines are skipped. */
  void visit(Glob wanted, Visitor visitor) {
    // Together with the character before the name, to avoid matches inside names.
    String sought = wanted.prefix().isEmpty() ? wanted.literal() : before + wanted.prefix();
    ByteSearch search = this.search.get().with(sought.getBytes(StandardCharsets.ISO_8859_1));
    int line = 0;
    while (line >= 0) {
      int seen = visitLine(line, wanted, visitor);
      line = next(seen, wanted, search);
    }
  }

  /**
   * Returns the start of the next line that contains the literal or an earlier one; -1 if none
   * does.
   *
   * @param seen an offset within the previous line, or at its end
   */
  private int next(int seen, Glob wanted, ByteSearch search) {
    int end = text.indexOf('\n', seen);
    if (end < 0) {
      return -1;
    }
    // Where the kernel has searched, matches are adjacent.
    if (wordsBefore == 0
        && !wanted.prefix().isEmpty()
        && text.startsWith(wanted.prefix(), end + 1)) {
      return end + 1;
    }
    int found = search.next(end);
    return found < 0 ? -1 : text.lastIndexOf('\n', found) + 1;
  }

  /** Returns an offset in the line before its end. */
  private int visitLine(int line, Glob wanted, Visitor visitor) {
    int begin = line;
    for (int i = 0; i < wordsBefore; i++) {
      int end = endOfWord(begin);
      if (isEnd(end)) {
        return end;
      }
      begin = end + 1;
    }
    if (!text.startsWith(wanted.prefix(), begin)) {
      return begin;
    }
    int end = endOfWord(begin);
    String name = text.substring(begin, end);
    if (!name.isEmpty() && wanted.matches(name)) {
      visitor.see(name, module(end), line);
    }
    return end;
  }

  private String module(int endOfName) {
    if (!text.startsWith("[", endOfName + 1)) {
      return "";
    }
    int begin = endOfName + 2;
    int end = begin;
    while (!isEnd(end) && text.charAt(end) != ']') {
      end++;
    }
    return text.substring(begin, end);
  }

  private int endOfWord(int begin) {
    // Not with String's methods: an interpreted runtime calls them for each character.
    byte[] all = bytes;
    int end = begin;
    while (end < all.length && (all[end] & 0xff) > ' ') {
      end++;
    }
    return end;
  }

  private boolean isEnd(int position) {
    return position >= text.length() || text.charAt(position) == '\n';
  }
}
