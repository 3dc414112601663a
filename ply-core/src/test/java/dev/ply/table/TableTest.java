package dev.ply.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.type.Type.IntType;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class TableTest {
  private static final Table<Datum> TABLE =
      DataReader.table(
              """
              @: char[16], u32 -> s64
              "cat", 1 -> 30
              "dd", 2 -> 10
              "sh", 3 -> 20
              """)
          .table();

  private static final Table<Long> COUNTS = TABLE.map(datum -> ((Datum.Int) datum).value());

  @Test
  void rowsAscendByValueAndKeepTheirOrderWhenConverted() {
    assertThat(COUNTS.stream().map(Row::value)).containsExactly(10L, 20L, 30L);
    assertThat(COUNTS.map(count -> -count))
        .extracting(Row::value)
        .containsExactly(-10L, -20L, -30L);
  }

  @Test
  void valuesAreShownAsOutputShowsThem() {
    assertThat(TABLE).hasToString("dd, 2: 10\nsh, 3: 20\ncat, 1: 30");
    assertThat(COUNTS).hasToString(TABLE.toString());
  }

  @Test
  void valuesAreFoundByThePartsOfTheirKey() {
    assertThat(COUNTS.get("cat", 1)).contains(30L);
    assertThat(COUNTS.get("cat", 1L)).contains(30L);
    assertThat(COUNTS.get("cat", 2)).isEmpty();
    assertThat(COUNTS.get(DataReader.datum("char[16]", "\"sh\""), 3)).contains(20L);
  }

  @Test
  void keyPartsOfOtherKindsAreRefused() {
    assertThatThrownBy(() -> COUNTS.get('c', 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("java.lang.Character");
    assertThatThrownBy(() -> COUNTS.get("other", "1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("key part 1 is a number, not String: 1");
    assertThatThrownBy(() -> COUNTS.get(1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("key part 0 is a string, not Integer: 1");
    assertThatThrownBy(() -> COUNTS.get("cat"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the key has 2 parts, given 1");
    assertThatThrownBy(COUNTS::get).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theLargestComeFirstInTop() {
    assertThat(COUNTS.top(2)).extracting(row -> row.key().text(0)).containsExactly("cat", "sh");
    assertThat(COUNTS.top(9)).hasSize(3);
    assertThat(COUNTS.top(0)).isEmpty();
  }

  @Test
  void aSingleValueNeedsASingleRow() {
    Row<Datum> row = new Row<>(Key.of(), DataReader.datum("s64", "7"));

    assertThat(Table.of(List.of(row)).single()).isEqualTo(row.value());
    assertThatThrownBy(COUNTS::single)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("expected one row, found 3");
    assertThatThrownBy(() -> Table.of(List.of()).single())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("expected one row, found none");
  }

  @Test
  void partsOfKeysCanBeReadAsWhatTheyAre() {
    Key key = COUNTS.rows().get(0).key();

    assertThat(key.text(0)).isEqualTo("dd");
    assertThat(key.number(1)).isEqualTo(2);
    assertThat(key).hasToString("dd, 2");
    assertThatThrownBy(() -> key.number(0)).hasMessageContaining("key part 0 is not a number");
    assertThatThrownBy(() -> key.text(1)).hasMessageContaining("key part 1 is not a string");
  }

  @Property
  void numbersOfBothSignednessesAreInOrder(@ForAll List<Long> values) {
    List<Row<Datum>> rows = new ArrayList<>();
    for (long value : values) {
      rows.add(new Row<>(Key.of(), new Datum.Int(value, IntType.S64)));
      rows.add(new Row<>(Key.of(), new Datum.Int(value, IntType.U64)));
    }

    assertThat(Table.of(rows).map(Datum::toText).map(java.math.BigInteger::new))
        .extracting(Row::value)
        .isSorted();
  }
}
