package dev.ply.cli.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.layout.OutputFormat;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which format goes where. */
class OutputsTest {
  private static Outputs of(String format, String files) throws UsageException {
    return Outputs.of(
        format.isEmpty() ? Optional.empty() : OutputFormat.named(format),
        Arrays.stream(files.split(" ")).filter(file -> !file.isEmpty()).map(Path::of).toList(),
        List.of());
  }

  private static String shown(OutputFile file) {
    return file.path().map(path -> path + "=").orElse("")
        + file.format().word()
        + (file.isCompressed() ? "+gz" : "");
  }

  @ParameterizedTest
  @CsvSource({
    "'', '', text",
    "csv, '', csv",
    "'', a, a=text",
    "'', a.txt, a.txt=text",
    "json, a, a=json",
    "'', a.csv, a.csv=csv",
    "'', A.CSV, A.CSV=csv",
    "'', a.json, a.json=json",
    "'', a.jsonl, a.jsonl=json",
    "'', a.csv.gz, a.csv.gz=csv+gz",
    "'', a.folded.gz, a.folded.gz=folded+gz",
    "'', a.speedscope.json, a.speedscope.json=speedscope",
    "'', a.speedscope.json.gz, a.speedscope.json.gz=speedscope+gz",
    "speedscope, a.json, a.json=speedscope",
    "'', a.json.gz, a.json.gz=firefox+gz",
    "json, a.json.gz, a.json.gz=json+gz",
    "firefox, a.json, a.json=firefox",
    "'', a.pb.gz, a.pb.gz=pprof",
    "'', a.pprof, a.pprof=pprof",
    "pprof, a.gz, a.gz=pprof",
    "'', a.pftrace, a.pftrace=perfetto",
    "'', a.perfetto-trace, a.perfetto-trace=perfetto",
    "'', a.prom, a.prom=prometheus",
    "'', a.om, a.om=openmetrics",
    "openmetrics, a.prom, a.prom=openmetrics",
    "'', a.jfr, a.jfr=jfr",
    "'', a.csv b.jfr, a.csv=csv b.jfr=jfr",
    "'', a.csv b.txt, b.txt=text a.csv=csv",
    "'', a.csv -, text a.csv=csv",
    "json, a.json -, json a.json=json",
    "csv, a b.jfr, a=csv b.jfr=jfr",
    "csv, - b.jfr, csv b.jfr=jfr",
    "csv, a.csv b.jfr, a.csv=csv b.jfr=jfr",
    "speedscope, a.json b.jfr, a.json=speedscope b.jfr=jfr",
  })
  void eachOutputHasItsFormat(String format, String files, String expected) throws UsageException {
    Outputs outputs = of(format, files);
    String others =
        outputs.others().stream().map(one -> " " + shown(one)).collect(Collectors.joining());
    assertThat(shown(outputs.own()) + others).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "json, a.csv, '-f json and -o a.csv contradict each other: the end of the name means csv; leave"
        + " out -f, or name the file *.json'",
    "csv, a.json.gz, '-f csv and -o a.json.gz contradict each other: the end of the name means"
        + " firefox; leave out -f, or name the file *.csv'",
    "text, a.json, '-f text and -o a.json contradict each other: the end of the name means json;"
        + " leave out -f'",
    "pprof, a.csv b.jfr, '-f pprof and -o a.csv contradict each other: the end of the name means"
        + " csv; leave out -f, or name the file *.pb.gz'",
    "'', a.csv a.csv, '-o a.csv is given twice'",
    "'', - -, '-o - is given twice'",
  })
  void contradictionsAreRefused(String format, String files, String message) {
    assertThatThrownBy(() -> of(format, files))
        .isInstanceOf(UsageException.class)
        .hasMessage(message);
  }

  @Test
  void pagesAreSoWhateverTheirNames() throws Exception {
    Outputs outputs =
        Outputs.of(Optional.empty(), List.of(Path.of("a.csv")), List.of(Path.of("b.txt")));
    assertThat(outputs.formats()).containsExactly(OutputFormat.CSV, OutputFormat.HTML);
    assertThatThrownBy(
            () -> Outputs.of(Optional.empty(), List.of(Path.of("a")), List.of(Path.of("a"))))
        .isInstanceOf(UsageException.class)
        .hasMessage("--html a is given twice");
  }
}
