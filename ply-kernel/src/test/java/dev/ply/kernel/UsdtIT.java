package dev.ply.kernel;

import static dev.ply.Values.arg;
import static dev.ply.Values.pid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.diagnostic.CompilationException;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.elf.UsdtNote;
import dev.ply.kernel.untrusted.ReadBudget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Marks in the Java runtime, as a process of the test's reaches them. */
@Tag("live")
@Tag("any-kernel")
class UsdtIT {
  private static final Path RUNTIME =
      Path.of(System.getProperty("java.home"), "lib/server/libjvm.so");

  private KernelTracer tracer;

  @BeforeEach
  void open() throws IOException {
    Live.assumeTracing();
    assumeTrue(
        Files.exists(Path.of("/sys/bus/event_source/devices/uprobe")),
        "this kernel was built without CONFIG_UPROBE_EVENTS");
    try (ElfFile file = ElfFile.open(RUNTIME, ReadBudget.of(Duration.ofSeconds(10)))) {
      assumeTrue(
          UsdtNote.all(file).stream().anyMatch(mark -> mark.name().equals("gc__begin")),
          "this Java runtime was built without USDT probes");
    }
    tracer = KernelTracer.open();
  }

  @AfterEach
  void close() {
    if (tracer != null) {
      tracer.close();
    }
  }

  @Test
  @Timeout(300)
  void garbageCollectionsAreCounted() throws Exception {
    try (BusyJava busy = BusyJava.start("-XX:+UseSerialGC")) {
      var full =
          Probe.usdt(RUNTIME.toString(), "hotspot:gc__begin")
              .where(pid().eq(busy.pid()))
              .by(arg(0))
              .count();
      var ends =
          Probe.usdt(RUNTIME.toString(), "gc__end").where(pid().eq(busy.pid())).count().named("e");
      try (Session session = tracer.start(full, ends)) {
        for (int i = 0; i < 3; i++) {
          busy.collect();
        }
        session.stop();
        // The argument tells a collection of everything, which is what was asked for.
        assertThat(session.read(full).get(1)).contains(3L);
        assertThat(session.read(ends).single()).isEqualTo(3);
      }
    }
  }

  @Test
  @Timeout(300)
  void aProcessStandsForTheMarksOfAllItsFiles() throws Exception {
    try (BusyJava busy = BusyJava.start("-XX:+UseSerialGC")) {
      var begins = Probe.usdt(Long.toString(busy.pid()), "hotspot:gc__begin").by(pid()).count();
      try (Session session = tracer.start(begins)) {
        busy.collect();
        session.stop();
        assertThat(session.read(begins).get(busy.pid())).contains(1L);
      }
    }
  }

  @Test
  @Timeout(300)
  void aPatternOfPathsCountsAFileOnceByAllItsNames(@TempDir Path directory) throws Exception {
    Files.createSymbolicLink(directory.resolve("libjvm1.so"), RUNTIME);
    Files.createSymbolicLink(directory.resolve("libjvm2.so"), RUNTIME);
    Files.writeString(directory.resolve("libjvm.txt"), "no library");
    try (BusyJava busy = BusyJava.start("-XX:+UseSerialGC")) {
      var begins =
          Probe.usdt(directory + "/libjvm*", "hot*:gc__beg*").where(pid().eq(busy.pid())).count();
      try (Session session = tracer.start(begins)) {
        busy.collect();
        session.stop();
        assertThat(session.read(begins).single()).isEqualTo(1);
      }
    }
  }

  @Test
  void whatIsNotMarkedIsNamed() {
    assertThatThrownBy(
            () -> tracer.start(Probe.usdt(RUNTIME.toString(), "hotspot:gc__begn").count()))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("has no USDT probe hotspot:gc__begn");
    assertThatThrownBy(
            () ->
                tracer.start(Probe.usdt(RUNTIME.toString(), "hotspot:gc__begin").quantize(arg(1))))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("has no such argument");
  }
}
