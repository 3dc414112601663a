package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Results in several files and formats at once. */
@Tag("live")
@Tag("any-kernel")
class OutputFilesIT {
  private static final String STACKS = "BEGIN { @[kstack] = count(); @n[1] = 2; exit(0); }";

  @TempDir Path directory;

  private String file(String name) {
    return directory.resolve(name).toString();
  }

  private String text(String name) throws IOException {
    return Files.readString(directory.resolve(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-q", "bt -q -e"})
  void theEndOfAFilesNameTellsItsFormat(String command) throws IOException {
    List<String> line = new ArrayList<>(List.of(command.split(" ")));
    String option = line.remove(line.size() - 1);
    for (String ending :
        List.of(
            "folded", "speedscope.json", "pb.gz", "json.gz", "csv", "jsonl", "pftrace", "prom")) {
      line.addAll(List.of("-o", file("a." + ending)));
    }
    line.addAll(List.of(option, STACKS));
    Call call = Call.ply(line.toArray(String[]::new));
    assertThat(call).isEqualTo(new Call(0, "", ""));
    assertThat(text("a.folded")).matches("[^ ]+ 1\n");
    assertThat(text("a.speedscope.json")).startsWith("{\"$schema\":").endsWith("}\n");
    assertThat(unzipped("a.pb.gz")).isNotEmpty();
    assertThat(new String(unzipped("a.json.gz"), StandardCharsets.UTF_8))
        .contains("\"preprocessedProfileVersion\":60");
    assertThat(text("a.csv")).contains("map,kstack,value\n", "@n,1,2\n");
    assertThat(text("a.jsonl")).contains("{\"type\": \"map\"");
    assertThat(Files.size(directory.resolve("a.pftrace"))).isPositive();
    assertThat(text("a.prom")).contains("# TYPE ply_map_total counter\n").doesNotContain("# EOF");
  }

  private byte[] unzipped(String name) throws IOException {
    return new GZIPInputStream(
            new ByteArrayInputStream(Files.readAllBytes(directory.resolve(name))))
        .readAllBytes();
  }

  @Test
  void aDashIsTheStandardOutput() throws IOException {
    Call call = Call.ply("-q", "-o", file("a.csv.gz"), "-o", "-", "BEGIN { print(7); exit(0); }");
    assertThat(call).isEqualTo(new Call(0, "7\n", ""));
    assertThat(new String(unzipped("a.csv.gz"), StandardCharsets.UTF_8))
        .isEqualTo("event,value\nprint,7\n");
  }

  /** No event is in one file alone. */
  @Test
  void eachFileHasAllEvents() throws IOException {
    String script = "BEGIN { for ($i : 0..1000) { printf(\"%d\\n\", $i); } exit(0); }";
    Call call = Call.ply("-q", "-o", file("a.txt"), "-o", file("a.json"), script);
    assertThat(call).isEqualTo(new Call(0, "", ""));
    assertThat(text("a.txt").lines()).hasSize(1000);
    assertThat(text("a.json").lines()).hasSize(1000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pprof|BEGIN { @a[1] = 2; exit(0); }|shows maps of numbers with a stack in their key, and"
            + " this program has none; such a map is @[kstack] = count()",
        "speedscope|BEGIN { print(kstack); exit(0); }|shows maps of numbers with a stack in their"
            + " key, and this program has none; such a map is @[kstack] = count()",
        "firefox|BEGIN { @a[kstack] = comm; exit(0); }|shows maps of numbers with a stack in their"
            + " key, and this program has none; such a map is @[kstack] = count()",
        "perfetto|BEGIN { exit(0); }|shows events and maps, and this program has neither; an event"
            + " is print(time, pid, tid, comm)",
        "openmetrics|BEGIN { print(1); exit(0); }|shows the maps of a program, and this one has"
            + " none; such a map is @[comm] = count()",
      })
  void aFormatThatShowsNothingIsRefused(String format, String script, String reason) {
    Call call = Call.ply("-f", format, script.replace("exit", "printf(\"x\\n\"); exit"));
    if (!format.equals("perfetto")) {
      assertThat(call).isEqualTo(new Call(1, "", "error: -f " + format + " " + reason + "\n"));
    }
    assertThat(Call.ply("-f", format, script))
        .isEqualTo(new Call(1, "", "error: -f " + format + " " + reason + "\n"));
    assertThat(Call.ply("-e", "-f", format, script).errors())
        .isEqualTo("error: -f " + format + " " + reason + "\n");
  }

  @Test
  void formatAndNameMustAgree() {
    Call call = Call.ply("-f", "pprof", "-o", file("a.csv"), STACKS);
    assertThat(call)
        .isEqualTo(
            new Call(
                1,
                "",
                "error: -f pprof and -o "
                    + file("a.csv")
                    + " contradict each other: the end of the name means csv; leave out -f, or name"
                    + " the file *.pb.gz\n"));
    assertThat(Call.ply("-o", file("a"), "-o", file("a"), STACKS).errors())
        .isEqualTo("error: -o " + file("a") + " is given twice\n");
    assertThat(Call.ply("-q", "-o", file("b"), "-o", file("none/x.csv"), STACKS).errors())
        .isEqualTo("error: " + file("none/x.csv") + " cannot be written: no such directory\n");
  }

  /** A warning before the trace names the maps that a format leaves out. */
  @Test
  void mapsWithoutStacksAreNamed() {
    Call call = Call.ply("-f", "speedscope", STACKS);
    assertThat(call.status()).isZero();
    assertThat(call.errors())
        .isEqualTo(
            "warning: -f speedscope leaves out @n, which has no stack in its key; -o FILE.json"
                + " writes all maps beside it\n");
  }

  /** The file is the maps, whether or not the script has them printed. */
  @Test
  void aDocumentHasTheMapsThatAreNotPrinted() throws IOException {
    Call call =
        Call.ply(
            "bt",
            "-q",
            "-o",
            file("a.om"),
            "-e",
            "config = { print_maps_on_exit = 0 } BEGIN { @n[1] = 2; exit(); }");
    assertThat(call.status()).as(call.errors()).isZero();
    assertThat(text("a.om")).contains("ply_n{key=\"1\"} 2\n");
  }
}
