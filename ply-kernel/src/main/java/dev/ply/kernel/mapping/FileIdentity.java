package dev.ply.kernel.mapping;

/** What tells a mapped file from others of its path. */
public sealed interface FileIdentity {

  /**
   * The build ID of an ELF file. Also right where a file system has other device numbers for
   * mappings than for {@code stat}, as btrfs and overlayfs.
   *
   * @param hexadecimal its bytes
   */
  record BuildId(String hexadecimal) implements FileIdentity {}

  /**
   * A file of a file system.
   *
   * @param device major number in the upper half, minor number in the lower
   */
  record Inode(long device, long number) implements FileIdentity {}
}
