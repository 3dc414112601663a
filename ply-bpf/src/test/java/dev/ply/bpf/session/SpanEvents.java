package dev.ply.bpf.session;

import dev.ply.result.EventShape;
import dev.ply.result.EventShape.Item;
import dev.ply.result.Result;
import dev.ply.table.Datum;
import dev.ply.type.IntFormat;
import dev.ply.type.Type.IntType;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Events {@code print(time, duration)}. */
final class SpanEvents {
  private static final IntType TIME = IntType.S64.printedAs(IntFormat.SINCE_BOOT);
  private static final IntType DURATION = IntType.S64.printedAs(IntFormat.DURATION);

  private SpanEvents() {}

  static Result of(long begin, long end) {
    EventShape shape =
        new EventShape(
            new EventShape.Form.Print(),
            List.of(new Item.Field("time", TIME, 0), new Item.Field("took", DURATION, 8)));
    return new Result.Event(
        shape, List.of(new Datum.Int(end, TIME), new Datum.Int(end - begin, DURATION)));
  }

  /** Returns spans as their ends and lengths, ordered by end. */
  static Arbitrary<List<long[]>> spans() {
    return Combinators.combine(
            Arbitraries.longs().between(100, 200), Arbitraries.longs().between(0, 40))
        .as((end, length) -> new long[] {end, length})
        .list()
        .ofMaxSize(40)
        .filter(spans -> !spans.isEmpty())
        .map(spans -> spans.stream().sorted((a, b) -> Long.compare(a[0], b[0])).toList());
  }
}
