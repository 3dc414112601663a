package dev.ply.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.render.BpftraceValues;
import dev.ply.render.ConversionWriter;
import dev.ply.target.JavaCode;
import dev.ply.target.KernelSymbols;
import dev.ply.target.KernelSymbols.Symbol;
import dev.ply.target.SourceLine;
import dev.ply.target.UserSymbols.FilePosition;
import dev.ply.target.UserSymbols.Frame;
import dev.ply.target.UserSymbols.Location;
import dev.ply.text.Escaping;
import dev.ply.text.PrintfFormat;
import dev.ply.text.TextBuffer;
import dev.ply.type.IntFormat;
import dev.ply.type.StructField;
import dev.ply.type.TextBytes;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.StructType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatumFormatTest {
  private static final KernelSymbols SYMBOLS =
      new KernelSymbols() {
        @Override
        public Optional<Symbol> at(long address) {
          return address >= 0x1000 && address < 0x2000
              ? Optional.of(new Symbol("vfs_read", address - 0x1000))
              : Optional.empty();
        }

        @Override
        public Stream<String> names() {
          return Stream.of("vfs_read");
        }
      };

  private static final DatumFormat FORMAT = new DatumFormat(SYMBOLS);
  private static final DatumFormat COMPATIBLE = FORMAT.compatible();

  private static String format(String type, String value) {
    return FORMAT.format(DataReader.datum(type, value));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "s8,-1,-1",
        "u64,18446744073709551615,18446744073709551615",
        "u32,4000000000,4000000000",
        "pid,120,120",
        "pid,4000000000,4000000000",
        "uid,0,0",
        "cpu,0,0",
        "reg_t,0xffffffffa894cc51,0xffffffffa894cc51",
        "reg_t,0,0",
        "caller,0x1000,vfs_read",
        "caller,0x1001,vfs_read+1",
        "caller,0xfff,<0000000000000fff>",
        "caller,0,<0000000000000000>",
        "time,0,0ns",
        "time,999,999ns",
        "time,1005,1.00us",
        "time,-1,-1ns",
        "time,-5000000000,-5.00s",
        "time,12345678,12.3ms",
        "time,735142177506,735s",
        "time,999999999999,999s",
        "time,1000000000000,16m40s",
        "time,3599999999999,59m59s",
        "time,3600000000000,1h00m",
        "time,86400000000000,1d00h",
        "time,31536000000000000,1y000d",
        "time,9223372036854775807,292y171d",
        "time,-9223372036854775808,-292y171d",
        "since_boot,735142177506,735.142177506s",
        "since_boot,3400000000000,3400.000000000s",
        "since_boot,0,0.000000000s",
        "since_boot,-1,-0.000000001s",
        "walltime,43261000000123,12:01:01.000000123",
        "walltime,-1,23:59:59.999999999",
        "data_loc,0x80014,`dynamic(8 bytes, offset 0x14)`",
        "pointer,ff6ef70a0042bc90,<ff6ef70a0042bc90>",
        "char[8],\"abc\",abc",
      })
  void integersAddressesAndTextPrintByTheirType(String type, String value, String expected) {
    assertThat(format(type, value)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "s8,-1,-1",
        "u64,18446744073709551615,18446744073709551615",
        "u32,4000000000,4000000000",
        "pid,120,  120",
        "pid,4000000000,4000000000",
        "uid,0,   0",
        "cpu,0, 0",
        "reg_t,0xffffffffa894cc51,0xffffffffa894cc51",
        "reg_t,0,0",
        "caller,0x1000,vfs_read",
        "caller,0x1001,vfs_read+1",
        "caller,0xfff,<0000000000000fff>",
        "caller,0,<0000000000000000>",
        "time,999, 999ns",
        "time,1005,1.00us",
        "time,-1,  -1ns",
        "time,-5000000000,-5000000000ns",
        "since_boot,3400000000000,  56 M",
        "walltime,43261000000123,12:01:01.000000123",
        "walltime,-1,23:59:59.999999999",
        "data_loc,0x80014,`dynamic(8 bytes, offset 0x14)`",
        "pointer,ff6ef70a0042bc90,<ff6ef70a0042bc90>",
        "char[8],\"abc\",abc    ",
        "char[8],\"\",       ",
      })
  void inPly24sStyleWidthsFollowTheTypes(String type, String value, String expected) {
    assertThat(COMPATIBLE.format(DataReader.datum(type, value))).isEqualTo(expected);
  }

  @Test
  void textThatIsNoneIsDumped() {
    assertThat(format("char[2]", "\"ab\"")).isEqualTo("\n000:  61 62" + " ".repeat(46) + "ab\n");
    assertThat(FORMAT.format(new Datum.Text("a\0b\0")))
        .isEqualTo("\n000:  61 00 62 00" + " ".repeat(40) + "a.b.\n");
    assertThat(FORMAT.format(new Datum.Text("é".repeat(17))))
        .startsWith("\n000:  e9 e9 e9 e9 e9 e9 e9 e9  e9")
        .contains("   ........ ........\n010:  e9 ");
  }

  @Test
  void anEmptyStringIsNothing() {
    assertThat(format("char[8]", "\"\"")).isEmpty();
  }

  @Test
  void textIsEscapedAndFillsColumnsNotBytes() {
    assertThat(format("char[8]", "\"\303\251t\303\251\"")).isEqualTo("été");
    assertThat(COMPATIBLE.format(DataReader.datum("char[8]", "\"\303\251t\303\251\"")))
        .isEqualTo("été    ");
    assertThat(format("char[8]", "\"a\033[2J\"")).isEqualTo("a\\x1b[2J");
    assertThat(format("char[8]", "\"a\377\"")).isEqualTo("a\\xff");
  }

  @Test
  void namesAreEscaped() {
    List<Frame> frames =
        List.of(
            new Frame(1, Optional.of(new Symbol("f\n\tforged", 0)), Optional.of("a\033b")),
            new Frame(2, Optional.empty(), Optional.of("\u202elib")));
    assertThat(FORMAT.format(new Datum.UserStack(1, 7, frames, StackMode.PLY)))
        .isEqualTo("\n\tf\\n\\tforged\n\t<0000000000000002> (\\xe2\\x80\\xaelib)\n");
    assertThat(FORMAT.format(new Datum.UserStack(1, 7, frames, StackMode.PERF)))
        .isEqualTo("\n\t1 f\\n\\tforged (a\\x1bb)\n\t2 [unknown] (\\xe2\\x80\\xaelib)\n");
  }

  @Test
  void positionsInFilesAreBuildIdAndOffset() {
    Location inFile =
        new Location() {
          @Override
          public Optional<SourceLine> line() {
            return Optional.empty();
          }

          @Override
          public Optional<FilePosition> position() {
            return Optional.of(new FilePosition("0ab1", 0x1234));
          }
        };
    List<Frame> frames =
        List.of(
            new Frame(0x401234, Optional.of(new Symbol("f", 4)), Optional.of("prog"), inFile),
            new Frame(0x501234));
    Datum.UserStack stack = new Datum.UserStack(1, 7, frames, StackMode.BUILD_ID);
    assertThat(FORMAT.format(stack)).isEqualTo("\n\t0ab1 0x1234\n\t501234\n");
    assertThat(BpftraceValues.plain(Escaping.ALL).format(stack))
        .isEqualTo("\n0ab1 0x1234\n501234\n");
  }

  @Test
  void onlyFunctionsOfFilesHaveOffsetZeroForBpftrace() {
    List<Frame> frames =
        List.of(
            new Frame(1, Optional.of(new Symbol("malloc", 0)), Optional.of("libc.so.6")),
            new Frame(2, Optional.of(new Symbol("Hot.run():6", 0)), Optional.empty()),
            new Frame(-1, Optional.of(new Symbol("[unwound to here]", 0)), Optional.empty()));
    assertThat(
            BpftraceValues.plain(Escaping.ALL)
                .format(new Datum.UserStack(1, 7, frames, StackMode.BPFTRACE)))
        .isEqualTo("\n        malloc+0\n        Hot.run():6\n        [unwound to here]\n");
  }

  @Property
  void anyTextTakesOneLineOfPrintableUtf8(@ForAll byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1).replace("\0", "") + "\0";
    Key key = Key.of(new Datum.Text(text));
    for (String shown :
        List.of(
            FORMAT.format(new Datum.Text(text)),
            key.toString(),
            new Datum.Text(text).toString(),
            new TableFormat(FORMAT)
                .format("@", Table.of(List.of(new Row<>(key, new Datum.Int(1, IntType.U8)))))
                .substring("\n@:\n".length())
                .stripTrailing())) {
      assertThat(shown.codePoints()).noneMatch(Character::isISOControl);
      assertThat(TextBytes.encode(shown)).isEqualTo(shown.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void arraysAndStructuresPrintPartByPart() {
    List<Datum> parts =
        List.of(
            new Datum.Elements(DataReader.data("u8 127\nu8 0\nu8 0\nu8 1")),
            DataReader.datum("reg_t", "0x18"));
    List<StructField> fields =
        List.of(
            new StructField("address", new Type.ArrayType(IntType.U8, 4), 0),
            new StructField("ss", IntType.U64, 8));

    assertThat(FORMAT.format(new Datum.Struct(parts, new StructType("", fields, 16, 8))))
        .isEqualTo("{ [127, 0, 0, 1], 0x18 }");
    assertThat(FORMAT.format(new Datum.Struct(parts, new StructType("pt_regs", fields, 16, 8))))
        .isEqualTo("{\n\taddress = [127, 0, 0, 1],\n\tss = 0x18\n}");
  }

  @Test
  void partsOfPartsAreIndented() {
    IntType s32 = IntType.S32;
    StructType inner =
        new StructType(
            "in", List.of(new StructField("x", s32, 0), new StructField("y", s32, 4)), 8, 4);
    StructType outer =
        new StructType(
            "out",
            List.of(
                new StructField("a", inner, 0),
                new StructField("b", new Type.ArrayType(inner, 1), 8),
                new StructField("c", Type.ArrayType.floatingPoint(8), 16)),
            24,
            8);
    Datum.Struct part = new Datum.Struct(DataReader.data("s32 1\ns32 -2"), inner);
    List<Datum> parts = List.of(part, new Datum.Elements(List.of(part)), Datum.Real.of(0.5));
    assertThat(FORMAT.format(new Datum.Struct(parts, outer)))
        .isEqualTo(
            """
            {
            \ta = {
            \t\tx = 1,
            \t\ty = -2
            \t},
            \tb = [{
            \t\tx = 1,
            \t\ty = -2
            \t}],
            \tc = 0.5
            }\
            """);
  }

  @Test
  void totalsAndAveragesOfTimesHaveUnits() {
    IntType time = IntType.S64.printedAs(IntFormat.DURATION);
    Datum.Stats stats = new Datum.Stats(new Statistics(4, 86_769_147, time));
    assertThat(FORMAT.format(stats)).isEqualTo("count 4, average 21.6ms, total 86.7ms");
    assertThat(FORMAT.format(new Datum.Stats(new Statistics(4, 10, IntType.S64))))
        .isEqualTo("count 4, average 2, total 10");
    assertThat(BpftraceValues.plain(Escaping.ALL).format(stats))
        .isEqualTo("{ .count = 4, .average = 21692286, .total = 86769147 }");
    BucketHistogram ranges =
        BucketHistogram.linear(0, 300_000_000, 100_000_000, new long[] {0, 1, 0, 1, 2})
            .printedAs(IntFormat.DURATION);
    assertThat(ranges.toString().replaceAll("\t +[0-9].*", ""))
        .isEqualTo("\t[    0, 100ms)\n\t...\n\t[200ms, 300ms)\n\t[300ms,   ...)\n");
  }

  @ParameterizedTest
  @CsvSource({
    "0.5, 0.5, 0.500000, 5.000000e-01, 0.5",
    "100000000, 1.0e8, 100000000.000000, 1.000000e+08, 1e+08",
    "-2.25, -2.25, -2.250000, -2.250000e+00, -2.25",
    "0, 0.0, 0.000000, 0.000000e+00, 0",
    "0.1, 0.1, 0.100000, 1.000000e-01, 0.1",
    "123456789, 1.23456789e8, 123456789.000000, 1.234568e+08, 1.23457e+08",
    "0.00001234, 1.234e-5, 0.000012, 1.234000e-05, 1.234e-05",
    "Infinity, inf, inf, inf, inf",
    "NaN, nan, nan, nan, nan",
  })
  void floatingPointNumbersAreNumbers(double value, String shown, String f, String e, String g) {
    Datum.Real real = Datum.Real.of(value);
    assertThat(FORMAT.format(real)).isEqualTo(shown);
    TextBuffer out = new TextBuffer();
    ConversionWriter.append(out, PrintfFormat.parse("%f %e %g"), List.of(real, real, real), FORMAT);
    assertThat(out).hasToString(f + " " + e + " " + g);
  }

  @Test
  void distributionsStartOnALineOfTheirOwn() {
    assertThat(format("quantize(s32)", "0:1"))
        .isEqualTo("\n\t[   1,    2)\t       1 ┤" + "█".repeat(32) + "│\n");
    assertThat(COMPATIBLE.format(DataReader.datum("quantize(s32)", "0:1")))
        .isEqualTo("\n\t[   0,    1]\t       1 ┤" + "█".repeat(32) + "│\n");
  }

  @Test
  void withoutPaddingTextIsWhatItSays() {
    assertThat(DataReader.datum("char[8]", "\" a\"").toText()).isEqualTo(" a");
    assertThat(DataReader.datum("pid", "7").toText()).isEqualTo("7");
  }

  @Test
  void severalValuesAreSeparatedByCommas() {
    TextBuffer out = new TextBuffer();
    FORMAT.appendAll(out, DataReader.data("pid 7\nchar[4] \"a\"\nu8 1"));

    assertThat(out).hasToString("7, a, 1");
    out.clear();
    COMPATIBLE.appendAll(out, DataReader.data("pid 7\nchar[4] \"a\"\nu8 1"));
    assertThat(out).hasToString("    7, a  , 1");
  }

  @Test
  void theLineOfAJavaFrameIsShownOnce() {
    JavaCode.Method method = new JavaCode.Method("app.Hot", "add", "(I)V");
    Frame frame =
        new Frame(
            0x1000,
            Optional.of(new Symbol(method.toString(), 4)),
            Optional.empty(),
            () -> Optional.of(new SourceLine("Hot.java", 12)),
            Optional.empty(),
            Optional.of(new JavaCode(JavaCode.Tier.C2, Optional.of(method))));
    List<Frame> frames = List.of(frame);
    assertThat(FORMAT.format(new Datum.UserStack(1, 7, frames, StackMode.PLY)))
        .isEqualTo("\n\tapp.Hot.add(int):12\n");
    assertThat(FORMAT.format(new Datum.UserStack(1, 7, frames, StackMode.LINES)))
        .isEqualTo("\n    app.Hot.add(int)@Hot.java:12\n");
    assertThat(FORMAT.format(new Datum.UserStack(1, 7, frames, StackMode.FUNCTIONS)))
        .isEqualTo("\n\tapp.Hot.add(int)\n");
  }

  @Test
  void aStackTraceIsALineForEachFunction() {
    assertThat(FORMAT.format(new Datum.Stack(7, List.of(0x100aL, 0x1000L, 0x1fL), StackMode.PLY)))
        .isEqualTo("\n\tvfs_read+10\n\tvfs_read\n\t<000000000000001f>\n");
  }

  @Test
  void aStackTracePrintsAsItsModeSays() {
    List<Long> addresses = List.of(0x100aL, 0x1fL);
    assertThat(FORMAT.format(new Datum.Stack(7, addresses, StackMode.BPFTRACE)))
        .isEqualTo("\n    vfs_read+10\n    <000000000000001f>\n");
    assertThat(FORMAT.format(new Datum.Stack(7, addresses, StackMode.PERF)))
        .isEqualTo("\n\t100a vfs_read+10\n\t1f <000000000000001f>\n");
    assertThat(FORMAT.format(new Datum.Stack(7, addresses, StackMode.RAW)))
        .isEqualTo("\n\t100a\n\t1f\n");
  }

  @Test
  void aStackTraceOfAProcessPrintsAsItsModeSays() {
    List<Frame> frames =
        List.of(
            new Frame(0x401000, Optional.of(new Symbol("main", 4)), Optional.of("prog")),
            new Frame(0x402000));
    assertThat(FORMAT.format(new Datum.UserStack(1, 7, frames, StackMode.PLY)))
        .isEqualTo("\n\tmain+4\n\t<0000000000402000>\n");
    assertThat(FORMAT.format(new Datum.UserStack(1, 7, frames, StackMode.PERF)))
        .isEqualTo("\n\t401000 main+4 (prog)\n\t402000 [unknown]\n");
    assertThat(FORMAT.format(new Datum.UserStack(1, 7, frames, StackMode.RAW)))
        .isEqualTo("\n\t401000\n\t402000\n");
  }

  @Test
  void whatIsNoStackTraceSaysWhy() {
    IntType id = IntType.U32.printedAs(IntFormat.STACK);
    assertThat(DatumFormat.PLAIN.format(new Datum.Int(1023, id))).isEqualTo("<STACKID1023>");
    assertThat(DatumFormat.PLAIN.format(new Datum.Int(0xffff_fff2L, id)))
        .isEqualTo("\n\t<no kernel stack>\n");
    assertThat(DatumFormat.PLAIN.format(new Datum.Int(0xffff_ffefL, id)))
        .isEqualTo("\n\t<stack not stored>\n");
    Datum.MissingStack none = new Datum.MissingStack(7, -14, Datum.MissingStack.Side.USER);
    assertThat(none.reason()).isEqualTo(Datum.MissingStack.Reason.NO_STACK);
    assertThat(DatumFormat.PLAIN.format(none)).isEqualTo("\n\t<no user stack>\n");
    Datum.MissingStack lost = new Datum.MissingStack(7, -17, Datum.MissingStack.Side.USER);
    assertThat(lost.reason()).isEqualTo(Datum.MissingStack.Reason.LOST);
    assertThat(DatumFormat.PLAIN.format(lost)).isEqualTo("\n\t<stack not stored>\n");
  }
}
