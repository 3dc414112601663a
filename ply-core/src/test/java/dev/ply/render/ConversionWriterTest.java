package dev.ply.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.ply.golden.GoldenTest;
import dev.ply.table.DataReader;
import dev.ply.table.Datum;
import dev.ply.table.DatumFormat;
import dev.ply.target.KernelSymbols;
import dev.ply.text.Escaping;
import dev.ply.text.PrintfFormat;
import dev.ply.text.PrintfFormat.Conversion;
import dev.ply.text.PrintfFormat.Conversion.Kind;
import dev.ply.text.TextBuffer;
import dev.ply.type.TextBytes;
import dev.ply.type.Type.IntType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConversionWriterTest {
  private static String format(String format, List<Datum> arguments) {
    TextBuffer out = new TextBuffer();
    ConversionWriter.append(
        out, PrintfFormat.parse(format), arguments, new DatumFormat(KernelSymbols.NONE));
    return out.toString();
  }

  @TestFactory
  Stream<DynamicNode> golden() {
    return GoldenTest.in("printf")
        .section(
            "output", file -> format(file.text("format"), DataReader.data(file.text("arguments"))))
        .tests();
  }

  @ParameterizedTest
  @CsvSource({
    "%d, u64, 4294967294, -2",
    "%u, s64, -1, 4294967295",
    "%x, u64, 20015998343868, 56789abc",
    "%lx, u64, 20015998343868, 123456789abc",
    "%ld, u64, 18446744073709551615, -1",
    "%lu, s64, -1, 18446744073709551615",
    "%hx, s64, 74565, 2345",
    "%hhd, u64, 255, -1",
    "%o, s64, -1, 37777777777",
    "%d, pointer, ffffffff81000000, -2130706432",
  })
  void theConversionsOfBpftraceAreThoseOfC(
      String format, String type, String value, String expected) {
    TextBuffer out = new TextBuffer();
    ConversionWriter.append(
        out,
        PrintfFormat.parse(format),
        List.of(DataReader.datum(type, value)),
        BpftraceValues.plain(Escaping.ALL));
    assertThat(out.toString()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "%d, u32, 4000000000, 4000000000",
    "%d, u64, 18446744073709551615, 18446744073709551615",
    "%d, s64, -9223372036854775808, -9223372036854775808",
    "%ld, s8, -1, -1",
    "%x, s8, -1, ff",
    "%d, pointer, ff, 255",
    "%p, pointer, ff6ef70a0042bc90, 0xff6ef70a0042bc90",
    "%08p, pointer, ff, 0x0000ff",
    "%p, reg_t, 0x10, 0x10",
    "%s, s32, 65, 65",
    "%5d, char[4], \"a\", '    a'",
    "%s, char[8], \"a\\0b\", a",
  })
  void valuesKnowTheirSizeAndKind(String format, String type, String value, String expected) {
    assertThat(format(format, List.of(DataReader.datum(type, value)))).isEqualTo(expected);
  }

  @Property
  void whatIsConvertedTakesOneLineOfPrintableUtf8(
      @ForAll byte[] bytes, @ForAll byte character, @ForAll @IntRange(max = 20) int width) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    String shown =
        format(
            "%" + width + "s|%-" + width + "." + width / 2 + "s|%c",
            List.of(
                new Datum.Text(text),
                new Datum.Text(text),
                new Datum.Int(character, IntType.CHAR)));

    assertThat(shown.codePoints()).noneMatch(Character::isISOControl);
    assertThat(TextBytes.encode(shown)).isEqualTo(shown.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void rawTextIsItsBytes() {
    TextBuffer out = new TextBuffer();
    ConversionWriter.append(
        out,
        PrintfFormat.parse("%s|%4s|%.1s|%c|%v"),
        List.of(
            new Datum.Text("a\033\377"),
            new Datum.Text("\303\251"),
            new Datum.Text("\303\251"),
            new Datum.Int(10, IntType.S32),
            new Datum.Text("\n\0")),
        new DatumFormat(KernelSymbols.NONE).raw());

    assertThat(out).hasToString("a\033\udcff|  é|\udcc3|\n|\\n");
  }

  @Test
  void conversionsSayWhatTheyAreFor() {
    List<Conversion> conversions =
        PrintfFormat.parse("%%|%-5.3lld|%s|%p|%v|%f|%-*.*d|%c").conversions();

    assertThat(conversions)
        .extracting(Conversion::kind)
        .containsExactly(
            Kind.INTEGER,
            Kind.TEXT,
            Kind.POINTER,
            Kind.DEFAULT,
            Kind.FRACTION,
            Kind.INTEGER,
            Kind.INTEGER);
    assertThat(conversions).extracting(Conversion::arguments).containsExactly(1, 1, 1, 1, 1, 3, 1);
    assertThat(conversions.get(0)).isEqualTo(new Conversion("%-5.3lld", "d", "-", 5, 3, "ll"));
  }

  @Test
  void widthsHaveABound() {
    assertThat(PrintfFormat.parse("%9999d").conversions()).hasSize(1);
    assertThat(PrintfFormat.parse("%10000d %.99999999999d").conversions()).isEmpty();
  }

  @Property
  void integersPrintAsJavaPrintsThemWhereTheRulesAgree(
      @ForAll int value,
      @ForAll @IntRange(min = 1, max = 14) int width,
      @ForAll boolean zeros,
      @ForAll boolean sign) {
    String format = "%" + (zeros ? "0" : "") + (sign ? "+" : "") + width + "d";

    assertThat(format(format, List.of(new Datum.Int(value, IntType.S32))))
        .isEqualTo(String.format(Locale.ROOT, format, value));
  }

  @Property
  void anyTextIsAFormat(
      @ForAll
          @StringLength(max = 10)
          @Chars({'%', 'd', 's', 'v', '.', '-', '0', '9', 'l', '\n', 'é'})
          String format) {
    List<Datum> arguments = DataReader.data("s32 1\ns32 2\ns32 3");

    assertThatCode(() -> format(format, arguments)).doesNotThrowAnyException();
    assertThat(format(format, List.of())).isEqualTo(format);
  }
}
