package dev.ply.bpf.session;

import dev.ply.result.Result;
import dev.ply.table.Datum;
import dev.ply.table.Key;
import dev.ply.table.NamedTable;
import dev.ply.table.Row;
import dev.ply.table.StackMode;
import dev.ply.table.Table;
import dev.ply.table.TableSchema;
import dev.ply.table.TableSchema.Unit;
import dev.ply.target.KernelSymbols.Symbol;
import dev.ply.target.UserSymbols;
import dev.ply.type.IntFormat;
import dev.ply.type.TextBytes;
import dev.ply.type.Type.IntType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Maps with stacks in their keys, and names that try to be more than names. */
final class StackTables {
  /** Text that a format, a terminal or a page would take for something else. */
  static final List<String> HOSTILE =
      List.of(
          "<script>alert(1)</script>",
          "a\"b'c",
          "x\",\"weight\":9",
          "a\nb 7\n@x 1",
          "line\r\nhead: 1",
          "nul\0nul",
          "\u001b[2J\u001b]0;x\u0007",
          "\u202egnp.exe",
          TextBytes.decode(new byte[] {'a', (byte) 0xff, (byte) 0xfe, 'b', (byte) 0xc3}),
          "\\x1b[2J",
          "a;b;c 12",
          "{le=\"1\"} 5",
          "# EOF",
          "",
          "=1+1",
          "\u2028\u2029\ufeff",
          "日本 😀");

  /** A row: the name of a process, frames from the innermost on, a number. */
  record Sample(String comm, List<String> frames, long number) {}

  private StackTables() {}

  static Arbitrary<String> names() {
    return Arbitraries.oneOf(
        Arbitraries.of(HOSTILE),
        Arbitraries.strings().ofMaxLength(12),
        Arbitraries.of("main", "read", "std::vector<int>::push_back(int&&)"));
  }

  static Arbitrary<List<Sample>> samples(long least, long most) {
    return Combinators.combine(
            names(), names().list().ofMaxSize(6), Arbitraries.longs().between(least, most))
        .as(Sample::new)
        .list()
        .ofMaxSize(12)
        .map(StackTables::distinct);
  }

  private static List<Sample> distinct(List<Sample> samples) {
    Map<Object, Sample> all = new LinkedHashMap<>();
    samples.forEach(one -> all.putIfAbsent(List.of(one.comm(), one.frames()), one));
    return new ArrayList<>(all.values());
  }

  static Datum text(String text) {
    return new Datum.Text(new String(TextBytes.encode(text), StandardCharsets.ISO_8859_1));
  }

  /** Returns the map {@code @[comm, ustack] = count()} or {@code sum(…)}. */
  static NamedTable map(String name, String aggregation, Unit unit, List<Sample> samples) {
    IntType stack = IntType.U64.printedAs(IntFormat.USER_STACK);
    List<Row<Datum>> rows = new ArrayList<>();
    for (Sample sample : samples) {
      List<UserSymbols.Frame> frames = new ArrayList<>();
      for (String frame : sample.frames()) {
        frames.add(
            new UserSymbols.Frame(
                0x1000,
                Optional.of(new Symbol(frame, 0)),
                frame.length() % 2 == 0 ? Optional.of("lib" + frame + ".so") : Optional.empty()));
      }
      Datum trace = new Datum.UserStack(7, rows.size(), frames, StackMode.PLY);
      IntType type = aggregation.equals("sum") ? IntType.S64 : IntType.U64;
      rows.add(new Row<>(Key.of(text(sample.comm()), trace), new Datum.Int(sample.number(), type)));
    }
    TableSchema schema =
        new TableSchema(
            name,
            List.of(
                new TableSchema.Column("comm", IntType.U64, Unit.NONE),
                new TableSchema.Column("ustack", stack, Unit.NONE)),
            IntType.U64,
            Optional.of(aggregation),
            unit);
    return new NamedTable(schema, Table.of(rows));
  }

  static Result.Snapshot last(NamedTable... maps) {
    return new Result.Snapshot(List.of(maps), Result.Occasion.FINAL);
  }
}
