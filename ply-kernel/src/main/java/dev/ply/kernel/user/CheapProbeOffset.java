package dev.ply.kernel.user;

import com.google.common.base.Suppliers;
import dev.ply.kernel.elf.ElfFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Where the calls of a file's functions can be probed for less than at their first instruction.
 *
 * <p>A breakpoint stands for an instruction, which has to be done as well. Some the kernel emulates
 * (Linux 3.16, pushes since 4.16); for others the processor takes a single step elsewhere and traps
 * again, which takes twice the time, and dozens of times in virtual machines whose host wants to
 * know of such steps. Functions begin with a push as often as not, but behind a mark for branches
 * ({@code endbr64}), or with a test that ends in a jump. Whoever calls them comes by there, too,
 * with the same arguments.
 *
 * <p>Nothing else must come by: if any jump in the file's code leads behind the function's first
 * instruction and not behind the one that is emulated, then that is not done. Thread-safe.
 */
final class CheapProbeOffset {
  /** {@code EM_X86_64}. */
  private static final int X86_64 = 62;

  /** More code than this takes longer to look through than it is worth. */
  private static final int MOST_CODE = 1 << 24;

  /** How many bytes behind a function's start are looked at. */
  private static final int REACH = 64;

  /** How far a jump with an offset of one byte goes. */
  private static final int SHORT_JUMP = 128;

  private final byte[] code;
  private final long start;
  private final Supplier<BitSet> targets = Suppliers.memoize(this::readTargets);

  /**
   * Code whose calls are to be probed.
   *
   * @param code not copied, as it may be long; nobody may change it
   * @param start where in its file it is
   */
  CheapProbeOffset(byte[] code, long start) {
    this.code = code;
    this.start = start;
  }

  /** Reads the code that the byte at an offset of a file is part of, if there is any to look at. */
  static Optional<CheapProbeOffset> of(ElfFile file, long offset) throws IOException {
    if (file.machine() != X86_64 || !file.is64()) {
      return Optional.empty();
    }
    Optional<ElfFile.Code> code = file.codeAround(offset, MOST_CODE);
    return code.map(found -> new CheapProbeOffset(found.bytes().array(), found.offset()));
  }

  /** Returns the offset at which calls of a function that begins at {@code offset} cost least. */
  long cheapest(long offset) {
    if (offset < start || offset - start >= code.length) {
      return offset;
    }
    int entry = (int) (offset - start);
    int at = entry;
    Optional<X86Instruction> next = X86Instruction.at(code, at);
    while (next.isPresent() && !next.get().isEmulated() && at - entry < REACH) {
      at += next.get().length();
      next = X86Instruction.at(code, at);
    }
    boolean isEmulated = next.isPresent() && next.get().isEmulated();
    return isEmulated && !isJumpedTo(entry, at) ? start + at : offset;
  }

  /**
   * Tells whether a jump may lead behind the entry, and not behind the instruction at {@code at}.
   */
  private boolean isJumpedTo(int entry, int at) {
    if (at == entry) {
      return false;
    }
    int target = targets.get().nextSetBit(entry + 1);
    if (target >= 0 && target <= at) {
      return true;
    }
    // What is no instruction may look like a jump; then a probe costs more, and no harm is done.
    int end = Math.min(code.length - 1, at + SHORT_JUMP);
    for (int i = Math.max(0, entry - SHORT_JUMP); i < end; i++) {
      int opcode = code[i] & 0xff;
      boolean isShortJump = (opcode & 0xf0) == 0x70 || opcode == 0xeb || (opcode & 0xfc) == 0xe0;
      int to = i + 2 + code[i + 1];
      if (isShortJump && to > entry && to <= at) {
        return true;
      }
    }
    return false;
  }

  /** Finds where jumps and calls with an offset of four bytes lead, at least all that there are. */
  private BitSet readTargets() {
    BitSet found = new BitSet(code.length);
    ByteBuffer bytes = ByteBuffer.wrap(code).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i + Integer.BYTES < code.length; i++) {
      int opcode = code[i] & 0xff;
      if (opcode == 0xe8 || opcode == 0xe9 || (opcode >>> 4 == 8 && i > 0 && code[i - 1] == 0x0f)) {
        long to = i + 1L + Integer.BYTES + bytes.getInt(i + 1);
        if (to >= 0 && to < code.length) {
          found.set((int) to);
        }
      }
    }
    return found;
  }
}
