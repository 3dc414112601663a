package dev.ply.cli.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.result.Message;
import dev.ply.result.Result;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** What waits for a viewer, for viewers to come, and on its way is bounded, and losses are told. */
class ViewerTest {
  private static Block block(Block.Kind kind, String json) {
    return new Block(kind, json.getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> served(Viewer viewer, ByteArrayOutputStream stream) throws Exception {
    viewer.add(List.of(block(Block.Kind.END, "end")));
    viewer.serve();
    return stream
        .toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> !line.isEmpty())
        .map(line -> line.substring("data: ".length()))
        .toList();
  }

  @Test
  void ofMapsTheNewestAreWritten() throws Exception {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    Viewer viewer = new Viewer(stream, List.of());
    viewer.add(List.of(block(Block.Kind.MAPS, "old")));
    viewer.add(List.of(block(Block.Kind.MAPS, "new")));
    assertThat(served(viewer, stream)).containsExactly("new", "end");
  }

  /** All but events is delivered; what is not is counted. */
  @Property(tries = 20)
  void deliveredAndMissedAreAll(
      @ForAll @Size(min = 1, max = 20) List<@IntRange(min = 1, max = 1 << 20) Integer> sizes)
      throws Exception {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    Viewer viewer = new Viewer(stream, List.of());
    viewer.add(List.of(block(Block.Kind.OTHER, "start")));
    for (int size : sizes) {
      viewer.add(List.of(block(Block.Kind.EVENT, "e".repeat(size))));
    }
    viewer.add(List.of(block(Block.Kind.MAPS, "maps")));
    List<String> all = served(viewer, stream);
    assertThat(all).contains("start", "maps", "end");
    long delivered = all.stream().filter(one -> one.startsWith("ee") || one.equals("e")).count();
    long missed =
        all.stream()
            .filter(one -> one.startsWith("{\"type\":\"live\""))
            .mapToLong(one -> Long.parseLong(one.replaceAll(".*\\[\"(\\d+) events did.*", "$1")))
            .sum();
    assertThat(delivered + missed).isEqualTo(sizes.size());
    assertThat(all.stream().mapToInt(String::length).sum()).isLessThan(Viewer.MOST_WAITING + 1000);
  }

  @Property(tries = 20)
  void aBacklogHasTheNewestEventsAndTheEnd(
      @ForAll @Size(min = 1, max = 12) List<@IntRange(min = 1, max = 1 << 19) Integer> sizes) {
    Backlog backlog = new Backlog();
    backlog.add(block(Block.Kind.OTHER, "start"));
    List<Block> events =
        IntStream.range(0, sizes.size())
            .mapToObj(i -> block(Block.Kind.EVENT, i + "e".repeat(sizes.get(i))))
            .toList();
    events.forEach(backlog::add);
    backlog.add(block(Block.Kind.MAPS, "maps"));
    backlog.add(block(Block.Kind.END, "end"));
    List<Block> all = backlog.blocks();
    List<Block> kept = all.stream().filter(one -> one.kind() == Block.Kind.EVENT).toList();
    assertThat(kept).isEqualTo(events.subList((int) backlog.left(), events.size()));
    assertThat(kept.stream().mapToInt(one -> one.json().length).sum())
        .isLessThanOrEqualTo(Backlog.MOST_BYTES);
    assertThat(all.get(0)).isEqualTo(block(Block.Kind.OTHER, "start"));
    assertThat(all).endsWith(block(Block.Kind.MAPS, "maps"), block(Block.Kind.END, "end"));
  }

  @Test
  void eventsOnTheirWayAreAsManyAsTheRateAllows() {
    AtomicLong now = new AtomicLong();
    Incoming incoming = new Incoming(now::get);
    Result line = new Result.Line(Message.PRINTF, "x\n");
    for (int i = 0; i < 7_000; i++) {
      incoming.accept(line);
    }
    Incoming.Batch first = incoming.take();
    assertThat(first.results()).hasSize(5_000);
    assertThat(first.left()).isEqualTo(2_000);
    now.addAndGet(500_000_000);
    Stream.generate(() -> line).limit(3_000).forEach(incoming);
    Incoming.Batch second = incoming.take();
    assertThat(second.results()).hasSize(1_000);
    assertThat(second.left()).isEqualTo(2_000);
  }
}
