package dev.ply.bpf.simulate;

import static dev.ply.Values.number;
import static dev.ply.Values.text;
import static dev.ply.Values.ustack;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.ply.PreparedTrace;
import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.TraceFailedException;
import dev.ply.Tracer;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.session.MachineTracer;
import dev.ply.bpf.session.MachineTracer.Reading;
import dev.ply.bpf.vm.VirtualMachine;
import dev.ply.result.EndReason;
import dev.ply.result.Loss;
import dev.ply.target.Target;
import dev.ply.target.UserSymbols;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever a callback throws ends the trace in order, on the loop's own thread and on others. */
@Timeout(60)
class EventLoopErrorTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private final Error error = new LinkageError("thrown by a test");

  private final List<String> printed = new CopyOnWriteArrayList<>();
  private final List<VirtualKernel> kernels = new CopyOnWriteArrayList<>();

  private Tracer tracer(Reading reading, Target target) {
    return new MachineTracer(
        target,
        CompilerOptions.DEFAULT,
        object -> {
          VirtualKernel kernel =
              new VirtualKernel(object, target, 1, machine(object), kernels::remove);
          kernels.add(kernel);
          return kernel;
        },
        reading);
  }

  private void fire() {
    kernels.forEach(kernel -> kernel.fire(Firing.kprobe("f").userStack(1L)));
  }

  private static final Probe COUNTS = Probe.kprobe("f").count();
  private static final Probe PRINTS = Probe.kprobe("f").print(number(1));
  private static final Probe AT_END = Probe.end().print(text("end"));

  /** Waits for the failure, and checks that the trace then ends as any other. */
  private void endsInOrder(Session session, Throwable cause) throws InterruptedException {
    Throwable thrown = null;
    while (thrown == null) {
      thrown = catchThrowable(() -> session.await(LONG));
    }
    assertThat(thrown).isInstanceOf(TraceFailedException.class).hasCause(cause);
    assertThat(session.end()).contains(new EndReason.Failed(cause));
    assertThatThrownBy(session::stop).isInstanceOf(TraceFailedException.class).hasCause(cause);
    fire();
    assertThat(session.tables().get(0).table().single().toText()).isEqualTo("1");
    session.stop();
  }

  @ParameterizedTest
  @EnumSource(Reading.class)
  void anErrorOfAListener(Reading reading) throws Exception {
    try (Tracer tracer = tracer(reading, SimulatedTarget.create());
        Session session =
            tracer
                .prepare(COUNTS, PRINTS, AT_END)
                .printTo(
                    line -> {
                      if (line.equals("1\n")) {
                        throw error;
                      }
                      printed.add(line);
                    })
                .start()) {
      assertThat(session.end()).isEmpty();
      fire();
      endsInOrder(session, error);
      assertThat(printed).containsExactly("end\n");
    }
    assertThat(kernels).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Reading.class)
  void anErrorOfAnOutputStreamAndThenMore(Reading reading) throws Exception {
    IOException first = new IOException("full");
    OutputStream out =
        new OutputStream() {
          @Override
          public void write(int value) throws IOException {
            throw first;
          }

          @Override
          public void flush() {
            throw error;
          }
        };
    try (Tracer tracer = tracer(reading, SimulatedTarget.create());
        PreparedTrace trace = tracer.prepare(COUNTS, PRINTS, AT_END).writeTo(out)) {
      // What is flushed before anything was printed fails the start already: nothing is attached.
      Session session = trace.start();
      fire();
      assertThatThrownBy(() -> session.await(LONG)).hasCause(error);
      assertThatThrownBy(session::stop)
          .cause()
          .isSameAs(error)
          .satisfies(
              error ->
                  assertThat(error.getSuppressed())
                      .anySatisfy(
                          more ->
                              assertThat(more)
                                  .isInstanceOf(UncheckedIOException.class)
                                  .hasCause(first)));
    }
  }

  @ParameterizedTest
  @EnumSource(Reading.class)
  void anErrorOfSymbolisation(Reading reading) throws Exception {
    UserSymbols broken =
        new UserSymbols() {
          @Override
          public Optional<List<Frame>> frames(int process, List<Long> addresses) {
            throw error;
          }

          @Override
          public void remember(int process) {}

          @Override
          public void limitWait(Duration most) {}

          @Override
          public Optional<String> shortage() {
            return Optional.empty();
          }

          @Override
          public void close() {}
        };
    Target target = withUserSymbols(SimulatedTarget.create(), broken);
    try (Tracer tracer = tracer(reading, target);
        Session session =
            tracer
                .prepare(COUNTS, Probe.kprobe("f").print(ustack()), AT_END)
                .printTo(printed::add)
                .start()) {
      fire();
      endsInOrder(session, error);
      assertThat(printed).containsExactly("end\n");
    }
  }

  private static Target withUserSymbols(Target target, UserSymbols symbols) {
    return (Target)
        Proxy.newProxyInstance(
            Target.class.getClassLoader(),
            new Class<?>[] {Target.class},
            (proxy, method, arguments) ->
                method.getName().equals("userSymbols")
                    ? symbols
                    : method.invoke(target, arguments));
  }

  @Test
  void anErrorDuringBeginAttachesNothing() throws Exception {
    try (Tracer tracer = tracer(Reading.BY_THREAD, SimulatedTarget.create());
        Session session =
            tracer
                .prepare(COUNTS, Probe.begin().print(number(1)))
                .printTo(
                    line -> {
                      throw error;
                    })
                .start()) {
      assertThat(session.attachments()).isEmpty();
      assertThatThrownBy(() -> session.await(LONG)).hasCause(error);
    }
  }

  @Test
  void aListenerCannotCloseWhatCallsIt() throws Exception {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    CountDownLatch called = new CountDownLatch(1);
    for (Reading reading : Reading.values()) {
      try (Tracer tracer = tracer(reading, SimulatedTarget.create());
          PreparedTrace trace = tracer.prepare(PRINTS);
          Session session =
              trace
                  .printTo(
                      line -> {
                        thrown.set(catchThrowable(tracer::close));
                        Objects.requireNonNull(thrown.get())
                            .addSuppressed(catchThrowable(trace::close));
                        called.countDown();
                      })
                  .start()) {
        fire();
        assertThat(session.await(Duration.ZERO)).isFalse();
        assertThat(called.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(Objects.requireNonNull(thrown.get()))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("cannot stop it");
        assertThat(Objects.requireNonNull(thrown.get()).getSuppressed()).hasSize(1);
        // It was not closed half-way: another trace still starts.
        tracer.prepare(COUNTS).close();
        session.stop();
      }
    }
  }

  @Test
  void nothingStartsOnceTheTracerIsClosed() {
    Tracer tracer = tracer(Reading.BY_CALLER, SimulatedTarget.create());
    PreparedTrace prepared = tracer.prepare(COUNTS);
    tracer.close();
    tracer.close();

    assertThat(kernels).isEmpty();
    assertThatThrownBy(prepared::start).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> tracer.prepare(COUNTS))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the tracer is closed");
  }

  @Test
  void whereToPrintIsSaidBeforeTheStart() {
    try (Tracer tracer = tracer(Reading.BY_CALLER, SimulatedTarget.create());
        PreparedTrace prepared = tracer.prepare(PRINTS);
        Session session = prepared.start()) {
      assertThat(session.end()).isEmpty();
      assertThatThrownBy(() -> prepared.printTo(printed::add))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the output of a trace is set before its start");
    }
  }

  @ParameterizedTest
  @EnumSource(Reading.class)
  void aWaitMayBeAsLongAsADurationCanSay(Reading reading) throws Exception {
    try (Tracer tracer = tracer(reading, SimulatedTarget.create());
        Session session = tracer.prepare(Probe.kprobe("f").exit(3)).start()) {
      fire();
      assertThat(session.await(Duration.ofDays(200_000))).isTrue();
      assertThat(session.await(Duration.ofDays(-200_000))).isTrue();
      assertThat(session.end()).contains(new EndReason.Exited(3));
    }
  }

  /** The listener is stuck in its first call until the trace is being closed. */
  @Test
  void closingDropsWhatASlowListenerHasNoTimeFor() throws Exception {
    int events = 100;
    CountDownLatch closing = new CountDownLatch(1);
    Tracer tracer = tracer(Reading.BY_THREAD, SimulatedTarget.create());
    Session session =
        tracer
            .prepare(Collections.nCopies(events, PRINTS))
            .printTo(
                line -> {
                  printed.add(line);
                  await(closing);
                  spin(Duration.ofMillis(100));
                })
            .start();
    fire();
    CompletableFuture<Void> closed = CompletableFuture.runAsync(tracer::close);
    closing.countDown();
    closed.get(1, TimeUnit.MINUTES);

    assertThat(printed.size() + session.lost(Loss.UNDELIVERED)).isEqualTo(events);
    assertThat(session.lost(Loss.UNDELIVERED)).isPositive();
    assertThat(session.end()).contains(new EndReason.Stopped());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A listener that takes its time. */
  private static void spin(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  @Test
  void tracesThatNobodyCanReachAreClosed() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    abandon(closed);
    List<byte[]> garbage = new ArrayList<>();
    while (!closed.await(10, TimeUnit.MILLISECONDS)) {
      garbage.add(new byte[1 << 16]);
      System.gc();
    }
    assertThat(garbage).isNotNull();
  }

  private static void abandon(CountDownLatch closed) {
    Target target = SimulatedTarget.create();
    Tracer tracer =
        new MachineTracer(
            target,
            CompilerOptions.DEFAULT,
            object ->
                new VirtualKernel(object, target, 1, machine(object), kernel -> closed.countDown()),
            Reading.BY_THREAD);
    Session session = tracer.prepare(PRINTS).printTo(line -> {}).start();
    assertThat(session.end()).isEmpty();
  }

  private static VirtualMachine machine(BpfObject object) {
    return new VirtualMachine(object.maps(), 1);
  }

  @Test
  void anErrorThatIsThrownAgainIsNotMaskedByClosing() {
    // The virtual machine throws some errors several times, OutOfMemoryError for one.
    List<VirtualKernel> open = new CopyOnWriteArrayList<>();
    Target target = SimulatedTarget.create();
    Tracer tracer =
        new MachineTracer(
            target,
            CompilerOptions.DEFAULT,
            object -> {
              VirtualKernel kernel =
                  new VirtualKernel(
                      object,
                      target,
                      1,
                      machine(object),
                      closed -> {
                        open.remove(closed);
                        throw error;
                      });
              open.add(kernel);
              return kernel;
            },
            Reading.BY_CALLER);
    Session failing = tracer.start(COUNTS);
    PreparedTrace other = tracer.prepare(PRINTS);
    assertThat(failing.end()).isEmpty();
    assertThat(other.warnings()).isEmpty();
    assertThatThrownBy(tracer::close).isSameAs(error);
    assertThat(open).isEmpty();
    // Nothing is left to close.
    tracer.close();
  }
}
