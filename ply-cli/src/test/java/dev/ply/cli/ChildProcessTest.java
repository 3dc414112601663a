package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessTest {
  @TempDir Path directory = Path.of("");

  @Test
  void theCommandRunsOnceReleasedUnderTheNumberThatWasKnownBefore() throws Exception {
    Path file = directory.resolve("number");
    CountDownLatch ended = new CountDownLatch(1);
    try (ChildProcess child = ChildProcess.start("echo $$ >" + file + "; true")) {
      assertThat(file).doesNotExist();
      child.release(ended::countDown);
      assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(Files.readString(file).strip()).isEqualTo(Long.toString(child.pid()));
    }
  }

  @Test
  void aCommandThatIsNeverReleasedNeverRuns() throws Exception {
    Path file = directory.resolve("ran");
    Optional<ProcessHandle> process;
    try (ChildProcess child = ChildProcess.start("touch " + file)) {
      process = ProcessHandle.of(child.pid());
    }
    if (process.isPresent()) {
      process.get().onExit().get(30, TimeUnit.SECONDS);
    }
    assertThat(file).doesNotExist();
  }

  @RepeatedTest(20)
  void anEndIsNeverMissed() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    try (ChildProcess child = ChildProcess.start("exit 3")) {
      child.release(ended::countDown);
    }
    assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aCommandThatDiesWhileItWaitsEndsToo() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    try (ChildProcess child = ChildProcess.start("true")) {
      ProcessHandle process = ProcessHandle.of(child.pid()).orElseThrow();
      process.destroyForcibly();
      process.onExit().get(30, TimeUnit.SECONDS);
      child.release(ended::countDown);
      assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
    }
  }
}
