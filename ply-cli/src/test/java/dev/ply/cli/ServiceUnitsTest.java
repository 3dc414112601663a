package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The units of systemd in packages. */
@Tag("any-java")
class ServiceUnitsTest {
  /** Debian's minimal system has no {@code kill} but the shell's own. */
  @Test
  void theyRunNothingThatASmallSystemLacks() throws IOException {
    List<Path> units;
    try (Stream<Path> files = Files.list(Path.of("src/dist/systemd"))) {
      units = files.toList();
    }
    assertThat(units).hasSize(2);
    for (Path unit : units) {
      assertThat(Files.readAllLines(unit))
          .filteredOn(line -> line.startsWith("Exec"))
          .isNotEmpty()
          .allMatch(line -> line.matches("Exec\\w+=(/usr/bin/ply .*|/bin/sh -c 'kill .*')"));
    }
  }
}
