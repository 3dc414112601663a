package dev.ply.bpf.verifier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.lang.PlyScript;
import dev.ply.machine.Architecture;
import org.junit.jupiter.api.Test;

/** Programs with more paths to a place than are told apart there. */
class ManyPathsTest {
  /** Bucket by bucket of the first, the second clause's length is one of two ranges. */
  @Test
  void relevantRangesSurviveManyPaths() {
    TraceCompiler compiler = new TraceCompiler(Stage.target(Architecture.AARCH64), Stage.OPTIONS);
    assertThat(
            compiler
                .compile(
                    PlyScript.parse(
                        """
                        tracepoint:test:widths {
                          @total = sum(strcmp(dyn(data->label, 1), ""));
                          @sizes[dyn(data->label, 16)] = quantize(uid);
                        }
                        """))
                .programs())
        .hasSize(1);
  }

  /** Each round has two outcomes; the counter distinguishes rounds. */
  @Test
  void aLoopOfAThousandRoundsMayStoreInMaps() {
    TraceCompiler compiler = new TraceCompiler(SimulatedTarget.create(), Stage.OPTIONS);
    assertThat(
            compiler
                .compile(
                    PlyScript.parse(
                        """
                        BEGIN {
                          $i = 0;
                          while ($i < 1000) {
                            @last = $i;
                            @[$i % 7] = count();
                            $i++;
                          }
                        }
                        """))
                .programs())
        .hasSize(1);
  }
}
