package dev.ply.kernel.ring;

import static dev.ply.kernel.Live.call;
import static dev.ply.kernel.Live.copy;
import static dev.ply.kernel.Live.exit;
import static dev.ply.kernel.Live.insn;
import static dev.ply.kernel.Live.loadMap;
import static dev.ply.kernel.Live.move;
import static dev.ply.kernel.Live.program;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.bpf.btf.BtfTypes;
import dev.ply.bpf.btf.TypedFunction;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.object.ProgramType;
import dev.ply.kernel.Live;
import dev.ply.kernel.load.AttachTarget;
import dev.ply.kernel.load.LoadedMap;
import dev.ply.kernel.load.LoadedProgram;
import dev.ply.kernel.sys.BpfAttr;
import dev.ply.kernel.sys.BpfCommand;
import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.sys.SystemCalls;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What programs write to perf events, packets among it, arrives. */
@Tag("live")
@Tag("oldest")
final class OutputRingsIT {
  private static final BpfMap EVENTS = new BpfMap("packets", MapType.PERF_EVENT_ARRAY, 4, 4, 8192);
  private static final Path TYPES = Path.of("/sys/kernel/btf/vmlinux");
  private static final int ETHERNET_HEADER = 14;
  private static final int HEADERS = ETHERNET_HEADER + 28;
  private static final int ENOSPC = 28;

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  @Test
  void whatAProgramOutputsArrivesUntilTheBufferIsFull() {
    try (LoadedMap map = LoadedMap.create(EVENTS);
        LoadedProgram output = output(map);
        OutputRings rings = OutputRings.open(map)) {
      List<Long> seen = new ArrayList<>();
      for (long i = 0; i < 1000; i++) {
        assertThat(output.testRun(i)).isZero();
      }
      int records = rings.poll((memory, start, length) -> seen.add(memory.getLong(start)));
      assertThat(records).isEqualTo(1000);
      assertThat(seen).containsExactlyInAnyOrderElementsOf(range(1000));
      int result = 0;
      for (long i = 0; i < 200_000 && result == 0; i++) {
        result = output.testRun(i);
      }
      assertThat(result).isEqualTo(-ENOSPC);
      assertThat(rings.poll((memory, start, length) -> {})).isGreaterThan(1000);
      assertThat(rings.poll((memory, start, length) -> {})).isZero();
      assertThat(output.testRun(0)).isZero();
    }
  }

  private static List<Long> range(long end) {
    List<Long> range = new ArrayList<>();
    for (long i = 0; i < end; i++) {
      range.add(i);
    }
    return range;
  }

  /** The packet that this process sends to itself, at a tracepoint that receives it by type. */
  @Test
  void theKernelCopiesPackets() throws IOException {
    assumeTrue(Files.exists(TYPES), "this kernel has no BTF");
    Optional<TypedFunction> probe =
        BtfTypes.open(TYPES, BtfTypes.Loads.LENIENT).typedProbe("net_dev_queue");
    assumeTrue(probe.isPresent(), "this kernel's tracepoints have no types");
    byte[] text = "packets are copied".getBytes(StandardCharsets.US_ASCII);
    int length = HEADERS + text.length;
    AttachTarget target =
        new AttachTarget(
            ProgramType.TYPED_TRACEPOINT.attachType(),
            probe.get().signature().id(),
            Optional.empty());
    List<String> seen = new ArrayList<>();
    try (LoadedMap map = LoadedMap.create(EVENTS);
        LoadedProgram program =
            LoadedProgram.load(
                "packets", ProgramType.TYPED_TRACEPOINT, target, packets(map, length));
        OutputRings rings = OutputRings.open(map);
        FileDescriptor link =
            SystemCalls.openBpf(
                BpfCommand.RAW_TRACEPOINT_OPEN, BpfAttr.bound(program.descriptor()), "packets");
        DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      assertThat(link.isClosed()).isFalse();
      socket.send(
          new DatagramPacket(text, text.length, socket.getLocalAddress(), socket.getLocalPort()));
      rings.poll(
          (memory, start, size) -> {
            byte[] packet = new byte[length];
            memory.get(start + 16, packet);
            assertThat(size).isGreaterThanOrEqualTo(16 + length);
            assertThat(packet[ETHERNET_HEADER]).isEqualTo((byte) 0x45);
            seen.add(new String(packet, HEADERS, text.length, StandardCharsets.US_ASCII));
          });
    }
    assertThat(seen).containsExactly("packets are copied");
  }

  /** Outputs the context's first argument; returns what the helper returns. */
  private static LoadedProgram output(LoadedMap map) {
    byte[] code =
        program(
            insn(0x79, 2, 1, 0, 0),
            insn(0x7b, 10, 2, -8, 0),
            loadMap(2, map),
            // 32 bits: BPF_F_CURRENT_CPU.
            insn(0xb4, 3, 0, 0, -1),
            copy(4, 10),
            insn(0x07, 4, 0, 0, -8),
            move(5, 8),
            call(Helper.PERF_EVENT_OUTPUT.number()),
            exit());
    return LoadedProgram.load("output", ProgramType.RAW_TRACEPOINT, code);
  }

  /** Outputs 16 bytes and the packet of the first argument, if this process sends it. */
  private static byte[] packets(LoadedMap map, int length) {
    return program(
        copy(6, 1),
        call(Helper.GET_CURRENT_PID_TGID.number()),
        insn(0x77, 0, 0, 0, 32),
        insn(0x55, 0, 0, 11, (int) ProcessHandle.current().pid()),
        insn(0x7a, 10, 0, -16, 0),
        insn(0x7a, 10, 0, -8, 0),
        insn(0x79, 1, 6, 0, 0),
        loadMap(2, map),
        program(insn(0x18, 3, 0, 0, -1), insn(0, 0, 0, 0, length)),
        copy(4, 10),
        insn(0x07, 4, 0, 0, -16),
        move(5, 16),
        call(Helper.SKB_OUTPUT.number()),
        move(0, 0),
        exit());
  }
}
