package dev.ply.cli.live.draw;

import dev.ply.cli.live.model.BucketCounts;
import dev.ply.cli.live.model.Minute;
import dev.ply.cli.live.model.RowHistory;
import dev.ply.cli.live.model.ViewState.Mode;
import dev.ply.table.Bucket;
import dev.ply.table.TableSchema.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jline.utils.AttributedString;

/**
 * The last minute of a histogram: a column for each second, the newest at the right, and a row for
 * each bucket, the largest values at the top. The more values, the hotter.
 */
final class HeatMap {
  private static final int LABEL = 8;
  private static final int COUNT = 10;
  private static final int AXIS = 2;

  private final RowHistory row;
  private final Unit unit;
  private final Mode mode;
  private final Look look;
  private final int columns;

  /** Some adjacent buckets, which share a line. */
  private record Band(int from, int to) {}

  HeatMap(RowHistory row, Unit unit, Mode mode, Look look, int columns) {
    this.row = row;
    this.unit = unit;
    this.mode = mode;
    this.look = look;
    this.columns = columns;
  }

  /** Returns percentiles in words, then the map, then its axis. */
  List<AttributedString> lines(int height) {
    List<AttributedString> lines = new ArrayList<>();
    Optional<BucketCounts> counts = row.counts(mode == Mode.RATES);
    if (counts.isEmpty() || height < 1) {
      return lines;
    }
    lines.add(words(counts.get()));
    if (height > AXIS) {
      BucketCounts all = row.counts(false).orElse(counts.get());
      List<Band> bands = bands(all, height - AXIS);
      double most = 0;
      for (Band band : bands) {
        for (int second = 0; second < Minute.SECONDS; second++) {
          most = Math.max(most, sum(second, band));
        }
      }
      for (Band band : bands) {
        lines.add(line(band, counts.get(), most));
      }
      lines.add(axis());
    }
    return lines;
  }

  /** Returns the percentiles: {@code half below 16us, 90% below 33us, …}. */
  private AttributedString words(BucketCounts counts) {
    Line line = new Line(look).spaces(2, look.plain());
    if (counts.total() == 0) {
      return line.add("no values yet", look.faint()).fit(columns);
    }
    for (int percent : new int[] {50, 90, 99, 100}) {
      Bucket bucket = counts.percentile(percent).orElseThrow();
      line.add(percent == 100 ? "max " : "p" + percent + " ", look.faint());
      line.add(Amounts.range(bucket, unit, look.choose("-", "–")), look.strong());
      line.add("  ", look.plain());
    }
    String of =
        mode == Mode.RATES ? "in the last minute" : row.isReset() ? "since reset" : "in all";
    String number = Amounts.grouped((double) counts.total());
    String brief = Amounts.brief((double) counts.total(), Unit.NONE);
    for (String end : List.of(number + " values " + of, number + " values", brief + " values")) {
      if (line.length() + end.length() <= columns) {
        return line.add(end, look.faint()).fit(columns);
      }
    }
    return line.add(brief, look.faint()).fit(columns);
  }

  /** Returns the buckets with values, the largest first, in at most so many lines. */
  private static List<Band> bands(BucketCounts counts, int lines) {
    List<Bucket> buckets = counts.buckets();
    int first = 0;
    int end = buckets.size();
    while (first < end && buckets.get(first).count() == 0) {
      first++;
    }
    while (end > first && buckets.get(end - 1).count() == 0) {
      end--;
    }
    int each = Math.max(1, (end - first + lines - 1) / lines);
    List<Band> bands = new ArrayList<>();
    for (int to = end; to > first; to -= each) {
      bands.add(new Band(Math.max(first, to - each), to));
    }
    return bands;
  }

  private double sum(int second, Band band) {
    int[] added = row.heat().map(heat -> heat.at(second)).orElse(new int[0]);
    double sum = 0;
    for (int i = band.from(); i < Math.min(band.to(), added.length); i++) {
      sum += added[i];
    }
    return sum;
  }

  private AttributedString line(Band band, BucketCounts counts, double most) {
    List<Bucket> buckets = counts.buckets().subList(band.from(), band.to());
    Bucket lowest = buckets.get(0);
    String label =
        lowest.low().isPresent() ? Amounts.limit(lowest.low().getAsLong(), unit) : "below";
    Line line = new Line(look);
    line.right(label, LABEL, look.plain()).add(look.choose(" |", " ▕"), look.faint());
    int cells = Math.min(Minute.SECONDS, columns - line.length() - COUNT);
    int wide = cells >= Minute.SECONDS && columns >= 2 * Minute.SECONDS + LABEL + COUNT + 2 ? 2 : 1;
    for (int second = Minute.SECONDS - cells; second < Minute.SECONDS; second++) {
      double sum = sum(second, band);
      if (sum == 0) {
        line.spaces(wide, look.plain());
      } else {
        // Few values are seen, too: the square root is between their share and none.
        double share = Math.sqrt(sum / most);
        line.add(String.valueOf(look.shade(share)).repeat(wide), look.heat(share));
      }
    }
    line.add(look.choose("|", "▏"), look.faint());
    long count = buckets.stream().mapToLong(Bucket::count).sum();
    String number = Amounts.grouped((double) count);
    String shown = number.length() < COUNT ? number : Amounts.brief((double) count, Unit.NONE);
    return line.right(shown, COUNT - 1, look.faint()).fit(columns);
  }

  private AttributedString axis() {
    int cells = Math.min(Minute.SECONDS, columns - LABEL - 2 - COUNT);
    int wide = cells >= Minute.SECONDS && columns >= 2 * Minute.SECONDS + LABEL + COUNT + 2 ? 2 : 1;
    String begin = cells + " s ago";
    return new Line(look)
        .spaces(LABEL + 2, look.plain())
        .left(begin, cells * wide - 3, look.faint())
        .add("now", look.faint())
        .fit(columns);
  }
}
