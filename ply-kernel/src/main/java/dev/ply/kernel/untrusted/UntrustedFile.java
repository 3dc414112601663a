package dev.ply.kernel.untrusted;

import dev.ply.kernel.sys.FileCalls;
import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.sys.NativeMemory;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A regular file that an untrusted user may have written, open for reading. The file that was
 * opened is the one checked and read, even if its path changes: FIFOs and devices never block, and
 * files with a lease are refused. Not thread-safe.
 */
public final class UntrustedFile implements AutoCloseable {
  private static final int CHUNK = 1 << 16;
  private static final NativeMemory NONE = NativeMemory.allocate(0);

  private final Path path;
  private final FileDescriptor descriptor;
  private final FileFacts facts;
  private final Allowance allowance;
  private NativeMemory chunk = NONE;

  private UntrustedFile(
      Path path, FileDescriptor descriptor, FileFacts facts, Allowance allowance) {
    this.path = path;
    this.descriptor = descriptor;
    this.facts = facts;
    this.allowance = allowance;
  }

  /**
   * Opens a file for reading within a budget.
   *
   * @throws NotRegularFileException if it is a directory, FIFO, device or socket
   */
  public static UntrustedFile open(Path path, UntrustedPath.Links links, ReadBudget budget)
      throws IOException {
    return open(path, links, budget::allowance);
  }

  /** Opens a file that this one refers to, on the account of whoever wrote this one. */
  public UntrustedFile openNamed(Path other, UntrustedPath.Links links) throws IOException {
    return open(other, links, allowance::other);
  }

  /** Opens the same file once more, whatever its path leads to now, with nothing claimed. */
  public UntrustedFile again(ReadBudget budget) throws IOException {
    return open(FileCalls.path(descriptor), UntrustedPath.Links.FOLLOWED, budget);
  }

  /** Starts the reading of a file, by whether it is root's. */
  private interface Meter {
    Allowance allowance(boolean isOfRoot);
  }

  private static UntrustedFile open(Path path, UntrustedPath.Links links, Meter meter)
      throws IOException {
    try (UntrustedPath inspected = UntrustedPath.open(path, links)) {
      FileFacts facts = inspected.facts();
      if (!facts.isRegular()) {
        throw new NotRegularFileException(path);
      }
      FileDescriptor opened = inspected.openFile();
      return new UntrustedFile(path, opened, facts, meter.allowance(facts.isOfRoot()));
    }
  }

  /** Returns the path it was opened by. */
  public Path path() {
    return path;
  }

  /** Returns its status at opening. */
  public FileFacts facts() {
    return facts;
  }

  /** Returns its share of the budget. */
  public Allowance allowance() {
    return allowance;
  }

  /**
   * Reads exactly {@code size} bytes. Large reads are to be claimed first.
   *
   * @throws EOFException if the file is shorter
   * @throws BudgetExceededException if time is up
   */
  public ByteBuffer read(long offset, int size) throws IOException {
    if (offset < 0 || offset > facts.size() - size) {
      throw new EOFException(path + " ends before offset " + offset);
    }
    byte[] bytes = new byte[size];
    int done = 0;
    while (done < size) {
      int read = readChunk(offset + done, bytes, done);
      if (read == 0) {
        throw new EOFException(path + " was cut while it was read");
      }
      done += read;
    }
    return ByteBuffer.wrap(bytes);
  }

  /**
   * Returns the first {@code limit} bytes, or all if there are fewer. Reads files of {@code /proc},
   * whose size is unknown, too.
   *
   * @throws BudgetExceededException if time or memory is up
   */
  public byte[] readStart(int limit) throws IOException {
    ByteArrayOutputStream start = new ByteArrayOutputStream();
    byte[] buffer = new byte[Math.min(CHUNK, limit)];
    int read = 1;
    while (start.size() < limit && read > 0) {
      read = readChunk(start.size(), buffer, 0);
      allowance.claim(read);
      start.write(buffer, 0, Math.min(read, limit - start.size()));
    }
    return start.toByteArray();
  }

  private int readChunk(long offset, byte[] bytes, int at) throws IOException {
    int size = Math.min(CHUNK, bytes.length - at);
    if (chunk.size() < size) {
      chunk = NativeMemory.allocate(size);
    }
    int read = FileCalls.read(descriptor, chunk, size, offset);
    chunk.bytes().get(0, bytes, at, read);
    if (read == CHUNK) {
      allowance.requireTime();
    }
    return read;
  }

  @Override
  public void close() {
    chunk = NONE;
    allowance.close();
    descriptor.close();
  }
}
