package dev.ply.kernel.mapping;

/**
 * An executable mapping.
 *
 * @param end the first address after it
 * @param offset of its first byte in the file, in bytes
 * @param name the file's path in the root directory of the process that mapped it, {@code [vdso]},
 *     or another name of memory without a file
 */
public record FileMapping(long start, long end, long offset, String name, FileIdentity identity) {
  /** Heap that a mapping occupies, besides its name. */
  private static final int BYTES = 200;

  /** Returns whether a file is mapped that can be opened by its path. */
  public boolean isFile() {
    return name.startsWith("/")
        && !name.startsWith("//anon")
        && !name.startsWith("/memfd:")
        && !name.startsWith("/dev/zero");
  }

  /** Returns whether its name says what it is: a file, or code that the kernel provides. */
  public boolean isNamed() {
    return isFile() || name.startsWith("[v");
  }

  /** Returns the name of the file without its directory. */
  public String fileName() {
    return name.substring(name.lastIndexOf('/') + 1);
  }

  boolean has(long address) {
    return Long.compareUnsigned(address - start, end - start) < 0;
  }

  boolean overlaps(FileMapping other) {
    return has(other.start) || other.has(start);
  }

  /** Returns the heap that it occupies, in bytes. */
  long heapBytes() {
    return BYTES + 2L * name.length();
  }
}
