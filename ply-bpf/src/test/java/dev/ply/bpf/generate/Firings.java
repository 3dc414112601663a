package dev.ply.bpf.generate;

import dev.ply.bpf.simulate.Firing;
import dev.ply.machine.Architecture;
import dev.ply.probe.AttachPoint;
import dev.ply.type.AddressSpace;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Arbitrary things that happen: by whom, with which arguments, fields and texts. */
public final class Firings {
  private static final int CPUS = 4;
  private static final int PIDS = 1 << 22;

  /** Who does more than others, for conditions that ask who it is. */
  static final List<Integer> KNOWN_IDS = List.of(0, 42);

  /** Names that are more frequent than others. */
  static final List<String> KNOWN_NAMES = List.of("", "dd", "fifteen_letters");

  /** The longest dynamic data that fits after the record in the context of a test run. */
  private static final int LONGEST_LABEL = 19;

  /** What follows a string in memory: reads of a few bytes must not depend on more. */
  private static final String ROOM = "\0".repeat(16);

  private Firings() {}

  /** Returns this firing done by arbitrary threads, users and CPUs. */
  public static Arbitrary<Firing> byAnyone(Firing firing) {
    return byAnyone(Arbitraries.just(firing));
  }

  private static Arbitrary<Firing> byAnyone(Arbitrary<Firing> firings) {
    Arbitrary<Integer> ids =
        Arbitraries.frequencyOf(
            Tuple.of(3, Arbitraries.integers().between(0, PIDS - 1)),
            Tuple.of(1, Arbitraries.of(KNOWN_IDS)));
    Arbitrary<String> names =
        Arbitraries.frequencyOf(
            Tuple.of(3, Numbers.texts(15)), Tuple.of(1, Arbitraries.of(KNOWN_NAMES)));
    return Combinators.combine(
            firings,
            ids,
            ids,
            Numbers.ints(),
            Numbers.ints(),
            names,
            Arbitraries.integers().between(0, CPUS - 1))
        .as(
            (firing, pid, tid, uid, gid, comm, cpu) ->
                firing.pid(pid).tid(tid).user(uid, gid).comm(comm).cpu(cpu));
  }

  /** Returns firings of one of {@link Stage#FIRED}. */
  static Arbitrary<Firing> at(AttachPoint point, Surroundings surroundings) {
    Arbitrary<Firing> firings =
        point.equals(Stage.TRACEPOINT)
            ? tracepoint(surroundings)
            : point.equals(Stage.KPROBE)
                ? kprobe(surroundings)
                : Numbers.longs().map(value -> Firing.kretprobe("f").retval(value));
    return byAnyone(firings);
  }

  private static Arbitrary<Firing> kprobe(Surroundings surroundings) {
    Architecture architecture = surroundings.architecture();
    boolean hasAll = architecture.registersSize() <= surroundings.contextBytes();
    return Numbers.longs()
        .list()
        .ofSize(architecture.argumentRegisters() + 1)
        .map(
            values -> {
              Firing firing = Firing.kprobe("f");
              for (int i = 0; i + 1 < values.size(); i++) {
                firing = firing.arg(i, values.get(i));
              }
              String counter =
                  architecture.registers().get(architecture.programCounterOffset() / 8);
              return hasAll ? firing.register(counter, values.get(values.size() - 1)) : firing;
            });
  }

  private static Arbitrary<Firing> tracepoint(Surroundings surroundings) {
    List<String> fields = new ArrayList<>();
    for (int bits = 8; bits <= 64; bits *= 2) {
      fields.add("s" + bits);
      fields.add("u" + bits);
    }
    return Combinators.combine(
            Numbers.longs().list().ofSize(fields.size()),
            Numbers.texts(4),
            Numbers.texts(15),
            Numbers.texts(15),
            Numbers.texts(LONGEST_LABEL))
        .as(
            (values, tag, name, path, label) -> {
              Firing firing = Firing.tracepoint("test:widths");
              for (int i = 0; i < fields.size(); i++) {
                firing = firing.field(fields.get(i), values.get(i));
              }
              return firing
                  .field("tag", tag)
                  .field("name", name)
                  .field("label", label)
                  .field("path", surroundings.memory())
                  .text(AddressSpace.USER, surroundings.memory(), path + ROOM);
            });
  }
}
