package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.lang.PlyScript;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code delete} in an expression. */
class DeleteValueTest {
  @Test
  void isWhetherThereWasAnEntry() {
    List<String> printed = new ArrayList<>();
    String script =
        """
        BEGIN {
          @b[1] = 5;
          $x = delete(@b, 1);
          printf("%d %d %d\\n", $x, delete(@b, 1), delete(@b[2]));
          @a[3, 4] = 1;
          if (delete(@a, (3, 4)) && !delete(@a, (3, 4))) { printf("once\\n"); }
          delete(@a, (3, 4));
        }
        """;
    try (var tracer = SimulatedTracer.create();
        PreparedTrace trace = tracer.prepare(PlyScript.parse(script)).printTo(printed::add);
        Session session = trace.start()) {
      session.stop();
    }
    assertThat(printed).containsExactly("1 0 0\n", "once\n");
  }
}
