package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.kernel.Live;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Names of the running kernel continue scripts. */
@Tag("live")
@Tag("any-kernel")
class CompletionIT {
  @BeforeEach
  void start() {
    Live.assumeTracing();
  }

  private static String complete(String text) {
    Call call = Call.ply("complete", "--", text);
    assertThat(call.status()).isZero();
    assertThat(call.errors()).isEmpty();
    return call.output();
  }

  @Test
  void tracepointsAreCompletedBySubsystemFirst() {
    assertThat(complete("tracepoint:").lines())
        .contains("tracepoint:sched:", "tracepoint:syscalls:")
        .allMatch(line -> line.endsWith(":"));
    assertThat(complete("BEGIN { } t:sched:sched_switc"))
        .isEqualTo("BEGIN { } t:sched:sched_switch\n");
  }

  @Test
  void fieldsAreThoseOfTheProbe() {
    assertThat(complete("tracepoint:sched:sched_switch / args.prev_p").lines())
        .containsExactly(
            "tracepoint:sched:sched_switch / args.prev_pid",
            "tracepoint:sched:sched_switch / args.prev_prio");
  }

  @Test
  void whatCannotBeListedIsNoError() {
    for (String text :
        new String[] {
          "kprobe:no_such_fun",
          "usdt:/etc/passwd:",
          "uprobe:/no/such:",
          "t:[",
          "x:",
          ":",
          "",
          "fentry:no_such { args.",
          "uprobe:\"",
          "usdt:\"/etc/passwd\":a",
          "iter:no",
          "\0",
          "-x"
        }) {
      assertThat(complete(text)).as(text).doesNotContain("rror");
    }
  }
}
