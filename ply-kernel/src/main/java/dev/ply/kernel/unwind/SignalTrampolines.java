package dev.ply.kernel.unwind;

import dev.ply.bpf.unwind.UnwindRule;
import dev.ply.bpf.unwind.UnwindTable;
import dev.ply.kernel.elf.ElfFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * Functions that signal handlers return to, found by their instructions: C libraries without call
 * frame information, as musl, have them, too.
 */
final class SignalTrampolines {
  /** More code is of no C library. */
  private static final int MOST_CODE = 1 << 24;

  /** A program and its library have one each; what only looks like them is somewhere else. */
  private static final int MOST = 4;

  /** mov $15, %rax; syscall, with or without its upper half. */
  private static final List<byte[]> X86_64 =
      List.of(
          bytes(0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05), bytes(0xb8, 15, 0, 0, 0, 0x0f, 0x05));

  /** mov x8, #139; svc #0. */
  private static final List<byte[]> AARCH64 =
      List.of(bytes(0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4));

  private SignalTrampolines() {}

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  /** Returns a table with rows for the trampolines of a file, unless it has such rows. */
  static UnwindTable added(UnwindTable table, ElfFile file, FrameMachine machine)
      throws IOException {
    if (table.kinds().containsKey(UnwindRule.Kind.SIGNAL)) {
      return table;
    }
    byte[] code = file.code(table.base(), MOST_CODE);
    UnwindTable added = table;
    int found = 0;
    for (byte[] pattern : machine == FrameMachine.AARCH64 ? AARCH64 : X86_64) {
      for (int at = 1; at <= code.length - pattern.length && found < MOST; at++) {
        if (code[at] == pattern[0]
            && Arrays.equals(code, at, at + pattern.length, pattern, 0, pattern.length)) {
          // The address that handlers return to, and so its start, is looked up minus 1.
          added = added.with(at - 1, at + pattern.length, UnwindRule.SIGNAL);
          found++;
        }
      }
    }
    file.allowance().release(code.length);
    return added;
  }
}
