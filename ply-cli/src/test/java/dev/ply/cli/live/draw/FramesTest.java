package dev.ply.cli.live.draw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.cli.live.model.MapHistory;
import dev.ply.cli.live.model.ViewState;
import dev.ply.cli.live.model.ViewState.Mode;
import dev.ply.golden.GoldenTest;
import dev.ply.table.Datum;
import dev.ply.table.Table;
import dev.ply.table.TableSchema.Unit;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.jline.utils.AttributedString;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/** Whole screens. */
final class FramesTest {
  private static final Look ASCII = new Look(Look.Depth.NONE, false);

  @TestFactory
  Stream<DynamicNode> golden() {
    return GoldenTest.in("live")
        .section("80x24", file -> frame(file.text("trace"), 24, 80))
        .section("200x60", file -> frame(file.text("trace"), 60, 200))
        .section(
            "ascii",
            file ->
                Frames.text(content(file.text("trace")), state(file.text("trace")), ASCII, 24, 80))
        .section(
            "no colour",
            file ->
                Frames.ansi(
                    content(file.text("trace")),
                    state(file.text("trace")),
                    new Look(Look.Depth.NONE, true),
                    12,
                    80))
        .section(
            "256 colours",
            file ->
                Frames.ansi(
                    content(file.text("trace")),
                    state(file.text("trace")),
                    new Look(Look.Depth.PALETTE, true),
                    12,
                    80))
        .tests();
  }

  private static String frame(String trace, int rows, int columns) {
    return Frames.text(content(trace), state(trace), rows, columns);
  }

  private static Painter.Content content(String trace) {
    return switch (trace.strip()) {
      case "counts" -> Frames.content(List.of(), Frames.counts());
      case "latencies" -> Frames.content(List.of(), Frames.latencies());
      case "events" -> Frames.content(Frames.events(40), Frames.counts());
      case "all, expanded" -> Frames.content(Frames.events(5), Frames.counts(), Frames.latencies());
      case "filtered" -> Frames.content(List.of(), Frames.counts());
      default -> throw new IllegalArgumentException(trace);
    };
  }

  private static ViewState state(String trace) {
    ViewState state = Frames.state(content(trace).maps().size());
    return switch (trace.strip()) {
      case "all, expanded" -> {
        MapHistory map = Frames.counts();
        var key = map.ascending().get(map.ascending().size() - 2).key();
        yield state.with(state.pane().selecting(Optional.of(key)).expanded(true));
      }
      case "filtered" -> state.filtered(Optional.of(Pattern.compile("s.*s"))).showing(Mode.RATES);
      default -> state;
    };
  }

  @Property(tries = 200)
  void linesHaveTheirWidthAndNoControls(
      @ForAll @StringLength(max = 60) String key,
      @ForAll @IntRange(min = 1, max = 60) int rows,
      @ForAll @IntRange(min = 20, max = 200) int columns,
      @ForAll boolean isUnicode,
      @ForAll boolean isExpanded) {
    String hostile = "\033[2J\n\t\r\u202e" + key;
    MapHistory map =
        new MapHistory(Frames.schema("@\033]0;x\007", "count", Unit.CALLS, hostile), 0);
    Datum text = new Datum.Quoted(Optional.of(hostile));
    map.read(Table.of(List.of(Frames.row(Frames.number(7), text))), 1);
    ViewState state = Frames.state(1);
    Painter.Content content = Frames.content(List.of("event"), map);
    List<AttributedString> lines =
        Frames.painter(new Look(Look.Depth.NONE, isUnicode))
            .paint(content, state.with(state.pane().expanded(isExpanded)), rows, columns);
    assertThat(lines).hasSizeLessThanOrEqualTo(Math.max(rows, 1));
    for (AttributedString line : lines) {
      assertThat(line.columnLength()).isEqualTo(columns);
      assertThat(line.toString()).matches("[^\\p{Cntrl}\u202a-\u202e\u2066-\u2069]*");
    }
  }
}
