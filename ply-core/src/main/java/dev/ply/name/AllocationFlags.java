package dev.ply.name;

import com.google.common.collect.ImmutableList;
import dev.ply.text.TextBuffer;

/**
 * The names of the kernel's allocation flags (GFP), as of include/linux/gfp_types.h since Linux
 * 6.10. The flags from bit 23 on depend on the kernel's configuration; these are those of one with
 * KASAN's hardware tags.
 */
public final class AllocationFlags {
  private static final long DMA = 1;
  private static final long HIGHMEM = 1 << 1;
  private static final long DMA32 = 1 << 2;
  private static final long MOVABLE = 1 << 3;
  private static final long RECLAIMABLE = 1 << 4;
  private static final long HIGH = 1 << 5;
  private static final long IO = 1 << 6;
  private static final long FS = 1 << 7;
  private static final long ZERO = 1 << 8;
  private static final long DIRECT_RECLAIM = 1 << 10;
  private static final long KSWAPD_RECLAIM = 1 << 11;
  private static final long WRITE = 1 << 12;
  private static final long NOWARN = 1 << 13;
  private static final long RETRY_MAYFAIL = 1 << 14;
  private static final long NOFAIL = 1 << 15;
  private static final long NORETRY = 1 << 16;
  private static final long MEMALLOC = 1 << 17;
  private static final long COMP = 1 << 18;
  private static final long NOMEMALLOC = 1 << 19;
  private static final long HARDWALL = 1 << 20;
  private static final long THISNODE = 1 << 21;
  private static final long ACCOUNT = 1 << 22;
  private static final long ZEROTAGS = 1 << 23;
  private static final long SKIP_ZERO = 1 << 24;
  private static final long SKIP_KASAN = 1 << 25;
  private static final long NO_OBJ_EXT = 1 << 26;

  private static final long NOIO_SET = DIRECT_RECLAIM | KSWAPD_RECLAIM;
  private static final long NOFS_SET = NOIO_SET | IO;
  private static final long KERNEL_SET = NOFS_SET | FS;
  private static final long USER_SET = KERNEL_SET | HARDWALL;
  private static final long HIGHUSER_SET = USER_SET | HIGHMEM;
  private static final long MOVABLE_SET = HIGHUSER_SET | MOVABLE;
  private static final long LIGHT_SET = (MOVABLE_SET | COMP | NOMEMALLOC | NOWARN) & ~NOIO_SET;

  /**
   * Flags that have one name. Only kernels with KASAN's hardware tags have its bit in the movable
   * ones, so that these are listed twice.
   */
  private record Name(long flags, String text) {}

  /** Larger sets first: what a name stands for is not named again. */
  private static final ImmutableList<Name> NAMES =
      ImmutableList.of(
          new Name(LIGHT_SET | SKIP_KASAN | DIRECT_RECLAIM, "GFP_TRANSHUGE"),
          new Name(LIGHT_SET | DIRECT_RECLAIM, "GFP_TRANSHUGE"),
          new Name(LIGHT_SET | SKIP_KASAN, "GFP_TRANSHUGE_LIGHT"),
          new Name(LIGHT_SET, "GFP_TRANSHUGE_LIGHT"),
          new Name(MOVABLE_SET | SKIP_KASAN, "GFP_HIGHUSER_MOVABLE"),
          new Name(MOVABLE_SET, "GFP_HIGHUSER_MOVABLE"),
          new Name(HIGHUSER_SET, "GFP_HIGHUSER"),
          new Name(USER_SET, "GFP_USER"),
          new Name(KERNEL_SET | ACCOUNT, "GFP_KERNEL_ACCOUNT"),
          new Name(KERNEL_SET, "GFP_KERNEL"),
          new Name(NOFS_SET, "GFP_NOFS"),
          new Name(HIGH | KSWAPD_RECLAIM, "GFP_ATOMIC"),
          new Name(NOIO_SET, "GFP_NOIO"),
          new Name(KSWAPD_RECLAIM | NOWARN, "GFP_NOWAIT"),
          new Name(DMA, "GFP_DMA"),
          new Name(HIGHMEM, "__GFP_HIGHMEM"),
          new Name(DMA32, "GFP_DMA32"),
          new Name(MOVABLE, "__GFP_MOVABLE"),
          new Name(RECLAIMABLE, "__GFP_RECLAIMABLE"),
          new Name(HIGH, "__GFP_HIGH"),
          new Name(IO, "__GFP_IO"),
          new Name(FS, "__GFP_FS"),
          new Name(ZERO, "__GFP_ZERO"),
          new Name(DIRECT_RECLAIM, "__GFP_DIRECT_RECLAIM"),
          new Name(KSWAPD_RECLAIM, "__GFP_KSWAPD_RECLAIM"),
          new Name(WRITE, "__GFP_WRITE"),
          new Name(NOWARN, "__GFP_NOWARN"),
          new Name(RETRY_MAYFAIL, "__GFP_RETRY_MAYFAIL"),
          new Name(NOFAIL, "__GFP_NOFAIL"),
          new Name(NORETRY, "__GFP_NORETRY"),
          new Name(MEMALLOC, "__GFP_MEMALLOC"),
          new Name(COMP, "__GFP_COMP"),
          new Name(NOMEMALLOC, "__GFP_NOMEMALLOC"),
          new Name(HARDWALL, "__GFP_HARDWALL"),
          new Name(THISNODE, "__GFP_THISNODE"),
          new Name(ACCOUNT, "__GFP_ACCOUNT"),
          new Name(ZEROTAGS, "__GFP_ZEROTAGS"),
          new Name(SKIP_ZERO, "__GFP_SKIP_ZERO"),
          new Name(SKIP_KASAN, "__GFP_SKIP_KASAN"),
          new Name(NO_OBJ_EXT, "__GFP_NO_OBJ_EXT"));

  private AllocationFlags() {}

  /**
   * Writes the names of the flags that are set, separated by bars; other bits as one number.
   *
   * @param out receives the names
   * @param flags of an allocation
   */
  public static void append(TextBuffer out, long flags) {
    if (flags == 0) {
      out.append('0');
      return;
    }
    long remaining = flags;
    int start = out.length();
    for (Name name : NAMES) {
      if ((remaining & name.flags()) == name.flags()) {
        out.append(out.length() > start ? "|" : "").append(name.text());
        remaining &= ~name.flags();
      }
    }
    if (remaining != 0) {
      out.append(out.length() > start ? "|0x" : "0x").appendHex(remaining);
    }
  }
}
