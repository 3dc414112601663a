package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.cli.io.ExitCode;
import dev.ply.kernel.Live;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that scripts have, and this machine has no longer. */
@Tag("live")
@Tag("any-kernel")
class MovedNamesIT {
  /** A process of which a thread takes a lock: the tracer itself. */
  private static final String LOCK = "pthread_mutex_lock";

  @BeforeAll
  static void assumeTracing() {
    Live.assumeTracing();
    assumeTrue(
        Call.ply("bt", "--dry-run", "-e", "uprobe:c:" + LOCK + " { }").status() == ExitCode.OK,
        "libpthread is not a part of libc");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pthread",
        "libpthread",
        "libpthread.so.0",
        "/lib/x86_64-linux-gnu/libpthread.so.0",
        "/lib/x86_64-linux-gnu/libpthread-2.31.so"
      })
  void functionsOfLibpthreadAreThoseOfLibc(String library) {
    String program = "uprobe:" + library + ":" + LOCK + " { printf(\"%s\\n\", func); exit(); }";
    Call call = Call.ply("bt", "-q", "-e", program);
    assertThat(call.status()).isZero();
    assertThat(call.output()).startsWith(LOCK);
    assertThat(call.errors()).contains("is in libc here", "attached is uprobe:");
  }

  @Test
  void patternsSelectThemToo() {
    Call call = Call.ply("-e", "uprobe:dl:dlope[n] { } uretprobe:rt:timer_crea* { }");
    assertThat(call.status()).isZero();
    assertThat(call.errors()).contains("dlope[n] is in libc here");
  }

  @Test
  void whatLibcLacksIsAnErrorOfTheLibraryNamed() {
    Call call = Call.ply("-e", "uprobe:pthread:pthread_no_such { }");
    assertThat(call.status()).isEqualTo(1);
    assertThat(call.errors()).startsWith("error[unknown-function]").contains("libpthread.so.0");
  }

  @Test
  void probesThatThisMachineLacksCanBeLeftOut() {
    String probes = "t:sched:no_such { @ = count(); } BEGIN { printf(\"begun\\n\"); exit(0); }";
    assertThat(Call.ply(probes).status()).isEqualTo(1);
    Call warned = Call.ply("--missing-probes", "warn", probes);
    assertThat(warned.output()).startsWith("begun\n");
    assertThat(warned.errors()).contains("unknown tracepoint sched:no_such");
    Call ignored = Call.ply("--missing-probes", "ignore", probes);
    assertThat(ignored.output()).startsWith("begun\n");
    assertThat(ignored.errors()).doesNotContain("no_such");
    assertThat(Call.ply("--missing-probes", "maybe", probes).errors())
        .isEqualTo("error: --missing-probes takes error, warn or ignore, not \"maybe\"\n");
    assertThat(
            Call.ply(
                    "argdist",
                    "--missing-probes=ignore",
                    "-n1",
                    "-C",
                    "t:sched:no_such()",
                    "-C",
                    "t:sched:sched_switch()")
                .output())
        .contains("t:sched:sched_switch()");
  }
}
