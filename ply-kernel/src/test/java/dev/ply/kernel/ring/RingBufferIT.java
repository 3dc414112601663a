package dev.ply.kernel.ring;

import static dev.ply.kernel.Live.call;
import static dev.ply.kernel.Live.copy;
import static dev.ply.kernel.Live.exit;
import static dev.ply.kernel.Live.insn;
import static dev.ply.kernel.Live.loadMap;
import static dev.ply.kernel.Live.move;
import static dev.ply.kernel.Live.program;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.object.ProgramType;
import dev.ply.kernel.Live;
import dev.ply.kernel.load.LoadedMap;
import dev.ply.kernel.load.LoadedProgram;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("live")
@Tag("oldest")
final class RingBufferIT {
  private static final BpfMap EVENTS = new BpfMap("events", MapType.RINGBUF, 0, 0, 4096);
  private static final Duration AGES = Duration.ofMinutes(5);

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  @Test
  void whatAProgramOutputsArrives() {
    try (LoadedMap map = LoadedMap.create(EVENTS);
        LoadedProgram output = output(map);
        RingBuffer ring = RingBuffer.open(map)) {
      List<Long> seen = new ArrayList<>();
      // Forty times around the ring, so that records cross its end.
      for (long i = 0; i < 10_000; i++) {
        assertThat(output.testRun(i)).isZero();
        if (i % 100 == 99) {
          assertThat(ring.poll(AGES, (memory, start, length) -> seen.add(memory.getLong(start))))
              .isEqualTo(100);
        }
      }
      assertThat(seen).hasSize(10_000).isSorted().startsWith(0L).endsWith(9_999L);
      assertThat(ring.availableBytes()).isZero();
    }
  }

  @Test
  void aFullRingRefusesRecordsUntilItIsRead() {
    try (LoadedMap map = LoadedMap.create(EVENTS);
        LoadedProgram output = output(map);
        RingBuffer ring = RingBuffer.open(map)) {
      int accepted = 0;
      while (output.testRun(accepted) == 0) {
        accepted++;
      }
      assertThat(ring.poll(Duration.ZERO, (memory, start, length) -> {})).isEqualTo(accepted);
      assertThat(output.testRun(0)).isZero();
    }
  }

  @Test
  void pollingWithoutTimeReturnsAtOnce() {
    try (LoadedMap map = LoadedMap.create(EVENTS);
        RingBuffer ring = RingBuffer.open(map)) {
      assertThat(ring.poll(Duration.ZERO, (memory, start, length) -> {})).isZero();
    }
  }

  @Test
  void aRecordEndsTheWait() throws Exception {
    try (LoadedMap map = LoadedMap.create(EVENTS);
        LoadedProgram output = output(map);
        RingBuffer ring = RingBuffer.open(map)) {
      CompletableFuture<Integer> poll =
          CompletableFuture.supplyAsync(() -> ring.poll(AGES, (memory, start, length) -> {}));
      assertThat(output.testRun(1)).isZero();
      assertThat(poll.get(1, TimeUnit.MINUTES)).isEqualTo(1);
    }
  }

  @Test
  void anotherThreadEndsTheWait() throws Exception {
    try (LoadedMap map = LoadedMap.create(EVENTS);
        RingBuffer ring = RingBuffer.open(map)) {
      CompletableFuture<Integer> poll =
          CompletableFuture.supplyAsync(() -> ring.poll(AGES, (memory, start, length) -> {}));
      ring.wakeUp();
      assertThat(poll.get(1, TimeUnit.MINUTES)).isZero();
    }
  }

  @Test
  void closingEndsTheWait() throws Exception {
    try (LoadedMap map = LoadedMap.create(EVENTS)) {
      RingBuffer ring = RingBuffer.open(map);
      CompletableFuture<Integer> poll =
          CompletableFuture.supplyAsync(() -> ring.poll(AGES, (memory, start, length) -> {}));
      ring.close();
      ring.close();
      assertThat(poll.get(1, TimeUnit.MINUTES)).isZero();
      assertThat(ring.poll(AGES, (memory, start, length) -> {})).isZero();
    }
  }

  @Test
  void otherMapsAreNoRingBuffers() {
    try (LoadedMap map = LoadedMap.create(new BpfMap("table", MapType.HASH, 4, 8, 1))) {
      assertThatThrownBy(() -> RingBuffer.open(map))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("map \"table\" is no ring buffer but HASH");
    }
  }

  /** Outputs the context's first argument; returns what the helper returns. */
  private static LoadedProgram output(LoadedMap map) {
    byte[] code =
        program(
            insn(0x79, 2, 1, 0, 0),
            insn(0x7b, 10, 2, -8, 0),
            loadMap(1, map),
            copy(2, 10),
            insn(0x07, 2, 0, 0, -8),
            move(3, 8),
            move(4, 0),
            call(130),
            exit());
    return LoadedProgram.load("output", ProgramType.RAW_TRACEPOINT, code);
  }
}
