package dev.ply.kernel.feature;

import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.object.ProgramType;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.error.VerifierRejection;
import dev.ply.kernel.load.AttachTarget;
import dev.ply.kernel.load.LoadedMap;
import dev.ply.kernel.load.LoadedProgram;
import dev.ply.kernel.sys.BpfAttr;
import dev.ply.kernel.sys.BpfCommand;
import dev.ply.kernel.sys.SystemCalls;
import dev.ply.name.Errno;
import dev.ply.target.KernelTypes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Queries the running kernel for facts to show, beside the features that traces depend on ({@link
 * Feature}). Nothing is attached.
 */
public final class KernelTrials {
  /** The opcodes of a call, of {@code r0 = 0} and of {@code return}. */
  private static final int CALL = 0x85;

  private static final int ZERO = 0xb7;
  private static final int EXIT = 0x95;

  /** The verifier's messages for a helper that does not exist, or that the program may not call. */
  private static final Pattern NO_HELPER =
      Pattern.compile("(?i)\\b(unknown func|invalid func|cannot use helper)\\b");

  private static final Pattern LIMIT = Pattern.compile("\\(limit (\\d{1,9})\\)");

  private KernelTrials() {}

  /** Returns whether programs of a type that are bound to nothing can call a helper. */
  public static boolean offers(ProgramType type, Helper helper) {
    return !NO_HELPER.matcher(logOfCall(type, AttachTarget.ANY, helper)).find();
  }

  /** Returns whether maps of a type can be created. */
  public static boolean creates(MapType type) {
    try (LoadedMap created = LoadedMap.create(smallest(type))) {
      return created.descriptor() >= 0;
    } catch (KernelException e) {
      return false;
    }
  }

  private static BpfMap smallest(MapType type) {
    return switch (type) {
      case RINGBUF -> new BpfMap("trial", type, 0, 0, 4096);
      case PERF_EVENT_ARRAY -> new BpfMap("trial", type, Integer.BYTES, Integer.BYTES, 1);
      case ARRAY_OF_MAPS -> BpfMap.ofMaps("trial", smallest(MapType.ARRAY), 1);
      default -> new BpfMap("trial", type, Integer.BYTES, Long.BYTES, 1);
    };
  }

  /** Returns whether programs can run once for each object, such as the tasks: iterators. */
  public static boolean iterates() {
    return tasks()
        .filter(tasks -> log(ProgramType.ITERATOR, tasks, code(ZERO, 0)).isEmpty())
        .isPresent();
  }

  /** Returns whether iterators can call a helper. */
  public static boolean offersIterators(Helper helper) {
    return tasks()
        .map(tasks -> logOfCall(ProgramType.ITERATOR, tasks, helper))
        .filter(log -> !NO_HELPER.matcher(log).find())
        .isPresent();
  }

  /**
   * Returns how many instructions the verifier follows, over all branches of a program, before it
   * gives up: 1,000,000 since Linux 5.2. Empty if it does not tell.
   */
  public static OptionalInt instructionLimit() {
    Matcher limit =
        LIMIT.matcher(logOfCall(ProgramType.KPROBE, AttachTarget.ANY, Helper.RINGBUF_RESERVE));
    return limit.find() ? OptionalInt.of(Integer.parseInt(limit.group(1))) : OptionalInt.empty();
  }

  /** Returns whether a link can have many sites in a file: uprobe.multi. */
  public static boolean linksManyUprobes() {
    return refusesOnlyTheAddress(AttachTarget.UPROBE_MULTI, BpfAttr::unreadableUprobeMulti);
  }

  /** Returns whether one link can be on functions and on their returns: kprobe.session. */
  public static boolean linksSessions() {
    return refusesOnlyTheAddress(AttachTarget.KPROBE_SESSION, BpfAttr::unreadableKprobeSession);
  }

  private static Optional<AttachTarget> tasks() {
    return KernelBtf.read(KernelRelease.read())
        .function("bpf_iter_task")
        .map(KernelTypes.Function::id)
        .map(id -> new AttachTarget(ProgramType.ITERATOR.attachType(), id, Optional.empty()));
  }

  private static String logOfCall(ProgramType type, AttachTarget target, Helper helper) {
    return log(type, target, code(CALL, helper.number()));
  }

  /**
   * Returns what the verifier says of a program that it refuses, nothing if it does not. A call
   * without arguments is refused either way: for its arguments, or because there is no such helper.
   */
  private static String log(ProgramType type, AttachTarget target, byte[] code) {
    try {
      LoadedProgram.load("trial", type, target, code).close();
      return "";
    } catch (VerifierRejection e) {
      return e.log();
    } catch (KernelException e) {
      return "unknown func: " + e.getMessage();
    }
  }

  private static boolean refusesOnlyTheAddress(AttachTarget target, IntFunction<BpfAttr> link) {
    try (LoadedProgram loaded =
        LoadedProgram.load("links", ProgramType.KPROBE, target, code(ZERO, 0))) {
      return SystemCalls.tryBpf(BpfCommand.LINK_CREATE, link.apply(loaded.descriptor()))
          == Errno.EFAULT;
    } catch (KernelException | VerifierRejection e) {
      return false;
    }
  }

  /** An instruction, then {@code return 0}. */
  private static byte[] code(int opcode, int operand) {
    ByteBuffer code = ByteBuffer.allocate(3 * Long.BYTES).order(ByteOrder.nativeOrder());
    code.put(0, (byte) opcode).putInt(4, operand);
    code.put(8, (byte) ZERO);
    code.put(16, (byte) EXIT);
    return code.array();
  }
}
