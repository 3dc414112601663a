package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.ir.Script;
import dev.ply.ir.declaration.Configuration;
import dev.ply.ir.declaration.Setting;
import dev.ply.lang.PlyScript;
import dev.ply.layout.Layout;
import dev.ply.machine.Architecture;
import dev.ply.result.Result;
import dev.ply.table.NamedTable;
import dev.ply.text.TextBuffer;
import dev.ply.type.Dialect;
import dev.ply.type.TextBytes;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A string that does not fit is marked where it is shown, if the size is not the script's own. */
class CutStringTest {
  private static final SimulatedTarget TARGET = Stage.target(Architecture.X86_64);
  private static final String OPEN = "tracepoint:syscalls:sys_enter_openat { ";

  private static final Firing SYSTEM_CALL = Firing.tracepoint("syscalls:sys_enter_openat");
  private static final Firing EXEC = Firing.tracepoint("sched:sched_process_exec");

  /** What fits the default size of a string. */
  private static final String FITS = "/long".repeat(30).substring(0, 127);

  @ParameterizedTest
  @CsvSource({"abc, ''", "FITS, ''", "FITSx, ..", "FITSxyz, ..", "'', ''"})
  void aStringThatIsLongerThanTheDefaultSizeIsMarked(String text, String mark) {
    String name = text.replace("FITS", FITS);
    String shown = name.substring(0, Math.min(name.length(), FITS.length())) + mark;
    assertThat(run("printf(\"%s\\n\", str(data->filename));", Layout.PLY, name))
        .isEqualTo(shown + "\n");
    assertThat(run("$s = str(data->filename); print($s);", Layout.BPFTRACE, name))
        .isEqualTo(shown + "\n");
    assertThat(run("print(str(data->filename));", Layout.BPFTRACE_JSON, name))
        .isEqualTo("{\"type\": \"value\", \"data\": \"" + shown + "\"}\n");
    assertThat(run("@[str(data->filename)] = count();", Layout.BPFTRACE, name))
        .isEqualTo("@[" + shown + "]: 1\n");
    assertThat(run("@ = (1, str(data->filename));", Layout.BPFTRACE, name))
        .isEqualTo("@: (1, " + shown + ")\n");
  }

  @ParameterizedTest
  @CsvSource({"_xxx, _xxx", "'', ''", "…, …"})
  void theMarkIsASetting(String mark, String shown) {
    String config = "config = { str_trunc_trailer = \"" + mark + "\"; max_strlen = 4 } " + OPEN;
    String body = "$s = str(data->filename); print($s); printf(\"%s\\n\", $s); @ = $s; }";
    assertThat(run(config + body, SYSTEM_CALL, "abcdef"))
        .isEqualTo("abc%1$s\nabc%1$s\n@: abc%1$s\n".formatted(shown));
    assertThat(
            run(
                config + "print(str(data->filename)); }",
                Layout.BPFTRACE_JSON,
                SYSTEM_CALL,
                "abcd"))
        .isEqualTo("{\"type\": \"value\", \"data\": \"abc" + shown + "\"}\n");
  }

  @Test
  void aSizeOfTheScriptsOwnIsAskedFor() {
    assertThat(run("print(str(data->filename, 4));", Layout.BPFTRACE, "abcdef")).isEqualTo("abc\n");
  }

  /** In keys, values, tuples, loops and prints; comparisons with what is written out. */
  @Test
  void aStringHasThousandsOfBytes() {
    String name = "/" + "x".repeat(5555);
    String config = "config = { max_strlen = 9999 } " + OPEN;
    assertThat(
            run(
                config
                    + "$s = str(data->filename); @[$s] = $s; for ($kv : @) { print($kv); }"
                    + " print((1, (2, $s))); printf(\"%s\\n\", $s); @s = str(0); @t = @s;"
                    + " if (strncmp($s, \"/xx\", 3) == 0 && $s != \"/xx\") { print(\"yes\"); } }",
                SYSTEM_CALL,
                name))
        .isEqualTo(
            """
            (N, N)
            (1, (2, N))
            N
            yes
            @[N]: N
            @s:\s
            @t:\s
            """
                .replace("N", name)
                .replace("@t: \n", "@t:\n"));
  }

  @Test
  void aLargerSettingThanStringsHaveIsCutThere() {
    String script = "config = { max_strlen = 31744 } " + OPEN + "print(str(data->filename)); }";
    assertThat(run(script, SYSTEM_CALL, "x".repeat(16383), "x".repeat(20000)))
        .isEqualTo("x".repeat(16383) + "\n" + "x".repeat(16383) + "..\n");
  }

  /** As since bpftrace 0.24; below 1024 bytes. */
  @ParameterizedTest
  @CsvSource({"5, 5", "1, 1", "1023, 1023", "1024, 1023", "2000, 1999"})
  void theDefaultSizeOfBpftraceIsWithoutTheNul(int size, int shown) {
    Script script =
        PlyScript.parse(OPEN + "@ = str(args.filename); }")
            .withConfiguration(
                new Configuration(
                    Map.of(Setting.MAX_STRLEN, Integer.toString(size)), Dialect.BPFTRACE));
    String fits = "x".repeat(shown);
    assertThat(run(script, Layout.BPFTRACE, SYSTEM_CALL, fits)).isEqualTo("@: " + fits + "\n");
    assertThat(run(script, Layout.BPFTRACE, SYSTEM_CALL, fits + "y"))
        .isEqualTo("@: " + fits + "..\n");
  }

  @Test
  void memoryWithoutANulIsJoinedAsAWhole() {
    String script = "print(str_concat(mem(data->filename, 3), mem(data->filename, 2)));";
    assertThat(run(script, Layout.BPFTRACE, "abcdef")).isEqualTo("abcab\n");
    String cut = "print(str_concat(str(data->filename, 4), \"!\"));";
    assertThat(run(cut, Layout.BPFTRACE, "abcdef")).isEqualTo("abc!\n");
    String byDefault = "print(str_concat(str(data->filename), \"!\"));";
    assertThat(run(byDefault, Layout.BPFTRACE, FITS + "xyz")).isEqualTo(FITS + "!\n");
  }

  @Test
  void theScriptsDefaultSizeIsNotWhatACallAsksFor() {
    String script = "config = { max_strlen = 8 } " + OPEN + "print(str(data->filename)); }";
    assertThat(run(script, SYSTEM_CALL, "abcdefg", "abcdefgh")).isEqualTo("abcdefg\nabcdefg..\n");
    String own = "config = { max_strlen = 8 } " + OPEN + "print(str(data->filename, 8)); }";
    assertThat(run(own, SYSTEM_CALL, "abcdefgh")).isEqualTo("abcdefg\n");
  }

  @Test
  void aComputedSizeIsAskedForUpToItsLimit() {
    String script = "print(str(data->filename, data->flags, 8));";
    assertThat(run(OPEN + script + "}", SYSTEM_CALL.field("flags", 4), "abcdefgh"))
        .isEqualTo("abc\n");
    assertThat(run(OPEN + script + "}", SYSTEM_CALL.field("flags", 100), "abcdefg", "abcdefgh"))
        .isEqualTo("abcdefg\nabcdefg..\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"str", "dyn"})
  void dataOfVariableLengthIsMarked(String function) {
    String exec =
        "tracepoint:sched:sched_process_exec { $s = F(data->filename); print($s); @a = $s; }";
    assertThat(run(exec.replace("F", function), EXEC, "", "abc", FITS, FITS + "x"))
        .isEqualTo("\nabc\n" + FITS + "\n" + FITS + "..\n@a: " + FITS + "..\n");
    String own = exec.replace("F(data->filename)", function + "(data->filename, 8)");
    assertThat(run(own, EXEC, "abcdefgh")).isEqualTo("abcdefg\n@a: abcdefg\n");
  }

  @Test
  void widthAndPrecisionCountTheMark() {
    String format = "printf(\"%-130s|%.3s|\\n\", str(data->filename), str(data->filename));";
    assertThat(run(format, Layout.PLY, FITS + "x")).isEqualTo(FITS + ".. |/lo|\n");
    assertThat(run("print(str(data->filename), 1);", Layout.PLY, FITS + "x"))
        .isEqualTo(FITS + ".., 1\n");
  }

  @Test
  void stringsWithTheSameBeginningAreOneKey() {
    String script = "@[str(data->filename)] = count();";
    assertThat(run(script, Layout.BPFTRACE, FITS + "d", FITS + "e", FITS))
        .isEqualTo("@[" + FITS + "]: 1\n@[" + FITS + "..]: 2\n");
  }

  /** The mark is no part of the string. */
  @Test
  void theBeginningOfAStringIsCompared() {
    String script =
        """
        $s = str(data->filename); @a[1] = $s; $t = FITS;
        if ($s == FITS && str(data->filename) == FITS && @a[1] == $s && $s == $t
            && strncmp($s, FITS, 127) == 0 && ($s, 1) == (str(data->filename), 1)) {
          printf("yes");
        }
        delete @a[1];
        """
            .replace("FITS", "\"" + FITS + "\"");
    assertThat(run(script, Layout.BPFTRACE, FITS + "def")).isEqualTo("yes");
    assertThat(run(script, Layout.BPFTRACE, FITS.substring(1) + "def")).isEmpty();
  }

  @Test
  void inALongerStringThereIsNoMark() {
    String script =
        "$s = str(data->filename); $s = str(data->filename, 256);"
            + " @[1] = str(data->filename); @[2] = str(data->filename, 200);";
    assertThat(run(script, Layout.BPFTRACE, FITS + "def"))
        .isEqualTo("@[1]: " + FITS + "\n@[2]: " + FITS + "def\n");
  }

  private static String run(String body, Layout layout, String... names) {
    return run(OPEN + body + " }", layout, SYSTEM_CALL, names);
  }

  private static String run(String script, Firing firing, String... names) {
    return run(script, Layout.BPFTRACE, firing, names);
  }

  private static String run(String script, Layout layout, Firing firing, String... names) {
    return run(PlyScript.parse(script), layout, firing, names);
  }

  private static String run(Script script, Layout layout, Firing firing, String... names) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    TextBuffer maps = new TextBuffer();
    try (var tracer = SimulatedTracer.create(TARGET);
        PreparedTrace trace = tracer.prepare(script).writeTo(bytes, layout);
        Session session = trace.start()) {
      for (String name : names) {
        tracer.fire(firing.field("filename", name));
      }
      session.stop();
      List<NamedTable> shown =
          session.tables().stream().filter(table -> !table.table().isEmpty()).toList();
      layout.on(TARGET).render(maps, new Result.Snapshot(shown, Result.Occasion.FINAL));
    }
    return TextBytes.decode(bytes.toByteArray())
        + maps.toString().strip().concat("\n").replaceFirst("^\n$", "");
  }
}
