package dev.ply.kernel.mapping;

import dev.ply.kernel.procfs.ProcessMaps.Mapping;

/**
 * An executable mapping.
 *
 * @param end the first address after it
 * @param offset of its first byte in the file, in bytes
 * @param name the file's path in the root directory of the process that mapped it, {@code [vdso]},
 *     or another name of memory without a file
 */
public record FileMapping(long start, long end, long offset, String name, FileIdentity identity) {
  /** The heap size of a mapping, without its name. */
  private static final int BYTES = 200;

  /** Returns whether it maps a file that can be opened by path. */
  public boolean isFile() {
    return name.startsWith("/")
        && !name.startsWith("//anon")
        && !name.startsWith("/memfd:")
        && !name.startsWith("/dev/zero");
  }

  /** Returns whether it has a name: a file, or code provided by the kernel. */
  public boolean isNamed() {
    return isFile() || name.startsWith("[v");
  }

  /** Returns it as {@code /proc/PID/maps} shows it. */
  public Mapping seen() {
    return new Mapping(start, end, /* isExecutable= */ true, offset, 0, name);
  }

  /** Returns the file's name without its directory. */
  public String fileName() {
    return name.substring(name.lastIndexOf('/') + 1);
  }

  boolean has(long address) {
    return Long.compareUnsigned(address - start, end - start) < 0;
  }

  boolean overlaps(FileMapping other) {
    return has(other.start) || other.has(start);
  }

  /** Returns its heap size in bytes. */
  long heapBytes() {
    return BYTES + 2L * name.length();
  }
}
