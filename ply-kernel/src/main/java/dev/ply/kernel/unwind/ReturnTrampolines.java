package dev.ply.kernel.unwind;

import dev.ply.bpf.unwind.UnwindRule;
import dev.ply.bpf.unwind.UnwindTable;
import dev.ply.kernel.elf.ElfFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Functions that others return to without having been called, found by their instructions: after
 * signal handlers, also in C libraries without call frame information, as musl, and after the
 * outermost function of makecontext(3).
 */
final class ReturnTrampolines {
  /** More code is of no C library. */
  private static final int MOST_CODE = 1 << 24;

  /** Where code is larger, it is searched only where it has no information. */
  private static final int LARGE = 1 << 22;

  private static final int MOST_RANGES = 1 << 12;

  /** A program and its library have one each; what only looks like them is somewhere else. */
  private static final int MOST = 4;

  /** mov $15, %rax; syscall, with or without its upper half. */
  private static final List<byte[]> X86_64 =
      List.of(
          bytes(0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05), bytes(0xb8, 15, 0, 0, 0, 0x0f, 0x05));

  /** mov x8, #139; svc #0. */
  private static final List<byte[]> AARCH64 =
      List.of(bytes(0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4));

  /**
   * mov %rbx, %rsp; mov (%rsp), %rdi; test %rdi, %rdi; je: the start of glibc's __start_context,
   * before which some have endbr64.
   */
  private static final List<byte[]> CONTEXT =
      List.of(
          bytes(0x48, 0x89, 0xdc, 0x48, 0x8b, 0x3c, 0x24, 0x48, 0x85, 0xff, 0x74),
          bytes(
              0xf3, 0x0f, 0x1e, 0xfa, 0x48, 0x89, 0xdc, 0x48, 0x8b, 0x3c, 0x24, 0x48, 0x85, 0xff,
              0x74));

  private ReturnTrampolines() {}

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  /** Returns how far the pattern is moved if a byte is where its last one would be (Horspool). */
  private static int[] skips(byte[] pattern) {
    int[] skips = new int[1 << Byte.SIZE];
    Arrays.fill(skips, pattern.length);
    for (int i = 0; i < pattern.length - 1; i++) {
      skips[Byte.toUnsignedInt(pattern[i])] = pattern.length - 1 - i;
    }
    return skips;
  }

  /**
   * Code that is searched.
   *
   * @param from its offset from the base of the table
   */
  private record Range(long from, int size) {}

  /** All of what is as small as a C library, else what has no information. */
  private static List<Range> ranges(UnwindTable table) {
    int rows = table.size();
    if (rows == 0 || offset(table, rows - 1) < LARGE) {
      return List.of(new Range(0, MOST_CODE));
    }
    List<Range> ranges = new ArrayList<>();
    for (int i = 0; i < rows && ranges.size() < MOST_RANGES; i++) {
      if ((int) table.row(i) == UnwindRule.MISSING.encoded()) {
        long from = Math.max(0, offset(table, i) - 1);
        long to = i + 1 < rows ? offset(table, i + 1) : from + LARGE;
        ranges.add(new Range(from, (int) Math.min(LARGE, to - from)));
      }
    }
    return ranges;
  }

  private static long offset(UnwindTable table, int row) {
    return table.row(row) >>> Integer.SIZE;
  }

  /**
   * Returns the file's table with rows for its trampolines added. A table that has rows for signals
   * is that of glibc, or of a program linked with it.
   */
  static UnwindTable added(UnwindTable table, ElfFile file, FrameMachine machine)
      throws IOException {
    boolean isArm = machine == FrameMachine.AARCH64;
    if (table.has(UnwindRule.Kind.SIGNAL)) {
      return isArm ? table : added(table, file, CONTEXT, UnwindRule.END);
    }
    return added(table, file, isArm ? AARCH64 : X86_64, UnwindRule.SIGNAL);
  }

  private static UnwindTable added(
      UnwindTable table, ElfFile file, List<byte[]> patterns, UnwindRule rule) throws IOException {
    UnwindTable added = table;
    int found = 0;
    for (Range range : ranges(table)) {
      byte[] code = file.code(table.base() + range.from(), range.size());
      for (byte[] pattern : patterns) {
        for (int at : find(pattern, code)) {
          if (found < MOST) {
            // The address that is returned to, and so its start, is looked up minus 1.
            int start = Math.toIntExact(range.from()) + at;
            added = added.with(start - 1, start + pattern.length, rule);
            found++;
          }
        }
      }
      file.allowance().release(code.length);
      file.allowance().requireTime();
    }
    return added;
  }

  /** Returns the first offsets of a pattern, from 1 on. */
  private static List<Integer> find(byte[] pattern, byte[] code) {
    List<Integer> found = new ArrayList<>();
    int[] skips = skips(pattern);
    int last = pattern.length - 1;
    int end;
    for (int at = 1; at <= code.length - pattern.length && found.size() < MOST; at += skips[end]) {
      end = Byte.toUnsignedInt(code[at + last]);
      if (code[at + last] == pattern[last]
          && Arrays.equals(code, at, at + last, pattern, 0, last)) {
        found.add(at);
      }
    }
    return found;
  }
}
