package dev.ply.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.golden.GoldenTest;
import dev.ply.table.DataReader.NamedTable;
import dev.ply.target.KernelSymbols;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class TableFormatTest {
  private static final TableFormat FORMAT = new TableFormat(new DatumFormat(KernelSymbols.NONE));

  private static final TableFormat COMPATIBLE =
      new TableFormat(new DatumFormat(KernelSymbols.NONE).compatible());

  @TestFactory
  Stream<DynamicNode> golden() {
    return GoldenTest.in("table")
        .section("dump", file -> dump(file.text("map"), FORMAT))
        .section("compat", file -> dump(file.text("map"), COMPATIBLE))
        .tests();
  }

  private static String dump(String map, TableFormat format) {
    NamedTable named = DataReader.table(map);
    return format.format(named.name(), named.table());
  }

  @Test
  void anEmptyMapIsNotShown() {
    assertThat(FORMAT.format("@", Table.of(List.of()))).isEmpty();
  }
}
