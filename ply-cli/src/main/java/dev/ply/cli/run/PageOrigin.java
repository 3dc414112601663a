package dev.ply.cli.run;

import dev.ply.diagnostic.Source;
import dev.ply.export.PageRenderer;
import dev.ply.type.TextBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Where a trace comes from, for the head of its page. */
public final class PageOrigin {
  /** The program that the words of the command line follow. */
  private static final String PROGRAM = "dev.ply.cli.Ply";

  private PageOrigin() {}

  /** Returns the origin of a trace of this process. */
  public static PageRenderer.Origin of(Source source) {
    return new PageRenderer.Origin(
        command(read("/proc/self/cmdline")),
        source.text().strip(),
        read("/proc/sys/kernel/hostname").strip(),
        read("/proc/sys/kernel/osrelease").strip());
  }

  /** Returns the words of a process's command line as a shell reads them, empty if unknown. */
  static String command(String commandLine) {
    List<String> words = Arrays.asList(commandLine.split("\0"));
    int program = words.indexOf(PROGRAM);
    return program < 0
        ? ""
        : "ply "
            + words.subList(program + 1, words.size()).stream()
                .map(PageOrigin::quoted)
                .collect(Collectors.joining(" "));
  }

  private static String quoted(String word) {
    return word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  private static String read(String file) {
    try {
      return TextBytes.decode(Files.readAllBytes(Path.of(file)));
    } catch (IOException e) {
      // A page without it is better than none.
      return "";
    }
  }
}
