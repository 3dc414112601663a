package dev.ply.cli;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** A call of the command in this process, and what it wrote. */
public record Call(int status, String output, String errors) {
  public static Call ply(String... arguments) {
    return ply(InputStream.nullInputStream(), arguments);
  }

  public static Call ply(InputStream input, String... arguments) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    int status = new Ply(input, output, errors).run(arguments);
    return new Call(
        status, output.toString(StandardCharsets.UTF_8), errors.toString(StandardCharsets.UTF_8));
  }
}
