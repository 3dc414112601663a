package dev.ply.cli.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.cli.Call;
import dev.ply.cli.tool.GuestMachine.Disk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tools for disks and files, where a test knows how many requests there are, of which size. */
@Tag("live")
@Tag("once")
@Timeout(600)
class DiskToolsIT {
  private static final int REQUESTS = 10;
  private static final long DELAY = 20_000_000;

  @BeforeEach
  void start() {
    GuestMachine.assume();
  }

  /** The disk that requests go to, by its number. */
  private static String of(Disk disk) {
    return "\"major\": " + disk.major() + ", \"minor\": " + disk.minor() + ",";
  }

  @Test
  @Answers("biosnoop")
  void requestsAreShown() throws Exception {
    Disk slow = Disk.named("slow");
    Disk plain = Disk.named("plain");
    LiveTool.Work work =
        () -> {
          GuestMachine.run(slow.reads(REQUESTS));
          GuestMachine.run(plain.reads(1));
        };
    Call all = LiveTool.during(work, "biosnoop", "-j");
    List<String> rows = all.output().lines().filter(line -> line.contains(of(slow))).toList();
    assertThat(rows).hasSize(REQUESTS);
    for (int i = 0; i < REQUESTS; i++) {
      assertThat(rows.get(i))
          .contains("\"comm\": \"dd\"", "\"t\": \"R")
          .contains("\"sector\": " + 8 * i + ", \"bytes\": 4096");
      assertThat(numbers(rows.get(i), "\"lat_ns\": (\\d+)").get(0)).isGreaterThanOrEqualTo(DELAY);
    }
    assertThat(all.output().lines()).anyMatch(line -> line.contains(of(plain)));
    long number = (long) slow.major() << 20 | slow.minor();
    Call one = LiveTool.during(work, "biosnoop", "-j", "-QD", String.valueOf(number));
    assertThat(one.output().lines())
        .hasSize(REQUESTS)
        .allMatch(line -> line.contains(of(slow)) && line.contains("\"que_ns\": "));
  }

  @Test
  @Answers("biolatency")
  void latenciesAreCountedByDisk() throws Exception {
    Disk slow = Disk.named("slow");
    Call call =
        LiveTool.during(() -> GuestMachine.run(slow.reads(REQUESTS)), "biolatency", "-j", "-D");
    String own = histogram(call, slow.major() + "," + slow.minor());
    assertThat(total(own)).isEqualTo(REQUESTS);
    assertThat(numbers(own, "\"max\": (\\d+)")).allMatch(max -> max >= DELAY);
  }

  @Test
  @Answers("biotop")
  void bytesAreAddedUpByProcess() throws Exception {
    String reads = Disk.named("slow").reads(REQUESTS);
    Call call = Call.ply("tool", "biotop", "-j", "-i", "1000", "-c", reads + "; exec " + reads);
    assertThat(call.output().lines().filter(line -> line.contains("\"dd\"")))
        .singleElement()
        .asString()
        .contains("\"d\": \"R")
        .contains("\"count\": " + REQUESTS + ",", "\"total\": " + REQUESTS * 4096 + "}");
  }

  @Test
  @Answers("bitesize")
  void sizesAreCountedByProcess() throws Exception {
    String reads = Disk.named("slow").reads(REQUESTS);
    Call call = Call.ply("tool", "bitesize", "-j", "-c", reads + "; exec " + reads);
    assertThat(histogram(call, "\"dd\""))
        .isEqualTo("{\"min\": 4096, \"max\": 8191, \"count\": " + REQUESTS + "}");
  }

  @Test
  @Answers("hardirqs")
  void interruptsAreCountedByHandler() throws Exception {
    Disk slow = Disk.named("slow");
    Call call =
        LiveTool.during(() -> GuestMachine.run(slow.reads(REQUESTS)), "hardirqs", "-j", "-C");
    String handler = slow.device().getFileName().toString().replace("n1", "q");
    assertThat(
            numbers(call.output(), "\"hardirq\": \"" + handler + "\\d+\", \"[a-z]+\": (\\d+)")
                .stream()
                .mapToLong(n -> n)
                .sum())
        .as(call.output())
        .isEqualTo(REQUESTS);
  }

  @Test
  @Answers({"cachestat", "fsdist", "fsslower"})
  void callsOfFileSystemsAreShown(@TempDir Path directory) throws Exception {
    Disk plain = Disk.named("plain");
    GuestMachine.run(
        "mke2fs " + plain.device() + "; mount -t ext4 " + plain.device() + " " + directory);
    try {
      Path file = directory.resolve("file");
      String writes = "dd if=/dev/zero of=" + file + " bs=4096 count=256 status=none";
      Call pages = LiveTool.during(() -> GuestMachine.run(writes), "cachestat", "-j", "-i", "1000");
      assertThat(numbers(pages.output(), "add[a-z_]+\", \"[a-z]+\": (\\d+)"))
          .as(pages.output())
          .singleElement()
          .satisfies(added -> assertThat(added).isGreaterThanOrEqualTo(256));

      Call times = Call.ply("tool", "fsdist", "-j", "-c", writes + "; exec " + writes);
      assertThat(total(histogram(times, "\"ext4_file_write_iter\""))).isEqualTo(256);

      GuestMachine.run("sync");
      Path cgroup =
          GuestMachine.cgroup("slow", "io.max", plain.major() + ":" + plain.minor() + " riops=10");
      String reads = "dd if=" + file + " of=/dev/null bs=4096 count=5 iflag=direct status=none";
      Call slow =
          Call.ply(
              "tool",
              "fsslower",
              "-j",
              "-m",
              "30",
              "-c",
              reads + "; " + GuestMachine.in(cgroup, "exec " + reads));
      assertThat(slow.output().lines())
          .isNotEmpty()
          .allMatch(
              line ->
                  line.contains("\"comm\": \"dd\"")
                      && line.contains("\"t\": \"R\", \"bytes\": 4096,")
                      && line.endsWith("\"filename\": \"file\"}")
                      && numbers(line, "\"lat_ns\": (\\d+)").get(0) >= 30_000_000);
      Call other = Call.ply("tool", "fsslower", "-j", "-m", "0", "-F", "xfs", "-c", reads);
      assertThat(other.output()).isEmpty();
      Files.delete(file);
    } finally {
      GuestMachine.run("umount " + directory);
    }
  }

  /** Returns the buckets of a key. */
  private static String histogram(Call call, String key) {
    String text = "{\"key\": [" + key + "], \"value\": [";
    assertThat(call.output()).containsOnlyOnce(text);
    return call.output()
        .substring(call.output().indexOf(text) + text.length())
        .replaceAll("(?s)\\].*", "");
  }

  private static long total(String buckets) {
    return numbers(buckets, "\"count\": (\\d+)").stream().mapToLong(n -> n).sum();
  }

  private static List<Long> numbers(String text, String pattern) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map((MatchResult result) -> Long.valueOf(result.group(1)))
        .toList();
  }
}
