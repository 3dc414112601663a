package dev.ply.bpf.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.bpf.object.EventSite;
import dev.ply.target.WallClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of packets are what pcap-savefile(5) says, and are written to no other place. */
class PacketFilesTest {
  /** Little-endian: magic, version 2.4, two zeroes, 65,535 bytes, LINKTYPE_RAW. */
  private static final String HEADER = "d4c3b2a1 0200 0400 00000000 00000000 ffff0000 65000000 ";

  @TempDir Path directory = Path.of("");

  private static String hex(Path file) throws IOException {
    return HexFormat.of().formatHex(Files.readAllBytes(file));
  }

  private static String digits(String text) {
    return text.replace(" ", "");
  }

  private static void add(PacketFiles files, EventSite.Packet site, int length, int... bytes) {
    ByteBuffer record =
        ByteBuffer.allocate(8 + 16 + bytes.length).order(ByteOrder.LITTLE_ENDIAN).position(8);
    record.putInt(site.id()).putInt(length).putLong(1_000_002_000L);
    for (int next : bytes) {
      record.put((byte) next);
    }
    files.add(site, record, 8, 16 + bytes.length);
  }

  @Test
  void packetsAreWrittenAsReadersExpectThem() throws IOException {
    Path path = directory.resolve("out.pcap");
    EventSite.Packet whole = new EventSite.Packet(0, path.toString(), 0);
    EventSite.Packet inner = new EventSite.Packet(1, path.toString(), 2);
    WallClock clock = WallClock.of(0, 5_000_000_000L, ZoneOffset.UTC);
    PacketFiles files = PacketFiles.create(List.of(whole, inner), clock);
    assertThat(hex(path)).isEqualTo(digits(HEADER));
    add(files, whole, 3, 0x45, 1, 2, 0xff);
    add(files, inner, 4, 9, 9, 0x45, 7);
    // Nothing is left of it, and there is none of the last one.
    add(files, inner, 2, 9, 9);
    add(files, inner, 0);
    // More than fits a record.
    add(files, whole, 1000, 0x45, 6);
    files.flush();
    assertThat(hex(path))
        .isEqualTo(
            digits(
                HEADER
                    + "06000000 02000000 03000000 03000000 450102"
                    + "06000000 02000000 02000000 02000000 4507"
                    + "06000000 02000000 02000000 e8030000 4506"));
    files.close();
  }

  @Test
  void aFileIsReplacedAndALinkNotFollowed() throws IOException {
    Path other = Files.writeString(directory.resolve("other"), "precious");
    Path link = Files.createSymbolicLink(directory.resolve("link"), other);
    Path hard = Files.createLink(directory.resolve("hard"), other);
    for (Path path : List.of(link, hard)) {
      PacketFiles.create(List.of(new EventSite.Packet(0, path.toString(), 0)), WallClock.SINCE_BOOT)
          .close();
      assertThat(hex(path)).isEqualTo(digits(HEADER));
      assertThat(path).isRegularFile();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
          .isEqualTo("rw-------");
    }
    assertThat(other).hasContent("precious");
  }

  @Test
  void whatIsNoFileIsLeftAlone() throws IOException {
    Path folder = directory.resolve("sub");
    Path inside = Files.createDirectories(folder.resolve("inside"));
    Path missing = directory.resolve("missing/file");
    for (String path : List.of(folder.toString(), "/dev/null", missing.toString())) {
      assertThatThrownBy(
              () ->
                  PacketFiles.create(
                      List.of(new EventSite.Packet(0, path, 0)), WallClock.SINCE_BOOT))
          .hasMessageStartingWith("cannot write " + path + ": ");
    }
    assertThat(inside).isDirectory();
  }

  /** A disk that takes some bytes more, and is full then. */
  private record FullDisk(FileChannel file, int capacity) implements SeekableByteChannel {
    @Override
    public int write(ByteBuffer source) throws IOException {
      int room = capacity - (int) file.position();
      if (room == 0) {
        throw new IOException("No space left on device");
      }
      ByteBuffer fits = source.slice().limit(Math.min(room, source.remaining()));
      int written = file.write(fits);
      source.position(source.position() + written);
      return written;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
      return file.read(target);
    }

    @Override
    public long position() throws IOException {
      return file.position();
    }

    @Override
    public SeekableByteChannel position(long position) throws IOException {
      return file.position(position);
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public SeekableByteChannel truncate(long length) throws IOException {
      return file.truncate(length);
    }

    @Override
    public boolean isOpen() {
      return file.isOpen();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  @Test
  void aFullDiskLeavesWholePackets() throws IOException {
    Path path = directory.resolve("full.pcap");
    FileChannel channel =
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try (PacketFile file = PacketFile.on(new FullDisk(channel, 50))) {
      file.add(Instant.EPOCH, ByteBuffer.wrap(new byte[] {0x45}), 1);
      file.flush();
      file.add(Instant.EPOCH, ByteBuffer.wrap(new byte[] {0x46}), 1);
      assertThatThrownBy(file::flush).hasMessage("No space left on device");
    }
    assertThat(hex(path)).isEqualTo(digits(HEADER + "00000000 00000000 01000000 01000000 45"));
  }
}
