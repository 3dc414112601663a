package dev.ply.kernel;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.Session;
import dev.ply.lang.PlyScript;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** More traces of one tracepoint than the kernel takes: its limit is for all of them together. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class CrowdedTracepointIT {
  private static final String PROBE = "tracepoint:sched:sched_process_wait";
  private static final int MORE_THAN_ANY = 100;

  @BeforeEach
  void assumeTracing() throws IOException {
    Live.assumeTracing();
  }

  @Test
  void aTraceTooManySaysSo() {
    List<Session> sessions = new ArrayList<>();
    try (KernelTracer tracer = KernelTracer.open()) {
      assertThatThrownBy(
              () -> {
                while (sessions.size() < MORE_THAN_ANY) {
                  sessions.add(
                      tracer
                          .prepare(PlyScript.parse(PROBE + " { @[args.pid] = count(); }"))
                          .start());
                }
              })
          .hasMessageContaining(PROBE + " has the kernel's maximum of programs");
      sessions.forEach(Session::close);
    }
  }
}
