package dev.ply.bpf.simulate;

import dev.ply.probe.AttachPoint;
import dev.ply.probe.Provider.Offer;
import dev.ply.target.PidNamespace;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The settings of a firing: changed on a copy, before a firing refers to it. */
final class FiringState {
  final AttachPoint point;
  int pid = 1;
  int tid = 1;
  int uid;
  int gid;
  String comm = "init";
  int cpu;
  List<Long> stack = List.of();
  List<Long> userStack = List.of();
  long task;
  long cgroup = 1;
  Optional<PidNamespace.Ids> namespaced = Optional.empty();
  long retval;
  final Map<Integer, Long> arguments;
  final Map<Integer, String> texts;
  final Map<String, Object> fields;
  final Map<String, Long> registers;
  final Map<Long, byte[]> memory;
  final Map<Firing.Location, String> placed;

  FiringState(AttachPoint point) {
    this.point = point;
    arguments = new HashMap<>();
    texts = new HashMap<>();
    fields = new HashMap<>();
    registers = new HashMap<>();
    memory = new HashMap<>();
    placed = new HashMap<>();
  }

  FiringState(FiringState other) {
    point = other.point;
    pid = other.pid;
    tid = other.tid;
    uid = other.uid;
    gid = other.gid;
    comm = other.comm;
    cpu = other.cpu;
    stack = other.stack;
    userStack = other.userStack;
    task = other.task;
    cgroup = other.cgroup;
    namespaced = other.namespaced;
    retval = other.retval;
    arguments = new HashMap<>(other.arguments);
    texts = new HashMap<>(other.texts);
    fields = new HashMap<>(other.fields);
    registers = new HashMap<>(other.registers);
    memory = new HashMap<>(other.memory);
    placed = new HashMap<>(other.placed);
  }

  /** Returns the settings, without arguments, fields and registers that are zero by default. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder(point.definition());
    out.append(" by ").append(comm.isEmpty() ? "\"\"" : comm);
    out.append(" pid ").append(pid).append(" tid ").append(tid);
    out.append(" uid ").append(uid).append(" gid ").append(gid);
    out.append(" cpu ").append(cpu);
    namespaced.ifPresent(ids -> out.append(' ').append(ids));
    new TreeMap<>(arguments).forEach((index, value) -> out.append(set("arg" + index, value)));
    if (point.offers(Offer.RETURN_VALUE)) {
      out.append(set("retval", retval));
    }
    new TreeMap<>(fields).forEach((name, value) -> out.append(set(name, value)));
    new TreeMap<>(registers).forEach((name, value) -> out.append(set(name, value)));
    placed.forEach(
        (at, text) -> out.append(set(at.space() + " 0x" + Long.toHexString(at.address()), text)));
    return out.toString();
  }

  private static String set(String name, Object value) {
    return ", " + name + " = " + (value instanceof String ? "\"" + value + "\"" : value);
  }
}
