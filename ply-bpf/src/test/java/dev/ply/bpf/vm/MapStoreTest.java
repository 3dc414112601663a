package dev.ply.bpf.vm;

import static dev.ply.bpf.isa.Register.R0;
import static dev.ply.bpf.isa.Register.R1;
import static dev.ply.bpf.isa.Register.R10;
import static dev.ply.bpf.isa.Register.R2;
import static dev.ply.bpf.isa.Register.R3;
import static dev.ply.bpf.isa.Register.R4;
import static dev.ply.bpf.isa.Register.R6;
import static dev.ply.bpf.isa.Register.R7;
import static dev.ply.bpf.vm.Code.add;
import static dev.ply.bpf.vm.Code.call;
import static dev.ply.bpf.vm.Code.exit;
import static dev.ply.bpf.vm.Code.jump;
import static dev.ply.bpf.vm.Code.label;
import static dev.ply.bpf.vm.Code.load;
import static dev.ply.bpf.vm.Code.map;
import static dev.ply.bpf.vm.Code.mov;
import static dev.ply.bpf.vm.Code.program;
import static dev.ply.bpf.vm.Code.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.vm.helper.Task;
import dev.ply.bpf.vm.interpret.Step;
import dev.ply.bpf.vm.map.MapStore;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class MapStoreTest {
  private static final Map<Helper, BpfProgram> PROGRAMS = new EnumMap<>(Helper.class);
  private static final int CPUS = 2;
  private static final int ENTRIES = 4;
  private static final int EEXIST = 17;
  private static final int ENOENT = 2;
  private static final int E2BIG = 7;
  private static final int EINVAL = 22;

  /** An operation on the map {@code m}: the flags of an update, a lookup or a deletion. */
  record Step(String action, int key, long value, int flags, int cpu) {}

  @Property
  void hashMapAgreesWithJavaMap(@ForAll("steps") List<Step> steps) {
    agreesWithModel(MapType.HASH, steps);
  }

  @Property
  void perCpuHashMapAgreesWithMapOfArrays(@ForAll("steps") List<Step> steps) {
    agreesWithModel(MapType.PERCPU_HASH, steps);
  }

  @Property
  void arrayAgreesWithFullMap(@ForAll("steps") List<Step> steps) {
    agreesWithModel(MapType.ARRAY, steps);
  }

  @Property
  void perCpuArrayAgreesWithFullMapOfArrays(@ForAll("steps") List<Step> steps) {
    agreesWithModel(MapType.PERCPU_ARRAY, steps);
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    return Combinators.combine(
            Arbitraries.of("update", "update", "delete", "lookup", "clear"),
            Arbitraries.integers().between(0, ENTRIES + 1),
            Arbitraries.longs(),
            Arbitraries.integers().between(0, 3),
            Arbitraries.integers().between(0, CPUS - 1))
        .as(Step::new)
        .list()
        .ofMaxSize(40);
  }

  @Test
  void inPlaceCountsAreSummedPerCpu() {
    VirtualMachine machine = machine(MapType.PERCPU_HASH);
    BpfProgram count =
        program(
            4,
            load(Size.W, R2, R1, 0),
            store(Size.W, R10, -4, R2),
            store(Size.DW, R10, -16, 1),
            map(R1, "m"),
            mov(R2, R10),
            add(R2, -4),
            call(Helper.MAP_LOOKUP_ELEM),
            jump(JumpOp.JEQ, R0, 0, "create"),
            mov(R1, 1),
            Code.atomic(Size.DW, AtomicOp.ADD, R0, 0, R1),
            jump("end"),
            label("create"),
            map(R1, "m"),
            mov(R2, R10),
            add(R2, -4),
            mov(R3, R10),
            add(R3, -16),
            mov(R4, 1),
            call(Helper.MAP_UPDATE_ELEM),
            label("end"),
            mov(R0, 0),
            exit());
    Task task = Task.of(1, "init");
    machine.run(count, key(5), task);
    machine.run(count, key(5), task);
    machine.run(count, key(5), task.at(1, 0));
    machine.run(count, key(6), task.at(1, 0));

    assertThat(contents(machine.map("m")))
        .isEqualTo(Map.of(5, List.of(2L, 1L), 6, List.of(0L, 1L)));
  }

  @Test
  void pointerToDeletedEntryIsValidUntilTheRunEnds() {
    VirtualMachine machine = machine(MapType.HASH);
    machine.map("m").update(key(1), List.of(value(11)));
    BpfProgram program =
        program(
            0,
            store(Size.W, R10, -4, 1),
            map(R1, "m"),
            mov(R2, R10),
            add(R2, -4),
            call(Helper.MAP_LOOKUP_ELEM),
            mov(R6, R0),
            map(R1, "m"),
            mov(R2, R10),
            add(R2, -4),
            call(Helper.MAP_DELETE_ELEM),
            store(Size.DW, R10, -16, 22),
            map(R1, "m"),
            mov(R2, R10),
            add(R2, -4),
            mov(R3, R10),
            add(R3, -16),
            mov(R4, 0),
            call(Helper.MAP_UPDATE_ELEM),
            load(Size.DW, R7, R6, 0),
            mov(R0, R7),
            exit());

    assertThat(machine.run(program, new byte[0], Task.of(1, "init"))).isEqualTo(11);
    assertThat(contents(machine.map("m"))).isEqualTo(Map.of(1, List.of(22L)));
  }

  @Test
  void visitorMayDeleteEntries() {
    MapStore map = machine(MapType.HASH).map("m");
    map.update(key(1), List.of(value(1)));
    map.update(key(2), List.of(value(2)));
    map.forEach((key, values) -> map.delete(key));

    assertThat(map.size()).isZero();
    assertThat(map.delete(key(1))).isFalse();
  }

  @Test
  void entriesAreVisitedInInsertionOrder() {
    MapStore map = machine(MapType.HASH).map("m");
    for (int key : new int[] {3, 1, 2}) {
      map.update(key(key), List.of(value(0)));
    }
    map.update(key(3), List.of(value(1)));

    assertThat(contents(map).keySet()).containsExactly(3, 1, 2);
  }

  @Test
  void returnedBytesAreCopies() {
    MapStore map = machine(MapType.HASH).map("m");
    byte[] key = key(1);
    byte[] value = value(1);
    map.update(key, List.of(value));
    Arrays.fill(key, (byte) 9);
    Arrays.fill(value, (byte) 9);
    map.forEach(
        (k, values) -> {
          Arrays.fill(k, (byte) 9);
          Arrays.fill(values.get(0), (byte) 9);
        });

    assertThat(contents(map)).isEqualTo(Map.of(1, List.of(1L)));
  }

  @Test
  void updatesOfWrongSizeAreRejected() {
    MapStore map = machine(MapType.PERCPU_HASH).map("m");

    assertThatThrownBy(() -> map.update(new byte[3], List.of(value(0), value(0))))
        .hasMessage("map m has keys of 4 bytes, not 3");
    assertThatThrownBy(() -> map.update(key(0), List.of(value(0))))
        .hasMessage("map m has 2 values per key, not 1");
    assertThatThrownBy(() -> map.update(key(0), List.of(value(0), new byte[4])))
        .hasMessage("map m has values of 8 bytes, not 4");
    assertThat(map.size()).isZero();
  }

  @Test
  void updatesOfAFullMapAreRejected() {
    MapStore map = machine(MapType.HASH).map("m");
    for (int i = 0; i < ENTRIES; i++) {
      map.update(key(i), List.of(value(i)));
    }

    assertThatThrownBy(() -> map.update(key(ENTRIES), List.of(value(0))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("map m is full: it holds 4 entries");
  }

  @Test
  void newKeysReplaceTheOldestWhereMapsEvict() {
    VirtualMachine machine =
        new VirtualMachine(List.of(new BpfMap("recent", MapType.LRU_HASH, 4, 8, 2)), 1);
    MapStore map = machine.map("recent");
    for (int key = 1; key <= 3; key++) {
      map.update(key(key), List.of(value(key)));
    }
    assertThat(map.size()).isEqualTo(2);
    assertThat(map.lookup(key(1))).isEmpty();
    assertThat(map.lookup(key(3))).isPresent();
  }

  @Test
  void mapsAreFoundByNameAndType() {
    VirtualMachine machine = machine(MapType.HASH);

    assertThatThrownBy(() -> machine.map("n"))
        .hasMessage("hash or array map n not found; the maps are [m]");
    assertThatThrownBy(() -> machine.ringBuffer("m"))
        .hasMessage("ring buffer m not found; the maps are [m]");
    BpfMap map = new BpfMap("m", MapType.HASH, 4, 8, 1);
    assertThatThrownBy(() -> new VirtualMachine(List.of(map, map), 1))
        .hasMessage("duplicate map m");
  }

  private void agreesWithModel(MapType type, List<Step> steps) {
    VirtualMachine machine = machine(type);
    boolean array = type == MapType.ARRAY || type == MapType.PERCPU_ARRAY;
    int copies = type.isPerCpu() ? CPUS : 1;
    Map<Integer, List<Long>> model = new LinkedHashMap<>();
    if (array) {
      fill(model, copies);
    }
    for (Step step : steps) {
      int copy = type.isPerCpu() ? step.cpu() : 0;
      Optional<List<Long>> old = Optional.ofNullable(model.get(step.key()));
      switch (step.action()) {
        case "update" -> {
          long expected =
              step.flags() > 2
                  ? -EINVAL
                  : array
                      ? old.isEmpty() ? -E2BIG : step.flags() == 1 ? -EEXIST : 0
                      : expectedOfHash(step.flags(), old.isPresent(), model.size());
          if (expected == 0) {
            List<Long> values = new ArrayList<>(old.orElse(zeroes(copies)));
            values.set(copy, step.value());
            model.put(step.key(), values);
          }
          assertThat(run(machine, Helper.MAP_UPDATE_ELEM, step)).isEqualTo(expected);
        }
        case "delete" -> {
          long expected = array ? -EINVAL : old.isEmpty() ? -ENOENT : 0;
          if (!array) {
            model.remove(step.key());
          }
          assertThat(run(machine, Helper.MAP_DELETE_ELEM, step)).isEqualTo(expected);
        }
        case "lookup" -> {
          long found = run(machine, Helper.MAP_LOOKUP_ELEM, step);
          assertThat(found).isEqualTo(old.map(values -> values.get(copy)).orElse(0L));
        }
        default -> {
          machine.map("m").clear();
          model.clear();
          if (array) {
            fill(model, copies);
          }
        }
      }
      assertThat(contents(machine.map("m"))).isEqualTo(model);
      assertThat(machine.map("m").size()).isEqualTo(model.size());
    }
  }

  private static long expectedOfHash(int flags, boolean present, int size) {
    if (present) {
      return flags == 1 ? -EEXIST : 0;
    }
    return flags == 2 ? -ENOENT : size == ENTRIES ? -E2BIG : 0;
  }

  private static void fill(Map<Integer, List<Long>> model, int copies) {
    for (int i = 0; i < ENTRIES; i++) {
      model.put(i, zeroes(copies));
    }
  }

  private static List<Long> zeroes(int copies) {
    return List.copyOf(Collections.nCopies(copies, 0L));
  }

  /** Calls the helper of a step; returns its result, for lookups the value. */
  private static long run(VirtualMachine machine, Helper helper, Step step) {
    BpfProgram program = PROGRAMS.computeIfAbsent(helper, MapStoreTest::calling);
    ByteBuffer context = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
    context.putInt(0, step.key()).putLong(8, step.value()).putLong(16, step.flags());
    return machine.run(program, context.array(), Task.of(1, "init").at(step.cpu(), 0));
  }

  private static BpfProgram calling(Helper helper) {
    return program(
        24,
        mov(R6, R1),
        load(Size.W, R2, R6, 0),
        store(Size.W, R10, -4, R2),
        load(Size.DW, R2, R6, 8),
        store(Size.DW, R10, -16, R2),
        load(Size.DW, R4, R6, 16),
        map(R1, "m"),
        mov(R2, R10),
        add(R2, -4),
        mov(R3, R10),
        add(R3, -16),
        call(helper),
        jump(JumpOp.JEQ, R0, 0, "end"),
        jump(JumpOp.JNE, R0, 0, helper == Helper.MAP_LOOKUP_ELEM ? "found" : "end"),
        label("found"),
        load(Size.DW, R0, R0, 0),
        label("end"),
        exit());
  }

  private VirtualMachine machine(MapType type) {
    return new VirtualMachine(
        List.of(new BpfMap("m", type, 4, 8, ENTRIES)),
        CPUS,
        VmOptions.DEFAULT.withEngine(engine()));
  }

  /**
   * Returns what runs the programs of these tests; {@link TranslatorTest} runs them with another.
   */
  Engine engine() {
    return Engine.INTERPRETER;
  }

  private static Map<Integer, List<Long>> contents(MapStore map) {
    Map<Integer, List<Long>> contents = new LinkedHashMap<>();
    map.forEach(
        (key, values) ->
            contents.put(
                ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN).getInt(),
                values.stream()
                    .map(value -> ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getLong())
                    .toList()));
    return contents;
  }

  private static byte[] key(int key) {
    return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(key).array();
  }

  private static byte[] value(long value) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }
}
