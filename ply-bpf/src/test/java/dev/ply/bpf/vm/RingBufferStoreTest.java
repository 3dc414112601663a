package dev.ply.bpf.vm;

import static dev.ply.bpf.isa.Register.R0;
import static dev.ply.bpf.isa.Register.R1;
import static dev.ply.bpf.isa.Register.R10;
import static dev.ply.bpf.isa.Register.R2;
import static dev.ply.bpf.isa.Register.R3;
import static dev.ply.bpf.isa.Register.R4;
import static dev.ply.bpf.isa.Register.R6;
import static dev.ply.bpf.vm.Code.add;
import static dev.ply.bpf.vm.Code.call;
import static dev.ply.bpf.vm.Code.exit;
import static dev.ply.bpf.vm.Code.jump;
import static dev.ply.bpf.vm.Code.label;
import static dev.ply.bpf.vm.Code.map;
import static dev.ply.bpf.vm.Code.mov;
import static dev.ply.bpf.vm.Code.program;
import static dev.ply.bpf.vm.Code.store;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.vm.helper.Task;
import dev.ply.bpf.vm.map.RingBufferStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class RingBufferStoreTest {
  private static final int CAPACITY = 4096;
  private static final int EAGAIN = 11;

  private final VirtualMachine machine =
      new VirtualMachine(
          List.of(new BpfMap("ring", MapType.RINGBUF, 0, 0, CAPACITY)),
          1,
          VmOptions.DEFAULT.withEngine(engine()));
  private final RingBufferStore ring = machine.ringBuffer("ring");

  /**
   * Returns what runs the programs of these tests; {@link TranslatorTest} runs them with another.
   */
  Engine engine() {
    return Engine.INTERPRETER;
  }

  @Test
  void submittedRecordsReachTheReaderInOrder() {
    run(reserveAndStore(8, 7, Helper.RINGBUF_SUBMIT));
    run(reserveAndStore(8, 8, Helper.RINGBUF_DISCARD));
    run(reserveAndStore(8, 9, Helper.RINGBUF_SUBMIT));

    assertThat(consume()).containsExactly(7, 9);
    assertThat(consume()).isEmpty();
  }

  @Test
  void outputCopiesFromTheStack() {
    Instruction[] code = {
      store(Size.W, R10, -4, 0x04030201),
      map(R1, "ring"),
      mov(R2, R10),
      add(R2, -4),
      mov(R3, 4),
      mov(R4, 1),
      call(Helper.RINGBUF_OUTPUT),
      exit()
    };

    assertThat(run(code)).isZero();
    List<byte[]> records = new ArrayList<>();
    assertThat(ring.consume(records::add)).isEqualTo(1);
    assertThat(records.get(0)).containsExactly(1, 2, 3, 4);
  }

  @Test
  void recordsHaveAHeaderAndAreRoundedUp() {
    run(reserveAndStore(9, 1, Helper.RINGBUF_SUBMIT));

    assertThat(query(0)).isEqualTo(24);
    assertThat(query(1)).isEqualTo(CAPACITY);
    assertThat(query(2)).isZero();
    assertThat(query(3)).isEqualTo(24);
    ring.consume(record -> {});
    assertThat(query(0)).isZero();
    assertThat(query(2)).isEqualTo(24);
    assertThat(query(99)).isZero();
  }

  @Test
  void oneRecordDoesNotFillTheWholeBuffer() {
    assertThat(run(reserveAndStore(CAPACITY - 8, 1, Helper.RINGBUF_SUBMIT))).isEqualTo(-1);
    assertThat(run(reserveAndStore(CAPACITY - 16, 1, Helper.RINGBUF_SUBMIT))).isZero();
    assertThat(run(reserveAndStore(0, 1, Helper.RINGBUF_SUBMIT))).isEqualTo(-1);
  }

  @Test
  void invalidSizesAndFlagsReturnNull() {
    assertThat(run(map(R1, "ring"), Code.wide(R2, Long.MAX_VALUE), mov(R3, 0), reserve(), exit()))
        .isZero();
    assertThat(run(map(R1, "ring"), mov(R2, -1), mov(R3, 0), reserve(), exit())).isZero();
    assertThat(run(map(R1, "ring"), mov(R2, 8), mov(R3, 1), reserve(), exit())).isZero();
  }

  @Test
  void outputIntoAFullBufferReturnsEagain() {
    run(reserveAndStore(CAPACITY - 16, 1, Helper.RINGBUF_SUBMIT));
    Instruction[] code = {
      store(Size.DW, R10, -8, 1),
      map(R1, "ring"),
      mov(R2, R10),
      add(R2, -8),
      mov(R3, 8),
      mov(R4, 0),
      call(Helper.RINGBUF_OUTPUT),
      exit()
    };

    assertThat(run(code)).isEqualTo(-EAGAIN);
    assertThat(consume()).containsExactly(1);
    assertThat(run(code)).isZero();
  }

  @Test
  void uninitialisedBytesAreFiller() {
    run(
        map(R1, "ring"),
        mov(R2, 2),
        mov(R3, 0),
        reserve(),
        store(Size.B, R0, 0, 5),
        mov(R1, R0),
        mov(R2, 0),
        call(Helper.RINGBUF_SUBMIT),
        mov(R0, 0),
        exit());

    ring.consume(record -> assertThat(record).containsExactly(5, 0xdb));
  }

  @Property(tries = 200)
  void everyReservedRecordIsConsumed(@ForAll List<@IntRange(min = 1, max = 1500) Integer> sizes) {
    ring.consume(left -> {}); // Drains the previous try: jqwik shares one instance.
    Deque<Integer> model = new ArrayDeque<>();
    long used = 0;
    for (int size : sizes) {
      long footprint = (size + 8L + 7) / 8 * 8;
      boolean fits = used + footprint < CAPACITY;
      assertThat(run(reserveAndStore(size, size, Helper.RINGBUF_SUBMIT))).isEqualTo(fits ? 0 : -1);
      if (fits) {
        model.add(size);
        used += footprint;
      } else {
        assertThat(ring.consume(record -> assertThat(record).hasSize(model.remove()))).isPositive();
        assertThat(model).isEmpty();
        used = 0;
      }
      assertThat(ring.available()).isEqualTo(used);
      assertThat(ring.producerPosition() - ring.consumerPosition()).isEqualTo(used);
    }
  }

  private static Instruction reserve() {
    return call(Helper.RINGBUF_RESERVE);
  }

  /** Returns code whose result is 0, or -1 if the reservation fails. */
  private static Instruction[] reserveAndStore(int size, int value, Helper release) {
    return new Instruction[] {
      map(R1, "ring"),
      mov(R2, size),
      mov(R3, 0),
      reserve(),
      mov(R6, R0),
      mov(R0, -1),
      jump(JumpOp.JEQ, R6, 0, "end"),
      store(Size.B, R6, 0, value),
      mov(R1, R6),
      mov(R2, 0),
      call(release),
      mov(R0, 0),
      label("end"),
      exit()
    };
  }

  private long query(int what) {
    return run(map(R1, "ring"), mov(R2, what), call(Helper.RINGBUF_QUERY), exit());
  }

  private List<Integer> consume() {
    List<Integer> values = new ArrayList<>();
    ring.consume(record -> values.add((int) record[0]));
    return values;
  }

  private long run(Instruction... code) {
    return machine.run(program(0, code), new byte[0], Task.of(1, "init"));
  }
}
