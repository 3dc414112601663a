package dev.ply.kernel.symbol;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import dev.ply.kernel.Live;
import dev.ply.kernel.tracefs.Tracefs;
import dev.ply.selector.Glob;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("live")
@Tag("once")
@EnabledIfSystemProperty(
    named = "ply.guest",
    matches = ".+",
    disabledReason = "makes an instance of the tracer: only where nobody else traces")
final class FtraceFunctionsIT {
  private final FtraceFunctions functions = new FtraceFunctions(Tracefs::open);

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  @ParameterizedTest
  @ValueSource(strings = {"vfs_*", "vfs_rea?", "*_read", "pc*", "vfs_[rw]*", "vfs_read"})
  void theKernelFindsWhatIsInTheWholeList(String pattern) throws IOException {
    Glob wanted = new Glob(pattern);
    byte[] all = FunctionList.read(Tracefs.open().file("available_filter_functions"));
    List<String> expected = matching(all, wanted);
    assertThat(expected).isNotEmpty();
    assertThat(matching(functions.filtered(wanted).orElseThrow(), wanted))
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(instances()).isEmpty();
  }

  @Test
  void whatNoFunctionIsCalledIsNotFound() {
    assertThat(functions.filtered(new Glob("no_such_function_*"))).contains(new byte[0]);
    assertThat(instances()).isEmpty();
  }

  @Test
  void whatKilledProcessesLeftIsRemoved() throws IOException {
    Path self = Path.of("/proc/self/ns/pid");
    String namespace = Files.readSymbolicLink(self).toString().replaceAll("\\D", "");
    String gone = "ply_" + Long.toHexString(Long.parseLong(namespace)) + "_999999_1_00000000";
    Path theirs = Files.createDirectory(Tracefs.open().file("instances", "theirs"));
    try {
      Files.createDirectory(Tracefs.open().file("instances", gone));
      assertThat(functions.filtered(new Glob("vfs_*"))).isPresent();
      assertThat(instances()).containsExactly("theirs");
    } finally {
      Files.delete(theirs);
    }
  }

  private static List<String> matching(byte[] list, Glob wanted) {
    return new String(list, StandardCharsets.ISO_8859_1)
        .lines()
        .filter(line -> wanted.matches(line.split(" ", 2)[0]))
        .toList();
  }

  /** Returns the names of the instances that are there once ours are removed. */
  private static List<String> instances() {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals(FtraceFunctions.REMOVAL)) {
        Uninterruptibles.joinUninterruptibly(thread);
      }
    }
    try (Stream<Path> all = Files.list(Tracefs.open().file("instances"))) {
      return all.map(path -> path.getFileName().toString()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
