package dev.ply.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Runs ply, and then prints the most memory that the process had, in MiB. */
final class MeasuredPly {
  private MeasuredPly() {}

  /** Exits with ply's status. */
  public static void main(String[] arguments) throws IOException {
    int status = new Ply(InputStream.nullInputStream(), System.out, System.err).run(arguments);
    System.out.flush();
    String most =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("VmHWM:"))
            .findFirst()
            .orElseThrow();
    System.out.println(Integer.parseInt(most.replaceAll("\\D", "")) >> 10);
    System.exit(status);
  }
}
