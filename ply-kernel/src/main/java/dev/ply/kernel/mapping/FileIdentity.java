package dev.ply.kernel.mapping;

/** Distinguishes a mapped file from others of the same path. */
public sealed interface FileIdentity {

  /**
   * The build ID of an ELF file. Reliable also where mappings and {@code stat} have different
   * device numbers, as on btrfs and overlayfs.
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
