package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Session;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.lang.PlyScript;
import dev.ply.result.Loss;
import dev.ply.table.TableSchema;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a session knows about its maps, and about what it has lost. */
class TableSchemaTest {
  private static String schemas(String script) {
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(PlyScript.parse(script))) {
      return session.schemas().stream()
          .map(TableSchemaTest::text)
          .collect(Collectors.joining("\n"));
    }
  }

  private static String text(TableSchema schema) {
    return schema.map()
        + schema.keys().stream().map(key -> key.name() + ": " + key.type().name()).toList()
        + " "
        + schema.aggregation().orElse("last")
        + " "
        + schema.unit();
  }

  @Test
  void keysAreNamedAsTheScriptWritesThem() {
    assertThat(
            schemas(
                """
                kprobe:vfs_read {
                  @[pid, comm] = count();
                  @sizes[arg2] = quantize(arg2);
                  @start[tid, 1] = time;
                }
                kretprobe:vfs_read { @took[kstack(3)] = sum(time - @start[tid, 1]); @n = 1; }
                BEGIN { @f[(pid + 1) * 2 + cpu] = 1; }
                """))
        .isEqualTo(
            """
            @[pid: :pid, comm: char[16]] count CALLS
            @sizes[arg2: reg_t] quantize NONE
            @start[tid: :pid, key: s64] last NANOSECONDS
            @took[stack(3): :stackid] sum NANOSECONDS
            @n[] last NONE
            @f[(pid + 1) * 2 + cpu: u64] last NONE\
            """);
  }

  @Test
  void lossesHaveTheirSentences() {
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(PlyScript.parse("BEGIN { @ = 1; }"))) {
      assertThat(session.losses().isEmpty()).isTrue();
      assertThat(session.losses().sentences()).isEmpty();
    }
    assertThat(Loss.EVENTS.sentence(1)).isEqualTo("1 event lost: the buffer was full");
    assertThat(Loss.STACKS.sentence(2)).startsWith("2 stack traces lost: ");
  }
}
