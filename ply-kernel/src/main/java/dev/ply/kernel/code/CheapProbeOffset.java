package dev.ply.kernel.code;

import com.google.common.base.Suppliers;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.machine.Architecture;
import dev.ply.machine.InstructionSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds an instruction at which a function's calls can be probed at lower cost than at the first.
 *
 * <p>The instruction under a breakpoint must be executed as well. The kernel emulates some (Linux
 * 3.16; pushes since 4.16); others are single-stepped, which traps again: twice the cost, and
 * dozens of times in virtual machines whose hypervisor intercepts that trap. Many functions start
 * with a push, but after {@code endbr64}, or with a comparison that ends in a jump. Calls reach
 * those instructions as well, with the same arguments.
 *
 * <p>Nothing else must reach them: if any jump in the file targets an instruction in between, the
 * probe stays at the start. Thread-safe.
 */
public final class CheapProbeOffset {
  /** More code than this takes longer to scan than the gain. */
  private static final int MOST_CODE = 1 << 24;

  /** The number of bytes after a function's start that are examined. */
  private static final int REACH = 64;

  /** The range of a jump with an 8-bit offset. */
  private static final int SHORT_JUMP = 128;

  private final byte[] code;
  private final long start;
  private final Supplier<BitSet> targets = Suppliers.memoize(this::readTargets);

  /**
   * Creates a finder for code.
   *
   * @param code not copied, since it can be large; must not change
   * @param start its offset in the file
   */
  CheapProbeOffset(byte[] code, long start) {
    this.code = code;
    this.start = start;
  }

  /** Reads the code that contains a file offset, if any. */
  public static Optional<CheapProbeOffset> of(ElfFile file, long offset) throws IOException {
    if (!file.is64()
        || !Architecture.instructionSet(file.machine())
            .equals(Optional.of(InstructionSet.X86_64))) {
      return Optional.empty();
    }
    Optional<ElfFile.Code> code = file.codeAround(offset, MOST_CODE);
    // One bit for each byte, of those that are jumped to.
    file.allowance().claim(code.map(found -> found.bytes().limit() / Byte.SIZE).orElse(0));
    return code.map(found -> new CheapProbeOffset(found.bytes().array(), found.offset()));
  }

  /** Returns the offset at which calls of the function at {@code offset} are cheapest to probe. */
  public long cheapest(long offset) {
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

  /** Returns whether a jump may target an instruction after the entry, up to {@code at}. */
  private boolean isJumpedTo(int entry, int at) {
    if (at == entry) {
      return false;
    }
    int target = targets.get().nextSetBit(entry + 1);
    if (target >= 0 && target <= at) {
      return true;
    }
    // Data can look like a jump; then the probe stays where it is.
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

  /** Collects the targets of jumps and calls with 32-bit offsets, including all real ones. */
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
