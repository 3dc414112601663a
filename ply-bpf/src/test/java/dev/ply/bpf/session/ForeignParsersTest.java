package dev.ply.bpf.session;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.google.common.io.Resources;
import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.session.StackTables.Sample;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.lang.PlyScript;
import dev.ply.layout.Layout;
import dev.ply.layout.OutputFormat;
import dev.ply.machine.Architecture;
import dev.ply.reader.ForeignProgram;
import dev.ply.result.EndReason;
import dev.ply.result.Renderer;
import dev.ply.result.Result;
import dev.ply.table.Datum;
import dev.ply.table.NamedTable;
import dev.ply.table.TableSchema.Unit;
import dev.ply.type.TextBytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs of others accept each format, whatever names it has, and add up to the session's totals.
 * The page is read by a browser, in {@link PageInBrowserTest}.
 */
@Tag("any-java")
class ForeignParsersTest {
  private static final SimulatedTarget TARGET = Stage.target(Architecture.X86_64);

  /** Bytes of a process's name, without the NUL that ends it. */
  private static final int COMM = 15;

  private static final String SCRIPT =
      "kprobe:vfs_read { print(time, pid, tid, comm, arg2); printf(\"%s read\\n\", comm);"
          + " @bytes[comm, \"a\\\"b\"] = sum(arg2); @sizes[comm] = quantize(arg2); @who[pid] = comm;"
          + " @waited = time; @all = stats(arg2); @ten[comm] = lhist(arg2, 1, 3000001, 1000000); }";

  /** What was written, and what the session has. */
  @SuppressWarnings("ArrayRecordComponent") // a file's content
  private record Written(byte[] bytes, long events, long bytesRead, long calls, long all) {
    String text() {
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  /** Hostile names, as long as those of threads can be. */
  private static List<String> names() {
    return StackTables.HOSTILE.stream()
        .map(TextBytes::encode)
        .map(bytes -> TextBytes.decode(Arrays.copyOf(bytes, Math.min(COMM, bytes.length))))
        .toList();
  }

  /** A map of names and stacks: each name counted as often as its place tells. */
  private static NamedTable stacks(List<String> names) {
    List<Sample> samples = new ArrayList<>();
    for (String name : names) {
      samples.add(new Sample(name, List.of(name, "main"), samples.size() + 1));
    }
    return StackTables.map("@calls", "count", Unit.CALLS, samples);
  }

  private static Written write(OutputFormat format) {
    return write(format, names(), StackTables.HOSTILE);
  }

  private static Written write(OutputFormat format, List<String> comms, List<String> names) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Renderer renderer = format.layout().on(TARGET);
    Layout layout = unused -> renderer;
    List<NamedTable> maps = new ArrayList<>();
    try (var tracer = SimulatedTracer.create(TARGET);
        PreparedTrace trace = tracer.prepare(PlyScript.parse(SCRIPT)).writeTo(bytes, layout);
        Session session = trace.start()) {
      for (int i = 0; i < comms.size(); i++) {
        Firing read = Firing.kprobe("vfs_read").pid(i + 1).comm(comms.get(i));
        tracer.fire(read.arg(2, 1L << i));
      }
      session.stop();
      maps.addAll(session.tables());
    }
    maps.add(stacks(names));
    var listener = renderer.to(bytes);
    listener.accept(new Result.Snapshot(maps, Result.Occasion.FINAL));
    listener.accept(new Result.End(new EndReason.Stopped()));
    long all = maps.stream().mapToLong(ForeignParsersTest::sum).sum();
    long calls = LongStream.rangeClosed(1, names.size()).sum();
    return new Written(bytes.toByteArray(), comms.size(), (1L << comms.size()) - 1, calls, all);
  }

  private static long sum(NamedTable map) {
    return map.table().stream().mapToLong(row -> number(row.value())).sum();
  }

  private static long number(Datum value) {
    return value instanceof Datum.Stats stats
        ? stats.statistics().count() + stats.statistics().total()
        : value.weight().orElse(0);
  }

  private static long sum(String number, String text) {
    return Pattern.compile(number, Pattern.MULTILINE)
        .matcher(text)
        .results()
        .mapToLong(one -> Long.parseLong(one.group(1)))
        .sum();
  }

  private static long count(String line, String text) {
    return Pattern.compile(line, Pattern.MULTILINE).matcher(text).results().count();
  }

  /** Lets a program of Python read what was written, and print numbers. */
  private static void accept(Written written, String program, long... expected) throws Exception {
    String numbers = LongStream.of(expected).mapToObj(String::valueOf).collect(joining(" "));
    String read = ForeignProgram.python().read(written.bytes(), "-c", program).strip();
    assumeFalse(read.startsWith("needs "), read);
    assertThat(read).isEqualTo(numbers);
  }

  @Test
  void jsonByPython() throws Exception {
    Written written = write(OutputFormat.JSON);
    accept(
        written,
        """
        import json, sys
        def distinct(pairs):
          assert len(dict(pairs)) == len(pairs), pairs
          return dict(pairs)
        def refused(constant):
          raise ValueError(constant)
        events = read = 0
        rows = {}
        for line in sys.stdin.buffer.read().decode('utf-8').split('\\n')[:-1]:
          one = json.loads(line, object_pairs_hook=distinct, parse_constant=refused)
          if one['type'] == 'value':
            events += 1
            read += one['data'][4]
          elif one['type'] == 'map':
            rows.update(one['data'])
        keys = len(set(row['key'][0] for row in rows['@calls']))
        total = lambda name: sum(row['value'] for row in rows[name])
        print(events, read, total('@bytes'), keys, total('@calls'))
        """,
        written.events(),
        written.bytesRead(),
        written.bytesRead(),
        StackTables.HOSTILE.size(),
        written.calls());
  }

  @Test
  void csvByPython() throws Exception {
    Written written = write(OutputFormat.CSV);
    accept(
        written,
        """
        import csv, io, sys
        sums, widths = {}, set()
        for row in csv.reader(io.TextIOWrapper(sys.stdin.buffer, 'utf-8', newline=''), strict=True):
          if row[0] in ('event', 'map'):
            width = len(row)
            continue
          assert len(row) == width, row
          for field in row[1:]:
            assert not field.startswith(('=', '+', '@', '-', '\\t', '\\r')), row
            assert not any(ord(one) < 32 for one in field), row
          if row[-1].isdigit():
            sums[row[0]] = sums.get(row[0], 0) + int(row[-1])
        print(sums['print'], sums['@bytes'], sums['@sizes'], sums['@calls'])
        """,
        written.bytesRead(),
        written.bytesRead(),
        written.events(),
        written.calls());
  }

  /** Of text only the lines can be counted: hostile names add none. */
  @Test
  void textByPython() throws Exception {
    List<String> comms = new ArrayList<>();
    for (String name : names()) {
      // A string with a NUL inside has lines of its own.
      comms.add("name " + comms.size() + (name.contains("\0") ? "\0" + name : ""));
    }
    Written plain = write(OutputFormat.TEXT, comms, comms);
    accept(
        write(OutputFormat.TEXT),
        """
        import sys, unicodedata
        text = sys.stdin.buffer.read().decode('utf-8')
        for one in text.replace('\\n', '').replace('\\t', ''):
          assert unicodedata.category(one) != 'Cc' and one != '\\u202e', repr(one)
        print(text.count('\\n'))
        """,
        plain.text().chars().filter(one -> one == '\n').count());
  }

  @Test
  void foldedByPython() throws Exception {
    Written written = write(OutputFormat.FOLDED);
    accept(
        written,
        """
        import sys
        total = lines = 0
        for line in sys.stdin.buffer.read().decode('utf-8').split('\\n')[:-1]:
          path, number = line.rsplit(' ', 1)
          assert len(path.split(';')) == 3 and ' ' not in path, line
          total += int(number)
          lines += 1
        print(lines, total)
        """,
        StackTables.HOSTILE.size(),
        written.calls());
  }

  @Test
  void speedscopeByPython() throws Exception {
    Written written = write(OutputFormat.SPEEDSCOPE);
    accept(
        written,
        """
        import json, sys
        file = json.loads(sys.stdin.buffer.read().decode('utf-8'))
        profile, = file['profiles']
        names = [frame['name'] for frame in file['shared']['frames']]
        stacks = [[names[frame] for frame in stack] for stack in profile['samples']]
        print(len(stacks), sum(profile['weights']), profile['endValue'])
        """,
        StackTables.HOSTILE.size(),
        written.calls(),
        written.calls());
  }

  @Test
  void firefoxByPython() throws Exception {
    Written written = write(OutputFormat.FIREFOX);
    accept(
        written,
        """
        import json, sys
        file = json.loads(sys.stdin.buffer.read().decode('utf-8'))
        for name, table in file['shared'].items():
          if 'length' in table:
            assert all(len(one) == table['length'] for one in table.values() if type(one) is list), name
        thread, = file['threads']
        print(thread['samples']['length'], sum(thread['samples']['weight']))
        """,
        StackTables.HOSTILE.size(),
        written.calls());
  }

  /** Returns what protoc prints of a message of a file in {@code foreign}, without the unknown. */
  private static String decoded(byte[] bytes, String message, String file) throws Exception {
    ForeignProgram protoc = ForeignProgram.of("protoc", "protobuf-compiler");
    Path schema = Path.of(Resources.getResource("foreign/" + file).toURI());
    String text =
        protoc.read(
            bytes, "--decode=" + message, "--proto_path=" + schema.getParent(), schema.toString());
    assertThat(count("^ *\\d+[:{ ]", text)).as("unknown fields").isZero();
    return text;
  }

  @Test
  void pprofByProtoc() throws Exception {
    Written written = write(OutputFormat.PPROF);
    String text;
    try (InputStream plain = new GZIPInputStream(new ByteArrayInputStream(written.bytes()))) {
      text = decoded(plain.readAllBytes(), "Profile", "profile.proto");
    }
    assertThat(count("^sample \\{", text)).isEqualTo(StackTables.HOSTILE.size());
    assertThat(sum("^  value: (\\d+)$", text)).isEqualTo(written.calls());
    // main and a leaf of each name
    assertThat(count("^function \\{", text)).isEqualTo(1 + StackTables.HOSTILE.size());
  }

  @Test
  void perfettoByProtoc() throws Exception {
    Written written = write(OutputFormat.PERFETTO);
    String text = decoded(written.bytes(), "Trace", "trace.proto");
    assertThat(sum("^    counter_value: (\\d+)$", text)).isEqualTo(written.all());
    // print and printf
    assertThat(count("^    type: 3$", text)).isEqualTo(2 * written.events());
  }

  @Test
  void openMetricsByItsReferenceParser() throws Exception {
    Written written = write(OutputFormat.OPENMETRICS);
    accept(
        written,
        """
        import io, sys
        try:
          from prometheus_client.openmetrics.parser import text_fd_to_metric_families
        except ImportError:
          sys.exit(print('needs prometheus_client: apt-get install python3-prometheus-client'))
        sums = {}
        for family in text_fd_to_metric_families(io.TextIOWrapper(sys.stdin.buffer, 'utf-8', newline='\\n')):
          for sample in family.samples:
            sums[sample.name] = sums.get(sample.name, 0) + int(sample.value)
        print(sums['ply_bytes_total'], sums['ply_calls_total'], sums['ply_all_sum'], sums['ply_who_info'])
        """,
        written.bytesRead(),
        written.calls(),
        written.bytesRead(),
        written.events());
  }

  /** Prometheus imports it, if its samples have times. */
  @Test
  void openMetricsByPrometheus(@TempDir Path directory) throws Exception {
    ForeignProgram promtool = ForeignProgram.of("promtool", "prometheus");
    Written written = write(OutputFormat.OPENMETRICS);
    String timed =
        Pattern.compile("^([^#].*)$", Pattern.MULTILINE).matcher(written.text()).replaceAll("$1 5");
    Path file = Files.writeString(directory.resolve("in"), timed);
    // Its reader wants a directory that its writer does not make.
    Path data = directory.resolve("data");
    Path unusedDirectory = Files.createDirectories(data.resolve("wal"));
    String unused =
        promtool.read(
            new byte[0],
            "tsdb",
            "create-blocks-from",
            "openmetrics",
            "-q",
            file.toString(),
            data.toString());
    String dump = promtool.read(new byte[0], "tsdb", "dump", data.toString());
    assertThat(sum("__name__=\"ply_bytes_total\".* (\\d+) 5000$", dump))
        .isEqualTo(written.bytesRead());
    assertThat(sum("__name__=\"ply_calls_total\".* (\\d+) 5000$", dump)).isEqualTo(written.calls());
  }

  @Test
  void prometheusByPromtool() throws Exception {
    ForeignProgram promtool = ForeignProgram.of("promtool", "prometheus");
    Written written = write(OutputFormat.PROMETHEUS);
    assertThat(promtool.read(written.bytes(), "check", "metrics")).isEmpty();
    assertThat(sum("^ply_bytes_total\\{.* (\\d+)$", written.text())).isEqualTo(written.bytesRead());
  }

  @Test
  void flightRecorderByJfr(@TempDir Path directory) throws Exception {
    Written written = write(OutputFormat.JFR);
    Path file = Files.write(directory.resolve("all.jfr"), written.bytes());
    String json = ForeignProgram.ofJdk("jfr").read(new byte[0], "print", "--json", file.toString());
    accept(
        new Written(json.getBytes(StandardCharsets.UTF_8), 0, 0, 0, 0),
        """
        import json, sys
        sums, numbers = {}, {}
        for event in json.loads(sys.stdin.buffer.read().decode('utf-8'))['recording']['events']:
          kind, values = event['type'], event['values']
          number = values.get('value', values.get('arg2', 0))
          numbers[kind] = numbers.get(kind, 0) + 1
          sums[kind] = sums.get(kind, 0) + (number if type(number) is int else 0)
        print(numbers['ply.print'], numbers['ply.printf'], sums['ply.print'],
          sums['ply.map.bytes'], sums['ply.map.calls'])
        """,
        written.events(),
        written.events(),
        written.bytesRead(),
        written.bytesRead(),
        written.calls());
  }
}
