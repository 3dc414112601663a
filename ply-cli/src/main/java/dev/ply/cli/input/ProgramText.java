package dev.ply.cli.input;

import dev.ply.cli.io.UsageException;
import dev.ply.diagnostic.Source;
import dev.ply.type.TextBytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Finds the program of an operand: a file's content, standard input, or the operand itself. */
public final class ProgramText {
  private static final String UNNAMED = "<input>";
  private static final String STANDARD_INPUT = "-";

  /** The maximum size in bytes; the input could be endless. */
  private static final int LONGEST = 1 << 20;

  /** A byte order mark, which some editors write. */
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private ProgramText() {}

  /**
   * Returns the program of {@code operand}; {@code -} is {@code input}.
   *
   * @throws UsageException if the operand is a file that cannot be read, or looks like one that
   *     does not exist
   */
  public static Source read(String operand, InputStream input) throws UsageException {
    if (operand.equals(STANDARD_INPUT)) {
      return piped(input);
    }
    Path file;
    try {
      file = Path.of(operand);
    } catch (InvalidPathException e) {
      return new Source(UNNAMED, operand);
    }
    if (operand.isEmpty() || !Files.exists(file)) {
      if (looksLikeFile(operand)) {
        throw new UsageException("no such file: " + operand);
      }
      return new Source(UNNAMED, operand);
    }
    return content(operand, file);
  }

  /**
   * Returns the program of a file; {@code -} is {@code input}.
   *
   * @throws UsageException if it cannot be read
   */
  public static Source readFile(String operand, InputStream input) throws UsageException {
    if (operand.equals(STANDARD_INPUT)) {
      return piped(input);
    }
    try {
      Path file = Path.of(operand);
      if (Files.exists(file)) {
        return content(operand, file);
      }
    } catch (InvalidPathException e) {
      throw new UsageException("\"" + operand + "\" cannot be a file's name");
    }
    throw new UsageException(
        "no such file: " + operand + (operand.contains("{") ? " (-e takes a program)" : ""));
  }

  private static Source piped(InputStream input) throws UsageException {
    try {
      return text("<stdin>", input.readNBytes(LONGEST + 1));
    } catch (IOException e) {
      throw new UsageException("standard input cannot be read: " + e.getMessage());
    }
  }

  /**
   * Returns the program of an existing file.
   *
   * @param operand its name in messages
   * @throws UsageException if it cannot be read
   */
  static Source content(String operand, Path file) throws UsageException {
    if (Files.isDirectory(file)) {
      throw new UsageException(operand + " is a directory: name a file with a program");
    }
    if (!Files.isReadable(file)) {
      throw new UsageException(operand + " cannot be read: permission denied");
    }
    try (InputStream content = Files.newInputStream(file)) {
      return text(operand, content.readNBytes(LONGEST + 1));
    } catch (IOException e) {
      throw new UsageException(operand + " cannot be read: " + e.getMessage());
    }
  }

  private static Source text(String name, byte[] bytes) throws UsageException {
    String text = TextBytes.decode(bytes);
    if (text.indexOf('\0') >= 0) {
      throw new UsageException(name + " is not a program: it contains bytes that are not text");
    }
    if (bytes.length > LONGEST) {
      throw new UsageException(name + " is not a program: it is larger than 1 MiB");
    }
    return new Source(name, text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text);
  }

  /**
   * Distinguishes a mistyped file name from a program, in which a slash can follow a provider's
   * colon.
   */
  private static boolean looksLikeFile(String operand) {
    return !operand.contains("{")
        && (operand.endsWith(".ply") || (operand.contains("/") && !operand.contains(":")));
  }
}
