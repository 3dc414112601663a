package dev.ply.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.render.BpftraceValues;
import dev.ply.table.Datum;
import dev.ply.table.Key;
import dev.ply.table.NamedTables;
import dev.ply.table.Row;
import dev.ply.table.StackMode;
import dev.ply.table.Table;
import dev.ply.target.UserSymbols;
import dev.ply.text.Escaping;
import dev.ply.type.Type.IntType;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonValuesTest {
  private static final JsonValues JOINED = new JsonValues(BpftraceValues.plain(Escaping.NONE));
  private static final JsonValues ARRAYS = JOINED.withArrays();

  @Test
  void aStackTraceIsAnArrayOfFrames() {
    Datum kernel = new Datum.Stack(1, List.of(0x1000L, 0x2000L), StackMode.PLY);
    assertThat(ARRAYS.format(kernel)).isEqualTo("[\"0x1000\", \"0x2000\"]");
    assertThat(JOINED.format(kernel)).isEqualTo("\"\\n        0x1000\\n        0x2000\\n\"");
    assertThat(ARRAYS.format(new Datum.Stack(1, List.of(), StackMode.PLY))).isEqualTo("[]");
    List<UserSymbols.Frame> none = List.of();
    assertThat(ARRAYS.format(new Datum.UserStack(1, 1, none, StackMode.PERF))).isEqualTo("[]");
  }

  /** Joined by commas, {@code "a,b", "c"} and {@code "a", "b,c"} are one key. */
  @Test
  void aKeyIsAnArray() {
    Datum one = new Datum.Int(1, IntType.S32);
    Key key = Key.of(new Datum.Text("a,b\0"), one);
    Table<Datum> table = Table.of(List.of(new Row<>(key, one)));
    assertThat(ARRAYS.format(new Datum.Dump(NamedTables.of("@", table))))
        .isEqualTo("{\"@\": [{\"key\": [\"a,b\",1], \"value\": 1}]}");
    assertThat(JOINED.format(new Datum.Dump(NamedTables.of("@", table))))
        .isEqualTo("{\"@\": {\"a,b,1\": 1}}");
  }
}
