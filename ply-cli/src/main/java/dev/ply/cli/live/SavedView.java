package dev.ply.cli.live;

import dev.ply.cli.live.model.EventLog;
import dev.ply.kernel.RunningKernel;
import dev.ply.layout.Layout;
import dev.ply.result.Result;
import dev.ply.table.NamedTable;
import dev.ply.text.TextBuffer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A snapshot in a file: the maps as they are printed at the end, and the newest events. */
final class SavedView {
  private static final String NAME = "yyyyMMdd-HHmmss-SSS";

  private SavedView() {}

  /**
   * Writes a new file of the working directory, which only its owner can read; returns a message.
   */
  static String save(List<NamedTable> maps, EventLog log) {
    String time =
        DateTimeFormatter.ofPattern(NAME, Locale.ROOT)
            .format(LocalDateTime.now(ZoneId.systemDefault()));
    Path file = Path.of("ply-live-" + time + ".txt");
    // Opened once: in a directory of somebody else, another file could have the name then.
    try (OutputStream out =
        Channels.newOutputStream(
            Files.newByteChannel(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(
                    PosixFilePermissions.fromString("rw-------"))))) {
      TextBuffer text = new TextBuffer();
      boolean unused =
          Layout.PLY
              .on(new RunningKernel())
              .render(text, new Result.Snapshot(maps, Result.Occasion.FINAL));
      text.writeTo(out);
      for (String line : log.newest(EventLog.MOST_LINES)) {
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      }
      return "saved to " + file;
    } catch (IOException e) {
      return "not saved: " + file + " cannot be written: " + e.getMessage();
    }
  }
}
