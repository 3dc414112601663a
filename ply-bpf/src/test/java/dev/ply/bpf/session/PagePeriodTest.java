package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.export.page.PageJson;
import dev.ply.export.page.PageMaps;
import dev.ply.lang.PlyScript;
import dev.ply.machine.Architecture;
import dev.ply.reader.StrictJson;
import dev.ply.result.Result;
import dev.ply.text.TextBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** What a page has of its periods: all updates, each once, in limited space. */
class PagePeriodTest {
  private static final SimulatedTarget TARGET = Stage.target(Architecture.X86_64);

  private static Map<?, ?> written(PageMaps maps) {
    TextBuffer out = new TextBuffer();
    PageJson json = new PageJson(out).begin('{');
    maps.writePending(json);
    json.end('}');
    maps.written(out.length());
    return (Map<?, ?>) StrictJson.read(out.toString());
  }

  private static List<?> list(Map<?, ?> object, String name) {
    return object.get(name) instanceof List<?> list ? list : List.of();
  }

  /** Returns the number of the only row, which is an object if it reads as something else. */
  private static Object number(List<?> rows) {
    return rows.get(0) instanceof Map<?, ?> row ? String.valueOf(row.get("n")) : rows.get(1);
  }

  private static Result.Snapshot period(long reads) {
    try (var tracer = SimulatedTracer.create(TARGET);
        PreparedTrace trace =
            tracer.prepare(
                PlyScript.parse(
                    "kprobe:vfs_read { @c[comm] = count(); @q = quantize(arg2); @last = arg2; }"));
        Session session = trace.start()) {
      for (long i = 0; i < reads; i++) {
        tracer.fire(Firing.kprobe("vfs_read").comm("cat").arg(2, i));
      }
      return new Result.Snapshot(session.tables(), Result.Occasion.ADDED);
    }
  }

  /** However periods are joined, they have as many values as were added; the last value stays. */
  @Property(tries = 30)
  void nothingIsLost(
      @ForAll @Size(min = 1, max = 6) List<@IntRange(min = 1, max = 9) Integer> added,
      @ForAll @IntRange(min = 1, max = 4) int joined) {
    PageMaps maps = new PageMaps(TARGET, 1 << 20);
    long counts = 0;
    long values = 0;
    for (int i = 0; i < added.size(); i++) {
      maps.add(period(added.get(i)), i + 1);
      if (i % joined != 0 && i < added.size() - 1) {
        continue;
      }
      for (Object map : list(written(maps), "maps")) {
        List<?> rows = list((Map<?, ?>) map, "rows");
        switch (String.valueOf(((Map<?, ?>) map).get("name"))) {
          case "@c" -> counts += (Long) rows.get(1);
          case "@q" -> {
            List<?> buckets = list((Map<?, ?>) rows.get(0), "b");
            for (int bucket = 1; bucket < buckets.size(); bucket += 2) {
              values += (Long) buckets.get(bucket);
            }
          }
          default -> assertThat(number(rows)).hasToString(String.valueOf(added.get(i) - 1));
        }
      }
    }
    long expected = added.stream().mapToLong(Integer::longValue).sum();
    assertThat(counts).isEqualTo(expected);
    assertThat(values).isEqualTo(expected);
  }

  @Test
  void eachKeyIsWrittenOnce() {
    PageMaps maps = new PageMaps(TARGET, 1 << 20);
    maps.add(period(2), 1);
    assertThat(written(maps).toString()).contains("known=[[cat]]", "keys=[comm]");
    maps.add(period(2), 2);
    assertThat(written(maps).toString()).doesNotContain("cat", "comm");
  }

  @Test
  void periodsGrowWithTheTrace() {
    PageMaps maps = new PageMaps(TARGET, 1 << 30);
    Result.Snapshot added = period(1);
    List<Long> ends = new ArrayList<>();
    for (long second = 1; second <= Duration.ofHours(4).toSeconds(); second++) {
      maps.add(added, second * 1000);
      if (maps.isDue()) {
        Map<?, ?> unused = written(maps);
        ends.add(second);
      }
    }
    assertThat(ends.subList(0, 600)).element(599).isEqualTo(600L);
    assertThat(ends).hasSizeBetween(2000, 3600);
    assertThat(ends.get(ends.size() - 1) - ends.get(ends.size() - 2)).isBetween(20L, 30L);
  }

  @Test
  void whatHasNoRoomIsOnePeriod() {
    PageMaps maps = new PageMaps(TARGET, 500);
    Result.Snapshot added = period(1);
    int blocks = 0;
    for (long second = 1; second <= 100; second++) {
      maps.add(added, second * 1000);
      if (maps.isDue()) {
        Map<?, ?> unused = written(maps);
        blocks++;
      }
    }
    assertThat(blocks).isLessThan(10);
    assertThat(maps.isPending()).isTrue();
    String rest = written(maps).toString();
    assertThat(rest).contains("rows=[0, " + (100 - blocks) + "]");
  }
}
