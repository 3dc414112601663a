package dev.ply.cli.input;

import dev.ply.type.TextBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The bytes of this process's arguments. Java decodes arguments by the locale, which loses invalid
 * bytes.
 */
public final class RawArguments {
  private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");
  private static final int ASCII = 0x80;

  private RawArguments() {}

  /** Returns the arguments of {@code main} decoded by {@link TextBytes}, without loss. */
  public static String[] decode(String... decoded) {
    try {
      return decode(Files.readAllBytes(COMMAND_LINE), decoded);
    } catch (IOException e) {
      // The procfs files of a program with file capabilities belong to other users.
      return decoded;
    }
  }

  /** The same, given the process's command line, which ends with the arguments. */
  public static String[] decode(byte[] commandLine, String... decoded) {
    List<String> all = List.of(TextBytes.decode(commandLine).split("\0", -1));
    // A NUL ends each argument, also the last.
    int end = all.size() - 1;
    int begin = end - decoded.length;
    if (begin < 0) {
      return decoded;
    }
    String[] raw = all.subList(begin, end).toArray(String[]::new);
    return isSame(raw, decoded) ? raw : decoded;
  }

  /**
   * Returns whether {@code decoded} are these arguments, rather than those of an in-process caller.
   */
  private static boolean isSame(String[] raw, String[] decoded) {
    for (int i = 0; i < raw.length; i++) {
      if (isAscii(raw[i]) && !raw[i].equals(decoded[i])) {
        return false;
      }
    }
    return true;
  }

  private static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= ASCII) {
        return false;
      }
    }
    return true;
  }
}
