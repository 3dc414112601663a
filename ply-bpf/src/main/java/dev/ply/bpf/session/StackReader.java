package dev.ply.bpf.session;

import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfObject;
import dev.ply.result.Datum;
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
  private final Optional<BpfMap> map;
  private final Map<Integer, List<Long>> known = new ConcurrentHashMap<>();

  StackReader(Machine machine, BpfObject object) {
    this.machine = machine;
    this.map = object.map(BpfObject.STACKS);
  }

  /** Returns the trace of that number; the number itself if there is no such trace. */
  Datum read(long number, IntType type) {
    int id = (int) number;
    List<Long> addresses =
        id < 0 || map.isEmpty()
            ? List.of()
            : known.computeIfAbsent(id, unread -> machine.stack(map.get(), unread));
    return addresses.isEmpty() ? new Datum.Int(number, type) : new Datum.Stack(id, addresses);
  }
}
