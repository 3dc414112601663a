package dev.ply.cli.metrics;

import dev.ply.cli.info.Version;
import dev.ply.metrics.model.MetricFamily;
import dev.ply.metrics.model.MetricPoint;
import dev.ply.metrics.model.MetricType;
import dev.ply.metrics.model.MetricValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** This process, by the names that Prometheus' client libraries have for it. */
public final class ProcessMetrics {
  private static final Path STATUS = Path.of("/proc/self/statm");
  private static final long PAGE = 4096;

  private ProcessMetrics() {}

  /** Returns them as they are now. */
  public static List<MetricFamily> get() {
    List<MetricFamily> families = new ArrayList<>();
    ProcessHandle.Info info = ProcessHandle.current().info();
    Instant start = info.startInstant().orElse(Instant.EPOCH);
    info.totalCpuDuration()
        .ifPresent(
            time ->
                families.add(
                    family(
                        "process_cpu_seconds",
                        MetricType.COUNTER,
                        "seconds",
                        "CPU time of the tracer, user and system.",
                        start,
                        time.toNanos() / MetricValue.NANOS)));
    families.add(
        family(
            "process_start_time_seconds",
            MetricType.GAUGE,
            "seconds",
            "When the tracer started, since the epoch.",
            start,
            start.toEpochMilli() / 1e3));
    families.add(
        new MetricFamily(
            "ply_build",
            MetricType.INFO,
            Optional.empty(),
            "The version of the tracer, and of its Java runtime.",
            List.of(
                new MetricPoint(
                    Map.of(
                        "version",
                        Version.number(),
                        "java",
                        System.getProperty("java.version", "")),
                    start,
                    new MetricValue.Text("")))));
    MapMemory.bytes()
        .ifPresent(
            bytes ->
                families.add(
                    family(
                        "ply_map_memory_bytes",
                        MetricType.GAUGE,
                        "bytes",
                        "Memory of the kernel for maps, of all scripts.",
                        start,
                        (double) bytes)));
    residentBytes()
        .ifPresent(
            bytes ->
                families.add(
                    family(
                        "process_resident_memory_bytes",
                        MetricType.GAUGE,
                        "bytes",
                        "Resident memory of the tracer.",
                        start,
                        bytes)));
    return families;
  }

  private static Optional<Double> residentBytes() {
    try {
      String[] pages = Files.readString(STATUS).split(" ", -1);
      return Optional.of((double) Long.parseLong(pages[1]) * PAGE);
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static MetricFamily family(
      String name, MetricType type, String unit, String help, Instant start, double value) {
    return new MetricFamily(
        name,
        type,
        Optional.of(unit),
        help,
        List.of(new MetricPoint(Map.of(), start, new MetricValue.Real(value))));
  }
}
