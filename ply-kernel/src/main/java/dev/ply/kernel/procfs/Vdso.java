package dev.ply.kernel.procfs;

import dev.ply.kernel.procfs.ProcessMaps.Mapping;
import dev.ply.kernel.sys.FileCalls;
import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.untrusted.Allowance;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.untrusted.UntrustedFile;
import dev.ply.kernel.untrusted.UntrustedPath.Links;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;

/**
 * The library that the kernel maps into each process ({@code vdso(7)}). All 64-bit processes have
 * the same: it is copied from this one, once, into a file in memory, so that it is read as any
 * library. Thread-safe.
 */
public final class Vdso {
  /** How the kernel names it among mappings; no file can have this name. */
  private static final String NAME = "[vdso]";

  private static final int MOST_BYTES = 1 << 20;
  private static final Duration READING = Duration.ofSeconds(1);

  /** The processes of other word sizes have another library below. */
  private static final long LOWEST = 1L << 32;

  private Vdso() {}

  /** The copy, made on first use, and kept: what is known of files is found by their inode. */
  private static final class Copy {
    static final Optional<Copy> OWN = copy();

    private final long size;
    private final FileDescriptor file;

    private Copy(long size, FileDescriptor file) {
      this.size = size;
      this.file = file;
    }

    private static Optional<Copy> copy() {
      try (Allowance allowance = ReadBudget.of(READING).allowance(true);
          InputStream maps = Files.newInputStream(Path.of("/proc/self/maps"));
          FileChannel memory =
              FileChannel.open(Path.of("/proc/self/mem"), StandardOpenOption.READ)) {
        Optional<Mapping> own =
            ProcessMaps.read(maps, allowance).stream().filter(Vdso::canBe).findFirst();
        allowance.release();
        return own.isEmpty() ? Optional.empty() : Optional.of(copy(own.get(), memory));
      } catch (IOException e) {
        // Its frames have no names, and are walked by frame pointers.
        return Optional.empty();
      }
    }

    private static Copy copy(Mapping own, FileChannel memory) throws IOException {
      int size = (int) (own.end() - own.start());
      byte[] content = new byte[size];
      if (memory.read(ByteBuffer.wrap(content), own.start()) != size) {
        throw new IOException(NAME + " cannot be read");
      }
      return new Copy(size, FileCalls.inMemory(NAME, content));
    }
  }

  private static boolean canBe(Mapping mapping) {
    return mapping.name().equals(NAME)
        && mapping.offset() == 0
        && Long.compareUnsigned(mapping.start(), LOWEST) > 0
        && mapping.end() - mapping.start() <= MOST_BYTES;
  }

  /** Returns whether a mapping of a process is this library, as a whole. */
  public static boolean is(Mapping mapping) {
    return canBe(mapping)
        && Copy.OWN.filter(own -> own.size == mapping.end() - mapping.start()).isPresent();
  }

  /**
   * Opens the library.
   *
   * @throws IOException if this process has none
   */
  public static UntrustedFile open(ReadBudget budget) throws IOException {
    FileDescriptor file = Copy.OWN.orElseThrow(() -> new IOException("no " + NAME)).file;
    return UntrustedFile.open(FileCalls.path(file), Links.FOLLOWED, budget);
  }
}
