package dev.ply.bpf.stream;

import dev.ply.bpf.object.EventSite;
import dev.ply.target.WallClock;
import dev.ply.type.Escapes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The files to which a trace writes packets, by path. Not thread-safe. */
public final class PacketFiles {
  /** No files. */
  public static final PacketFiles NONE = new PacketFiles(WallClock.SINCE_BOOT);

  private final WallClock clock;
  private final Map<String, PacketFile> files = new LinkedHashMap<>();

  private PacketFiles(WallClock clock) {
    this.clock = clock;
  }

  /**
   * Creates the files of a trace.
   *
   * @throws UncheckedIOException if one cannot be created; then all are closed
   */
  public static PacketFiles create(List<EventSite> sites, WallClock clock) {
    PacketFiles created = new PacketFiles(clock);
    for (EventSite site : sites) {
      if (site instanceof EventSite.Packet packet) {
        created.create(packet.path());
      }
    }
    return created;
  }

  private void create(String path) {
    if (files.containsKey(path)) {
      return;
    }
    try {
      files.put(path, PacketFile.create(Path.of(path)));
    } catch (IOException e) {
      close();
      throw failure(path, e);
    } catch (InvalidPathException e) {
      close();
      throw failure(path, new IOException(e.getMessage(), e));
    }
  }

  /** Writes the packet of a record. */
  public void add(EventSite.Packet site, ByteBuffer memory, int start, int length) {
    PacketFile file = files.get(site.path());
    int sent = memory.getInt(start + site.layout().fields().get(1).offset());
    long nanos = memory.getLong(start + site.layout().fields().get(2).offset());
    int header = site.layout().size();
    int kept = Math.min(sent, length - header) - site.offset();
    if (file == null || kept <= 0) {
      return;
    }
    ByteBuffer packet = memory.slice(start + header + site.offset(), kept);
    try {
      file.add(clock.atBootTime(nanos).toInstant(), packet, sent - site.offset());
    } catch (IOException e) {
      throw failure(site.path(), e);
    }
  }

  /** Writes pending packets. */
  public void flush() {
    files.forEach(
        (path, file) -> {
          try {
            file.flush();
          } catch (IOException e) {
            throw failure(path, e);
          }
        });
  }

  /** Closes all files. */
  public void close() {
    for (Map.Entry<String, PacketFile> file : files.entrySet()) {
      try {
        file.getValue().close();
      } catch (IOException e) {
        throw failure(file.getKey(), e);
      }
    }
  }

  private static UncheckedIOException failure(String path, IOException e) {
    String reason =
        e instanceof FileAlreadyExistsException
            ? "another program has created it"
            : e instanceof FileSystemException named && named.getReason() != null
                ? named.getReason()
                : String.valueOf(e.getMessage());
    return new UncheckedIOException("cannot write " + Escapes.escape(path) + ": " + reason, e);
  }
}
