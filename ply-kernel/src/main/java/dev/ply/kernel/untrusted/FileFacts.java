package dev.ply.kernel.untrusted;

import dev.ply.kernel.sys.NativeMemory;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The status of an open file from statx(2).
 *
 * @param owner the UID
 * @param mode type and permissions, {@code st_mode}
 * @param size in bytes
 * @param device major and minor number
 * @param inode unique on the device
 * @param changed {@code st_ctime} in ns: the last change of content or attributes
 */
public record FileFacts(int owner, int mode, long size, long device, long inode, long changed) {
  private static final int TYPE_MASK = 0170000;
  private static final int SOCKET = 0140000;
  private static final int LINK = 0120000;
  private static final int REGULAR = 0100000;
  private static final int DIRECTORY = 0040000;

  private static final long SECOND = 1_000_000_000;

  /** Reads a {@code struct statx}. */
  static FileFacts of(NativeMemory statx) {
    return new FileFacts(
        statx.bytes().getInt(20),
        Short.toUnsignedInt(statx.bytes().getShort(28)),
        statx.bytes().getLong(40),
        (long) statx.bytes().getInt(136) << 32 | Integer.toUnsignedLong(statx.bytes().getInt(140)),
        statx.bytes().getLong(32),
        statx.bytes().getLong(96) * SECOND + statx.bytes().getInt(104));
  }

  /**
   * Reads the status of the file at a path, which is not opened.
   *
   * @throws IOException if not found
   */
  public static FileFacts of(Path path) throws IOException {
    try (UntrustedPath inspected = UntrustedPath.open(path, UntrustedPath.Links.FOLLOWED)) {
      return inspected.facts();
    }
  }

  /**
   * Returns whether two paths lead to the same file; not if a program serves its file system.
   *
   * @throws IOException if one leads to none
   */
  public static boolean isSame(Path one, Path other) throws IOException {
    try {
      FileFacts first = of(one);
      FileFacts second = of(other);
      return first.device() == second.device() && first.inode() == second.inode();
    } catch (UnansweringFileException e) {
      return false;
    }
  }

  /** Returns whether a path leads to a regular file. */
  public static boolean isRegular(Path path) {
    try {
      return of(path).isRegular();
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns whether it is a symbolic link. */
  boolean isLink() {
    return (mode & TYPE_MASK) == LINK;
  }

  /** Returns whether it is a regular file. */
  public boolean isRegular() {
    return (mode & TYPE_MASK) == REGULAR;
  }

  /** Returns whether it is a directory. */
  public boolean isDirectory() {
    return (mode & TYPE_MASK) == DIRECTORY;
  }

  /** Returns whether it is a Unix domain socket. */
  public boolean isSocket() {
    return (mode & TYPE_MASK) == SOCKET;
  }

  /** Returns whether root owns it. */
  public boolean isOfRoot() {
    return owner == 0;
  }
}
