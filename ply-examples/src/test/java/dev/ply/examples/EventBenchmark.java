package dev.ply.examples;

import static dev.ply.Values.comm;
import static dev.ply.Values.nsecs;
import static dev.ply.Values.pid;

import dev.ply.Probe;
import dev.ply.ProbeBuilder;
import dev.ply.Session;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.machine.Machine;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.EventSite;
import dev.ply.bpf.session.MachineTracer;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.type.StructField;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What an event costs the thread that handles it, from the ring buffer's record on. With {@code
 * -prof gc}, {@code gc.alloc.rate.norm} is the memory of an event.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class EventBenchmark {
  private static final int EVENTS = 1000;
  private static final long TIME = 1_234_567_890_123L;
  private static final int PID = 4711;
  private static final byte[] COMM = "java".getBytes(StandardCharsets.US_ASCII);

  private record Numbers(long time, int pid) {}

  private record Named(long time, int pid, String comm) {}

  /** How a program takes its events. */
  public enum Form {
    /** Records of two numbers, to a listener that keeps none. */
    NUMBERS,
    /** Records of two numbers and a string. */
    STRING,
    /** Lines with the two numbers. */
    LINES
  }

  /** A trace whose machine replays one event. */
  @State(Scope.Thread)
  public static class Replay {
    /** How events are taken. */
    @Param public Form form = Form.NUMBERS;

    /** What the program does with its events. */
    long sum;

    private MachineTracer tracer = tracer();

    /** Starts the trace. */
    @Setup
    public void start() {
      tracer = tracer();
      Session unused =
          switch (form) {
            case NUMBERS -> {
              var probe = point().emit(Numbers.class, nsecs(), pid());
              yield tracer
                  .prepare(probe)
                  .listen(probe, event -> sum += event.time() + event.pid())
                  .start();
            }
            case STRING -> {
              var probe = point().emit(Named.class, nsecs(), pid(), comm());
              yield tracer
                  .prepare(probe)
                  .listen(probe, event -> sum += event.pid() + event.comm().length())
                  .start();
            }
            case LINES ->
                tracer.prepare(point().print(nsecs(), pid())).writeTo(new Counted()).start();
          };
      // Starting polls, too.
      sum = 0;
    }

    /** Counts bytes. */
    private final class Counted extends OutputStream {
      @Override
      public void write(int octet) {
        sum++;
      }

      @Override
      public void write(byte[] bytes, int start, int length) {
        sum += length;
      }
    }

    /** Ends the trace. */
    @TearDown
    public void close() {
      tracer.close();
    }

    private static ProbeBuilder point() {
      return Probe.tracepoint("sched:sched_switch");
    }

    private static MachineTracer tracer() {
      return new MachineTracer(
          SimulatedTarget.create(),
          CompilerOptions.DEFAULT,
          Replay::machine,
          MachineTracer.Reading.BY_CALLER);
    }

    private static Machine machine(BpfObject object) {
      EventSite site = object.events().get(0);
      List<StructField> fields = site.layout().fields();
      ByteBuffer record =
          ByteBuffer.allocateDirect(site.layout().size()).order(ByteOrder.nativeOrder());
      record.putInt(0, site.id());
      record.putLong(fields.get(1).offset(), TIME).putInt(fields.get(2).offset(), PID);
      if (fields.size() > 3) {
        record.put(fields.get(3).offset(), COMM);
      }
      return new ReplayMachine(record.asReadOnlyBuffer().order(ByteOrder.nativeOrder()), EVENTS);
    }
  }

  /** One event. */
  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public long event(Replay replay) {
    replay.tracer.deliverEvents();
    return replay.sum;
  }
}
