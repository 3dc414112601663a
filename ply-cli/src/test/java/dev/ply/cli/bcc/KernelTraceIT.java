package dev.ply.cli.bcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.cli.Call;
import dev.ply.kernel.Live;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs of {@code ply trace} that need probes of kernel functions. */
@Tag("live")
@Tag("once")
@Timeout(300)
class KernelTraceIT {
  private static final String READS = "exec dd if=/dev/zero of=/dev/null bs=1234 count=3";

  @BeforeEach
  void assumeKprobes() {
    Live.assumeTracing();
    assumeTrue(
        Files.exists(Path.of("/sys/bus/event_source/devices/kprobe")),
        "this kernel has no kprobes");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "vfs_read (arg3 == 1234) \"%d\", arg3              | vfs_read         1234",
        "r::vfs_read (retval == 1234) \"%llu\", retval     | vfs_read         1234",
        "p::vfs_read(struct file *f, char *b, size_t n) (n == 1234) \"%s %lu\","
            + " f->f_path.dentry->d_name.name, n | vfs_read         zero 1234",
        "sys_read (arg3 == 1234) \"%d\", arg1              | sys_read         0",
        "do_sys_openat2 \"%s\", arg2@user                  | do_sys_openat2   /dev/zero"
      })
  void valuesAreThoseOfTheCalls(String specifier, String end) {
    Call call = Call.ply("trace", "-n", "dd", "--command", READS, specifier.strip());
    assertThat(call.output().lines())
        .as(call.errors())
        .anyMatch(line -> line.matches("(\\d+) +\\1 +dd +\\Q" + end.strip() + "\\E"));
    assertThat(call.status()).isZero();
  }
}
