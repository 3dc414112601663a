package dev.ply.bpf.session;

import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfObject;
import dev.ply.result.Datum;
import dev.ply.target.UserSymbols;
import dev.ply.type.IntFormat;
import dev.ply.type.Type.IntType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads stack traces by their numbers, each once: a number stands for one trace as long as the
 * session lasts. Thread-safe if the machine is.
 */
final class StackReader {
  private final Machine machine;
  private final UserSymbols symbols;
  private final Optional<BpfMap> kernel;
  private final Optional<BpfMap> user;
  private final Map<Integer, List<Long>> known = new ConcurrentHashMap<>();
  private final Map<Long, Datum> knownOfProcesses = new ConcurrentHashMap<>();

  StackReader(Machine machine, BpfObject object, UserSymbols symbols) {
    this.machine = machine;
    this.symbols = symbols;
    this.kernel = object.map(BpfObject.STACKS);
    this.user = object.map(BpfObject.USER_STACKS);
  }

  /** Tells whether an integer stands for a stack trace. */
  static boolean isStack(IntType type) {
    return type.format() == IntFormat.STACK || type.format() == IntFormat.USER_STACK;
  }

  /** Returns the trace of that number; the number itself if there is no such trace. */
  Datum read(long number, IntType type) {
    return type.format() == IntFormat.USER_STACK
        ? knownOfProcesses.computeIfAbsent(number, unread -> ofProcess(unread, type))
        : ofKernel(number, type);
  }

  private Datum ofKernel(long number, IntType type) {
    int id = (int) number;
    List<Long> addresses =
        id < 0 || kernel.isEmpty()
            ? List.of()
            : known.computeIfAbsent(id, unread -> machine.stack(kernel.get(), unread));
    return addresses.isEmpty() ? new Datum.Int(number, type) : new Datum.Stack(id, addresses);
  }

  /** The process's number stands above the trace's. */
  private Datum ofProcess(long number, IntType type) {
    int id = (int) number;
    int process = (int) (number >>> 32);
    List<Long> addresses = id < 0 || user.isEmpty() ? List.of() : machine.stack(user.get(), id);
    return addresses.isEmpty()
        ? new Datum.Int(number, type)
        : new Datum.UserStack(process, id, symbols.frames(process, addresses));
  }
}
