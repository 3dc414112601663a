package dev.ply.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.type.Type.IntType;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class RowOrderTest {
  private static final Comparator<Row<Datum>> BY_PARTS =
      Comparator.<Row<Datum>, Datum>comparing(Row::value, DatumOrder.ASCENDING)
          .thenComparing(row -> row.key().parts(), DatumOrder.ASCENDING::compareAll);

  @Provide
  static Arbitrary<List<Row<Datum>>> rows() {
    Arbitrary<Long> numbers =
        Arbitraries.of(0L, 1L, -1L, 2L, Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MIN_VALUE);
    Arbitrary<Datum> data =
        Arbitraries.oneOf(
            numbers.map(number -> new Datum.Int(number, IntType.S64)),
            numbers.map(number -> new Datum.Int(number, IntType.U64)),
            Arbitraries.of("", "a", "b").map(Datum.Text::new));
    return Arbitraries.integers()
        .between(0, 2)
        .map(parts -> data.list().ofSize(parts).map(Key::new))
        .flatMap(
            keys ->
                Combinators.combine(keys, data).as((key, value) -> new Row<>(key, value)).list());
  }

  @Property
  void numbersInFrontOrderAsThePartsDo(@ForAll("rows") List<Row<Datum>> rows) {
    assertThat(RowOrder.sorted(rows)).isSortedAccordingTo(BY_PARTS).hasSameElementsAs(rows);
  }
}
