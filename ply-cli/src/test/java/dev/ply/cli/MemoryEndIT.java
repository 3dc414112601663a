package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.kernel.Live;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A heap that ends while the last maps are read: those that it holds are written. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class MemoryEndIT {
  private static final int KEYS = 300_000;

  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
  }

  @Test
  void mapsThatMemoryHoldsAreWrittenAndTheOthersSaid(@TempDir Path directory) throws Exception {
    Path output = directory.resolve("output");
    Path errors = directory.resolve("errors");
    Process ply =
        CommandProcess.startUnder(
            List.of(
                "sh",
                "-c",
                "JAVA_TOOL_OPTIONS=-Xmx24m exec \"$@\" >" + output + " 2>" + errors,
                "sh"),
            "bt",
            "-e",
            "config = { max_map_keys = "
                + KEYS
                + " } BEGIN { @first = 6; for ($i : 0.."
                + KEYS
                + ") { @a[$i, comm] = $i; @b[$i, comm] = count(); } @last = 7; exit(); }");
    try {
      assertThat(ply.waitFor()).isEqualTo(1);
    } finally {
      ply.destroyForcibly();
    }
    List<String> rows = Files.readAllLines(output);
    assertThat(rows).contains("@first: 6", "@last: 7");
    List<String> said = Files.readAllLines(errors);
    for (String map : List.of("@a", "@b")) {
      long written = rows.stream().filter(row -> row.startsWith(map + "[")).count();
      boolean isMissing =
          said.stream().anyMatch(line -> line.startsWith("error: map \"" + map + "\" is left out"));
      assertThat(written).as(map).isEqualTo(isMissing ? 0 : KEYS);
    }
    assertThat(said)
        .anyMatch(line -> line.matches("error: .* out of memory at \\d+ MiB: .*-Xmx.*"));
  }
}
