package dev.ply.kernel.oracle;

import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.generate.Surroundings;
import dev.ply.bpf.object.ProgramType;
import dev.ply.bpf.oracle.Oracle;
import dev.ply.bpf.oracle.Outcome;
import dev.ply.bpf.oracle.Play;
import dev.ply.bpf.oracle.Scenario;
import dev.ply.bpf.oracle.Scenario.Step;
import dev.ply.bpf.oracle.World;
import dev.ply.bpf.session.MachineTracer;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.bpf.simulate.Circumstances;
import dev.ply.bpf.simulate.ContextBuilder;
import dev.ply.bpf.simulate.Firing;
import dev.ply.kernel.sys.NativeMemory;
import dev.ply.probe.AttachPoint;
import dev.ply.target.PidNamespace;
import dev.ply.target.Target;
import dev.ply.type.AddressSpace;
import dev.ply.type.TextBytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Compiles scripts and has the running kernel run them, by BPF_PROG_TEST_RUN on the calling thread.
 * Needs the privileges of tracing and Linux 5.10. One thread, the one that made it.
 *
 * <p>Whoever fires is this thread: {@link #asSeen} says how a scenario looks to the kernel, and
 * {@link #world} who runs the rest. The thread takes the names of those who fire, and gets its own
 * back in the end.
 */
public final class KernelOracle implements Oracle, AutoCloseable {
  private static final int MEMORY_BYTES = 4096;
  private static final Path COMM = Path.of("/proc/thread-self/comm");

  private final Target target;
  private final TraceCompiler compiler;
  private final NativeMemory memory = NativeMemory.allocate(MEMORY_BYTES);
  private final CallingThread thread = CallingThread.now();
  private String comm;

  /** An oracle for scripts compiled for a target with these options. */
  public KernelOracle(Target target, CompilerOptions options) {
    this.target = target;
    this.compiler = new TraceCompiler(target, options);
    this.comm = thread.comm();
  }

  /** Returns what scripts and firings for this oracle may count on. */
  public Surroundings surroundings() {
    return Surroundings.testRun(memory.address());
  }

  /** Returns who runs what nothing fires. */
  public World world() {
    var ids = Optional.of(new PidNamespace.Ids(thread.namespace(), thread.pid(), thread.tid()));
    Circumstances own =
        new Circumstances(
            thread.pid(),
            thread.tid(),
            thread.uid(),
            thread.gid(),
            "ply",
            0,
            List.of(),
            List.of(),
            0,
            1,
            ids);
    return new World(own, own);
  }

  /** Returns a scenario as this thread plays it. A thread has a name. */
  public Scenario asSeen(Scenario scenario) {
    return scenario.map(
        firing -> {
          String name = firing.circumstances().comm();
          return firing
              .pid(thread.pid())
              .tid(thread.tid())
              .inPidNamespace(thread.namespace(), thread.pid(), thread.tid())
              .user(thread.uid(), thread.gid())
              .comm(name.isEmpty() ? "none" : name);
        });
  }

  /** Returns an oracle for what another compiler makes; it lives as long as this one. */
  public Oracle compilingWith(TraceCompiler other) {
    return scenario -> run(scenario, other);
  }

  @Override
  public Outcome run(Scenario scenario) {
    return run(scenario, compiler);
  }

  private Outcome run(Scenario scenario, TraceCompiler with) {
    List<TestRunMachine> machines = new ArrayList<>();
    takeName("ply");
    try (MachineTracer tracer =
        new MachineTracer(
            with,
            object -> {
              machines.add(new TestRunMachine(object));
              return machines.get(0);
            },
            MachineTracer.Reading.BY_CALLER)) {
      return Play.scenario(
          scenario,
          tracer,
          step -> {
            perform(machines.get(0), step);
            tracer.deliverEvents();
          });
    }
  }

  private void perform(TestRunMachine machine, Step step) {
    if (step instanceof Step.Fire fire) {
      Firing firing = fire.firing();
      takeName(firing.circumstances().comm());
      firing.placedTexts().forEach(this::put);
      boolean isRecord = firing.point() instanceof AttachPoint.Tracepoint;
      int size = isRecord ? 0 : target.architecture().registersSize();
      ProgramType how = isRecord ? ProgramType.TRACEPOINT : ProgramType.KPROBE;
      byte[] context = new ContextBuilder(target, how, size, firing).bytes();
      machine.happen(firing.point(), context);
      takeName("ply");
    } else {
      machine.tick();
    }
  }

  private void put(Firing.Location at, String text) {
    byte[] bytes = TextBytes.encode(text + "\0");
    long offset = at.address() - memory.address();
    if (at.space() != AddressSpace.USER || offset < 0 || offset + bytes.length > MEMORY_BYTES) {
      throw new IllegalArgumentException("this process has no room for texts at " + at);
    }
    memory.bytes().put((int) offset, bytes);
  }

  private void takeName(String name) {
    if (!name.equals(comm)) {
      try {
        Files.write(COMM, name.getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      comm = name;
    }
  }

  @Override
  public void close() {
    takeName(thread.comm());
  }
}
