package dev.ply.cli;

import dev.ply.type.TextBytes;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Answers many calls of the command in one process, since most of a short call's time is the start
 * of Java. {@code src/test/differential/together} starts it, and has the script that asks it.
 */
public final class Together {
  private Together() {}

  /**
   * Reads requests until it is killed: lines of who asks, a process that has the call's standard
   * streams as descriptors 3 to 5, and of a directory with its {@code arguments}, each ended by a
   * NUL, and a FIFO for the exit {@code status}.
   *
   * @param arguments the FIFO of the requests
   */
  public static void main(String... arguments) throws IOException {
    // For both, or it would end with the first who asks.
    try (RandomAccessFile requests = new RandomAccessFile(arguments[0], "rw");
        BufferedReader reader =
            new BufferedReader(
                new InputStreamReader(
                    new FileInputStream(requests.getFD()), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        String[] words = line.split(" ", 2);
        if (words.length < 2) {
          throw new IOException("a request is a process and a directory, not \"" + line + "\"");
        }
        Path streams = Path.of("/proc", words[0], "fd");
        Path directory = Path.of(words[1]);
        Thread thread = new Thread(() -> answer(streams, directory));
        thread.setDaemon(true);
        thread.start();
      }
    }
  }

  private static void answer(Path streams, Path directory) {
    try {
      // Exit statuses have eight bits.
      int status = call(streams, arguments(directory.resolve("arguments"))) & 0xff;
      Files.writeString(directory.resolve("status"), status + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int call(Path streams, String... arguments) throws IOException {
    try (InputStream input = Files.newInputStream(streams.resolve("3"));
        OutputStream output = new FileOutputStream(streams.resolve("4").toFile(), true);
        OutputStream errors = new FileOutputStream(streams.resolve("5").toFile(), true)) {
      return new Ply(input, output, errors).run(arguments);
    }
  }

  private static String[] arguments(Path file) throws IOException {
    List<String> all = Arrays.asList(TextBytes.decode(Files.readAllBytes(file)).split("\0", -1));
    return all.subList(0, all.size() - 1).toArray(String[]::new);
  }
}
