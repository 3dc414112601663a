package dev.ply.target;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Integer constants of the kernel's and the C library's headers on x86-64: {@code AF_INET}, {@code
 * EPERM}, {@code O_CREAT}, {@code TASK_RUNNING}.
 *
 * <p>BTF has enumerators, but no macros; these come from a table that {@code
 * src/build/header-constants} generates from Debian's headers. It is read when first queried.
 * Thread-safe.
 */
public final class HeaderConstants {
  private HeaderConstants() {}

  /**
   * The table as a string, loaded with this class: a newline before each name, a space after it.
   */
  private static final class Table {
    static final String LINES = read();

    private static String read() {
      try (InputStream in = HeaderConstants.class.getResourceAsStream("header-constants.txt")) {
        if (in == null) {
          throw new IllegalStateException("header-constants.txt is missing from ply-core");
        }
        return '\n' + new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * {@return the value of a macro or enumerator; empty if no header defines it}
   *
   * @param name of any form
   */
  public static OptionalLong value(String name) {
    int start = Table.LINES.indexOf('\n' + name + ' ');
    if (start < 0) {
      return OptionalLong.empty();
    }
    int number = start + name.length() + 2;
    return OptionalLong.of(
        Long.parseLong(Table.LINES, number, Table.LINES.indexOf('\n', number), 10));
  }

  /** {@return all names, in alphabetical order} */
  public static Stream<String> names() {
    return Table.LINES
        .lines()
        .filter(line -> !line.isEmpty() && line.charAt(0) != '#')
        .map(line -> line.substring(0, line.indexOf(' ')));
  }
}
