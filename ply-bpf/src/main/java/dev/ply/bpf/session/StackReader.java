package dev.ply.bpf.session;

import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.StackTraces;
import dev.ply.result.Datum;
import dev.ply.result.Datum.MissingStack.Side;
import dev.ply.result.StackMode;
import dev.ply.target.UserSymbols;
import dev.ply.target.UserSymbols.Frame;
import dev.ply.type.IntFormat;
import dev.ply.type.Type.IntType;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;

/**
 * Reads stack traces by id, each once: ids are not reused during a session. Thread-safe if the
 * machine is.
 */
final class StackReader implements Stacks {
  private final Machine machine;
  private final UserSymbols symbols;
  private final BpfObject object;
  private final Map<Integer, List<Long>> known = new ConcurrentHashMap<>();
  private final Map<Long, Datum> knownOfProcesses = new ConcurrentHashMap<>();

  StackReader(Machine machine, BpfObject object, UserSymbols symbols) {
    this.machine = machine;
    this.symbols = symbols;
    this.object = object;
  }

  /** Returns whether an integer is a stack id. */
  static boolean isStack(IntType type) {
    return type.format() == IntFormat.STACK || type.format() == IntFormat.USER_STACK;
  }

  @Override
  public Datum read(long number, IntType type) {
    return type.format() == IntFormat.USER_STACK ? ofProcess(number) : ofKernel(number);
  }

  private Datum ofKernel(long number) {
    int trace = (int) number;
    Optional<StackTraces> shape = shape(trace, false);
    if (shape.isEmpty()) {
      return new Datum.MissingStack(0, trace, Side.KERNEL);
    }
    List<Long> addresses = known.computeIfAbsent(trace, unread -> addresses(shape.get(), unread));
    return addresses.isEmpty()
        ? new Datum.MissingStack(0, trace, Side.KERNEL)
        : new Datum.Stack(trace, addresses, shape.get().mode());
  }

  /** A stack whose symbols are not available in time is read again. */
  private Datum ofProcess(long number) {
    Datum seen = knownOfProcesses.get(number);
    if (seen != null) {
      return seen;
    }
    int trace = (int) number;
    Optional<StackTraces> shape = shape(trace, true);
    List<Long> addresses = shape.map(traces -> addresses(traces, trace)).orElse(List.of());
    // The PID is in the upper half.
    int process = (int) (number >>> 32);
    if (addresses.isEmpty()) {
      return new Datum.MissingStack(process, trace, Side.USER);
    }
    StackMode mode = shape.orElseThrow().mode();
    Optional<List<Frame>> frames = symbols.frames(process, addresses);
    if (frames.isEmpty()) {
      return new Datum.UserStack(process, trace, addresses.stream().map(Frame::new).toList(), mode);
    }
    Datum stack = new Datum.UserStack(process, trace, frames.get(), mode);
    knownOfProcesses.put(number, stack);
    return stack;
  }

  /** An impossible id was stored by the script itself. */
  private Optional<StackTraces> shape(int trace, boolean ofUser) {
    int number = StackTraces.numberOf(trace);
    return object.stacks().stream()
        .filter(traces -> traces.isOfUser() == ofUser && traces.number() == number)
        .findFirst();
  }

  private List<Long> addresses(StackTraces traces, int trace) {
    return object
        .map(traces.map())
        .flatMap(map -> machine.value(map, StackTraces.idOf(trace)))
        .map(StackReader::addresses)
        .orElse(List.of());
  }

  private static List<Long> addresses(ByteBuffer trace) {
    long frames = trace.getLong() / Long.BYTES;
    return LongStream.generate(trace::getLong).limit(frames).boxed().toList();
  }
}
