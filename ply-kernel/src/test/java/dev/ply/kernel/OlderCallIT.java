package dev.ply.kernel;

import static dev.ply.Values.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.AggregateProbe;
import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.Tracer;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.machine.Architecture;
import dev.ply.result.Loss;
import dev.ply.target.Mechanism;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The calls that 32-bit programs make have the numbers of others, and are not taken for these. */
@Tag("live")
@Tag("oldest")
class OlderCallIT {
  /** What no other process writes to. */
  private static final int FILE = 1_000_000 + (int) ProcessHandle.current().pid();

  /**
   * With the same registers, writes by {@code syscall} and exits by {@code int 0x80}; both are 1.
   */
  private static final byte[] CODE =
      HexFormat.of()
          .parseHex(
              "b801000000" // mov eax, 1
                  + ("bf" + littleEndian(FILE)) // mov edi, FILE
                  + "31f6" // xor esi, esi
                  + "31d2" // xor edx, edx
                  + "0f05" // syscall
                  + "31db" // xor ebx, ebx
                  + "b801000000" // mov eax, 1
                  + "cd80"); // int 0x80

  private static final AggregateProbe<Long> WRITES =
      Probe.tracepoint("syscalls:sys_enter_write").where(field("fd").eq(FILE)).count();

  @TempDir private static Path directory = Path.of("");

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
    assumeTrue(
        new RunningKernel().architecture() == Architecture.X86_64, "another architecture's calls");
  }

  @ParameterizedTest
  @EnumSource(names = {"FENTRY_SYSCALL", "RAW_SYSCALLS", "TRACEPOINT"})
  void areNotCounted(Mechanism how) throws Exception {
    Optional<String> reason = new RunningKernel().attachFeatures().reasonAgainst(how);
    assumeTrue(reason.isEmpty(), () -> reason.orElse(""));
    Path program = program();
    try (Tracer tracer = KernelTracer.open(CompilerOptions.DEFAULT.attachedBy(how));
        Session session = tracer.start(WRITES)) {
      Process process = new ProcessBuilder(program.toString()).inheritIO().start();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      session.stop();
      assumeTrue(process.exitValue() == 0, "the kernel takes no calls of 32-bit programs");
      assertThat(session.read(WRITES).get()).contains(1L);
      assertThat(session.lost(Loss.MISSED_RUNS)).isZero();
    }
  }

  private static String littleEndian(int number) {
    return HexFormat.of().toHexDigits(Integer.reverseBytes(number));
  }

  /** Writes the smallest executable that does it: two headers (elf(5)) and the code. */
  private static Path program() throws IOException {
    long address = 0x400000;
    int headers = 64 + 56;
    int size = headers + CODE.length;
    ByteBuffer file = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    file.putInt(0x464c457f).put((byte) 2).put((byte) 1).put((byte) 1).position(16);
    file.putShort((short) 2).putShort((short) 62).putInt(1);
    file.putLong(address + headers).putLong(64).putLong(0).putInt(0);
    file.putShort((short) 64).putShort((short) 56).putShort((short) 1).position(64);
    file.putInt(1).putInt(5).putLong(0).putLong(address).putLong(address);
    file.putLong(size).putLong(size).putLong(4096).put(CODE);
    Path program = directory.resolve("older");
    Files.write(program, file.array());
    return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
  }
}
