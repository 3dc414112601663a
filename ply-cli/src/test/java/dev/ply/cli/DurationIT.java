package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.kernel.Live;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A trace ends in order after the time that {@code -d} gives: END runs, and maps are printed. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class DurationIT {
  private static final String PROGRAM =
      "BEGIN { @[\"key\"] = count(); } interval:50m { exit(); } END { printf(\"end\\n\"); }";

  @BeforeEach
  void start() {
    Live.assumeTracing();
  }

  @Test
  void aTraceOfPlyEnds() {
    assertThat(Call.ply("-d", "100ms", PROGRAM))
        .isEqualTo(new Call(0, "end\n\n@:\n{ key }: 1\n", ""));
    assertThat(Call.ply("--duration=0.1", "-c", "sleep 1000", PROGRAM))
        .isEqualTo(new Call(0, "end\n\n@:\n{ key }: 1\n", ""));
  }

  @Test
  void aTraceOfBpftraceEnds() {
    assertThat(Call.ply("bt", "-q", "-d", "100ms", "-e", PROGRAM))
        .isEqualTo(new Call(0, "end\n\n\n@[key]: 1\n", ""));
  }

  @Test
  void aTraceOfEventsEnds() {
    Call call = Call.ply("kprobe-events", "-d", ".1", "t:mine sched_process_hang");
    assertThat(call.status()).isZero();
    assertThat(call.output()).doesNotContain("mine");
  }

  @Test
  void aTraceOfSpecifiersEndsWithItsInterval() {
    Call call =
        Call.ply("argdist", "-d", "500ms", "-C", "t:sched:sched_process_hang():int:args->pid");
    assertThat(call.status()).isZero();
    assertThat(call.output()).contains("sched_process_hang");
  }
}
