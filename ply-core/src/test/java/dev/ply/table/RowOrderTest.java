package dev.ply.table;

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
import net.jqwik.api.constraints.IntRange;

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

  /** Rows that are made when they are read. */
  private record Made(List<Row<Datum>> rows) implements RowSource {
    @Override
    public int size() {
      return rows.size();
    }

    @Override
    public Row<Datum> row(int index) {
      return rows.get(index);
    }
  }

  @Property
  void rowsThatAreMadeAreInTheSameOrder(@ForAll("rows") List<Row<Datum>> rows) {
    Table<Datum> made = Table.of(new Made(rows));
    assertThat(made.rows()).isEqualTo(RowOrder.sorted(rows));
    assertThat(made.map(Datum::toText).rows()).isEqualTo(Table.of(rows).map(Datum::toText).rows());
    assertThat(RowOrder.byWeight(made)).isEqualTo(RowOrder.byWeight(Table.of(rows)));
  }

  @Property
  void theLastOfRowsThatAreMadeAreTheSame(
      @ForAll("rows") List<Row<Datum>> rows, @ForAll @IntRange(max = 40) int count) {
    Table<Datum> made = Table.of(new Made(rows));
    Table<Datum> kept = Table.of(rows);
    assertThat(Table.last(made, made.rows(), count))
        .isEqualTo(Table.last(kept, kept.rows(), count));
  }
}
