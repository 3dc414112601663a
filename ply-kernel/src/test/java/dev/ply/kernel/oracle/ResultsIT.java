package dev.ply.kernel.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.bpf.asm.Disassembler;
import dev.ply.bpf.generate.MachinePrograms;
import dev.ply.bpf.generate.MapContents;
import dev.ply.bpf.generate.Search;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.verifier.Verifier;
import dev.ply.bpf.vm.VirtualMachine;
import dev.ply.bpf.vm.helper.Task;
import dev.ply.kernel.Live;
import dev.ply.kernel.RunningKernel;
import dev.ply.kernel.load.LoadedMap;
import dev.ply.kernel.load.LoadedProgram;
import dev.ply.kernel.ring.RingBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Programs that compute do the same on the virtual machine and in the kernel: {@code
 * -Dharness.results=N} of them. Nothing is attached.
 */
@Tag("live")
@Tag("oldest")
class ResultsIT {
  private static final int PIECES = 8;
  private static final int USUALLY = System.getProperty("ply.guest") == null ? 200 : 20;
  private static final int RUNS = 3;

  private static final String EVENTS = "events";
  private static final List<BpfMap> WRITABLE =
      MachinePrograms.MAPS.stream()
          .filter(map -> map.type() != MapType.RINGBUF && map.content().isEmpty())
          .toList();

  private final CallingThread thread = CallingThread.now();
  private final Task task =
      new Task(
          new Task.Identity(thread.pid(), thread.tid(), thread.uid(), thread.gid(), thread.comm()));
  private int runs;
  private int submitted;
  private int refused;

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  /** A program, and what it finds each time that it runs. */
  private record Trial(BpfProgram program, List<MapContents> before, List<ByteBuffer> contexts) {
    @Override
    public String toString() {
      return Disassembler.listing(program.code())
          + before
          + "\n"
          + contexts.stream().map(Trial::words).collect(Collectors.joining("\n"));
    }

    private static String words(ByteBuffer context) {
      StringBuilder text = new StringBuilder("context");
      for (long word : ResultsIT.words(context)) {
        text.append(" 0x").append(Long.toHexString(word));
      }
      return text.toString();
    }
  }

  /** What programs return, the lower half as test runs tell it, leave in maps, and submit. */
  private record Effects(List<Integer> results, List<MapContents> maps, List<ByteBuffer> records) {}

  private static Arbitrary<Trial> trials() {
    Arbitrary<List<MapContents>> contents =
        Combinators.combine(MapContents.of(WRITABLE.get(0), 1), MapContents.of(WRITABLE.get(1), 1))
            .as(List::of);
    return Combinators.combine(
            MachinePrograms.computations(PIECES),
            contents,
            MapContents.bytes(MachinePrograms.CONTEXT_BYTES).list().ofSize(RUNS))
        .as(Trial::new);
  }

  @Test
  void programsDoTheSameOnTheMachineAndInTheKernel() {
    assumeTrue(
        new RunningKernel().version().isAtLeast(6, 4),
        "before Linux 6.4 the upper half of what helpers of maps return is not their result's");
    Verifier verifier = new Verifier(MachinePrograms.MAPS);
    try (KernelVerdicts kernel = new KernelVerdicts(MachinePrograms.MAPS);
        RingBuffer events = RingBuffer.open(kernel.map(EVENTS))) {
      Search.of("harness.results", USUALLY)
          .check(
              ResultsIT::trials,
              trial -> {
                if (!verifier.verify(trial.program()).isAccepted()) {
                  refused++;
                  return;
                }
                try (KernelVerdicts.Verdict verdict = kernel.of(trial.program())) {
                  LoadedProgram loaded =
                      verdict.program().orElseThrow(() -> new AssertionError(verdict.log()));
                  assertThat(inKernel(trial, kernel, events, loaded)).isEqualTo(onMachine(trial));
                  runs += RUNS;
                }
              });
    }
    System.out.println(
        "computations: "
            + runs
            + " runs with equal effects, "
            + submitted
            + " records among them, "
            + refused
            + " programs refused");
    assertThat(runs).isPositive();
  }

  private Effects onMachine(Trial trial) {
    VirtualMachine machine = new VirtualMachine(MachinePrograms.MAPS, 1);
    trial.before().forEach(contents -> contents.putInto(machine));
    List<Integer> results = new ArrayList<>();
    List<ByteBuffer> records = new ArrayList<>();
    for (ByteBuffer context : trial.contexts()) {
      results.add((int) machine.run(trial.program(), MapContents.array(context), task));
    }
    machine.ringBuffer(EVENTS).consume(record -> records.add(ByteBuffer.wrap(record)));
    submitted += records.size();
    return new Effects(
        results, WRITABLE.stream().map(map -> MapContents.of(map, machine)).toList(), records);
  }

  private static Effects inKernel(
      Trial trial, KernelVerdicts kernel, RingBuffer events, LoadedProgram program) {
    for (MapContents contents : trial.before()) {
      LoadedMap map = kernel.map(contents.map().name());
      map.clear();
      contents
          .entries()
          .forEach(
              (key, values) ->
                  map.update(MapContents.array(key), MapContents.array(values.get(0))));
    }
    List<Integer> results = new ArrayList<>();
    for (ByteBuffer context : trial.contexts()) {
      results.add(program.testRun(words(context)));
    }
    List<MapContents> after = new ArrayList<>();
    for (BpfMap map : WRITABLE) {
      Map<ByteBuffer, List<ByteBuffer>> entries = new LinkedHashMap<>();
      kernel
          .map(map.name())
          .forEach(
              (key, values) ->
                  entries.put(
                      ByteBuffer.wrap(MapContents.array(key)),
                      values.stream()
                          .map(value -> ByteBuffer.wrap(MapContents.array(value)))
                          .toList()));
      after.add(MapContents.of(map, entries));
    }
    List<ByteBuffer> records = new ArrayList<>();
    events.poll(
        Duration.ZERO,
        (memory, start, length) -> {
          byte[] record = new byte[length];
          memory.get(start, record);
          records.add(ByteBuffer.wrap(record));
        });
    return new Effects(results, after, records);
  }

  private static long[] words(ByteBuffer context) {
    long[] words = new long[MachinePrograms.CONTEXT_BYTES / Long.BYTES];
    context.duplicate().order(ByteOrder.nativeOrder()).asLongBuffer().get(words);
    return words;
  }
}
