package dev.ply.machine;

/**
 * Numbers of the kernel's interface to programs that differ between architectures, from their
 * include/uapi/asm.
 *
 * @param nonBlocking {@code O_NONBLOCK}
 * @param noControllingTerminal {@code O_NOCTTY}
 * @param noFollow {@code O_NOFOLLOW}
 * @param append {@code O_APPEND}
 * @param lockedMemory {@code RLIMIT_MEMLOCK}
 * @param handlerOffset where the handler is in {@code struct sigaction}, in bytes
 * @param hasShortDirections whether ioctls have one more bit for their size, and one less for their
 *     direction
 */
public record UserApi(
    int nonBlocking,
    int noControllingTerminal,
    int noFollow,
    int append,
    int lockedMemory,
    int handlerOffset,
    boolean hasShortDirections) {
  /** Those of most architectures. */
  public static final UserApi COMMON = new UserApi(0x800, 0x100, 0x20000, 0x400, 8, 0, false);

  /** Those of Arm. */
  public static final UserApi ARM = new UserApi(0x800, 0x100, 0x8000, 0x400, 8, 0, false);

  /** Those of POWER. */
  public static final UserApi POWER = new UserApi(0x800, 0x100, 0x8000, 0x400, 8, 0, true);

  /** Those of MIPS. */
  public static final UserApi MIPS = new UserApi(0x80, 0x800, 0x20000, 8, 9, 8, true);
}
