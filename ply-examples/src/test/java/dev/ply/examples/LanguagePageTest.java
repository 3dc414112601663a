package dev.ply.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.bpf.btf.BtfBuilder;
import dev.ply.bpf.btf.BtfTypes;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.diagnostic.Source;
import dev.ply.golden.UnifiedDiff;
import dev.ply.ir.Clause;
import dev.ply.ir.IrPrinter;
import dev.ply.ir.Script;
import dev.ply.lang.PlyScript;
import dev.ply.lang.argument.ScriptArguments;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.CounterProbe;
import dev.ply.probe.KernelProbe;
import dev.ply.probe.OffCpuProbe;
import dev.ply.probe.TracerProbe;
import dev.ply.probe.UserProbe;
import dev.ply.reference.LanguageReference;
import dev.ply.reference.Topic;
import dev.ply.target.KernelTypes;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The page about the language says what is so: of the table, and in each of its examples. */
@Tag("any-java")
class LanguagePageTest {
  /** What the fluent form of an example may use. */
  private static final String FRAME =
      """
      import static dev.ply.Actions.*;
      import static dev.ply.AggregateActions.*;
      import static dev.ply.ControlActions.*;
      import static dev.ply.OutputActions.*;
      import static dev.ply.Probe.*;
      import static dev.ply.Values.*;
      import static dev.ply.value.ClockValues.*;
      import static dev.ply.value.ErrorValues.*;
      import static dev.ply.value.MemoryValues.*;
      import static dev.ply.value.NetworkValues.*;
      import static dev.ply.value.ProbeValues.*;
      import static dev.ply.value.StringValues.*;
      import static dev.ply.value.SymbolValues.*;
      import static dev.ply.value.ThreadValues.*;
      import static dev.ply.value.TypeValues.*;
      import dev.ply.*;
      import dev.ply.table.TimeSeries;
      import java.time.Duration;
      import java.util.List;
      public class Example implements java.util.function.Supplier<List<? extends Probe>> {
        @Override
        public List<? extends Probe> get() {
          return List.of(%s);
        }
      }
      """;

  private static final ScriptArguments ARGUMENTS =
      ScriptArguments.NONE.withVariable("target", "1234");

  @TempDir private Path classes;

  @Test
  void theReferenceIsTheTable() throws IOException {
    LanguagePage page = LanguagePage.read();
    LanguagePage wanted = page.withReference();
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(LanguagePage.FILE, wanted.text());
    } else {
      assertThat(UnifiedDiff.of(page.text(), wanted.text())).isEmpty();
    }
  }

  @Test
  void eachTopicIsShownInBothForms() throws IOException {
    assertThat(LanguagePage.read().examples())
        .filteredOn(example -> example.java().isPresent())
        .extracting(LanguagePage.Example::name)
        .containsAll(LanguageReference.topics().stream().map(Topic::name).toList());
  }

  @TestFactory
  Stream<DynamicTest> bothFormsAreOneScript() throws IOException {
    assumeTrue(SourceCompiler.isAvailable(), "this Java runtime has no compiler");
    return LanguagePage.read().examples().stream()
        .filter(example -> example.java().isPresent())
        .map(
            example ->
                dynamicTest(
                    example.name(),
                    () ->
                        assertThat(
                                IrPrinter.print(Probe.script(probes(example.java().orElseThrow()))))
                            .isEqualTo(IrPrinter.print(parse(example)))));
  }

  @TestFactory
  Stream<DynamicTest> examplesRun() throws IOException {
    return LanguagePage.read().examples().stream()
        .map(
            example ->
                dynamicTest(example.name(), () -> assertThat(shown(parse(example))).isNotEmpty()));
  }

  /** Returns what a script prints, collects and ends with while each of its probes fires. */
  private static String shown(Script script) {
    StringBuilder shown = new StringBuilder();
    SimulatedTarget target =
        SimulatedTarget.create()
            .withTypes(types())
            .withFunction("linux_banner", 0xffff_8000L)
            .withFunction("process_counts", 0xffff_9000L)
            .withFunction("__per_cpu_offset", 0xffff_a000L);
    try (SimulatedTracer tracer = SimulatedTracer.create(target, CompilerOptions.DEFAULT.unsafe());
        Session session = tracer.prepare(script).printTo(shown::append).start()) {
      for (Clause clause : script.clauses()) {
        if (clause.point() instanceof TracerProbe own && !own.isOfEveryTrace()) {
          assertThat(session.run(own.definition())).isEmpty();
        } else {
          fire(tracer, clause.point());
        }
      }
      session.stop();
      session.tables().stream()
          .filter(map -> !map.table().rows().isEmpty())
          .forEach(map -> shown.append(map.name()));
      session.exitStatus().ifPresent(shown::append);
    }
    return shown.toString();
  }

  /** Returns the types that the page's examples use. */
  private static KernelTypes types() {
    BtfBuilder btf = new BtfBuilder();
    int word = btf.integer("long int", 8, true);
    int inode = btf.struct("inode", 8, BtfBuilder.Member.at(0, "i_ino", word));
    int path = btf.struct("path", 16, BtfBuilder.Member.at(8, "dentry", btf.pointer(inode)));
    int file =
        btf.struct(
            "file",
            24,
            BtfBuilder.Member.at(0, "f_inode", btf.pointer(inode)),
            BtfBuilder.Member.at(8, "f_path", path));
    int common = btf.struct("sock_common", 8, BtfBuilder.Member.at(0, "skc_cookie", word));
    int sock = btf.struct("sock", 8, BtfBuilder.Member.at(0, "__sk_common", common));
    int size = btf.integer("long unsigned int", 8, false);
    int id = btf.integer("int", 4, true);
    int name = btf.array(btf.integer("char", 1, true), id, 16);
    int task = name + 2;
    int parent = btf.pointer(task);
    int unused0 =
        btf.struct(
            "task_struct",
            48,
            BtfBuilder.Member.at(0, "real_parent", parent),
            BtfBuilder.Member.at(8, "comm", name),
            BtfBuilder.Member.at(24, "tgid", id),
            BtfBuilder.Member.at(32, "group_leader", parent),
            BtfBuilder.Member.at(40, "thread_pid", parent));
    int ns = btf.struct("ns_common", 4, BtfBuilder.Member.at(0, "inum", id));
    int namespace = btf.struct("pid_namespace", 4, BtfBuilder.Member.at(0, "ns", ns));
    int upid =
        btf.struct(
            "upid",
            16,
            BtfBuilder.Member.at(0, "nr", id),
            BtfBuilder.Member.at(8, "ns", btf.pointer(namespace)));
    int unused5 =
        btf.struct(
            "pid",
            24,
            BtfBuilder.Member.at(0, "level", id),
            BtfBuilder.Member.at(8, "numbers", upid));
    int unused1 = btf.function("bpf_iter_task", word, "meta", parent, "task", parent);
    int unused2 = btf.function("security_file_open", id, "file", btf.pointer(file));
    int unused3 = btf.function("tcp_sendmsg", id, "sk", btf.pointer(sock), "size", size);
    int buffer = btf.struct("sk_buff", 4, BtfBuilder.Member.at(0, "len", id));
    int unused4 = btf.function("__dev_queue_xmit", id, "skb", btf.pointer(buffer));
    int unused = btf.function("vfs_read", word, "file", btf.pointer(file), "count", size);
    return BtfTypes.parse(btf.build(ByteOrder.LITTLE_ENDIAN));
  }

  private static void fire(SimulatedTracer tracer, AttachPoint point) {
    String definition = point.definition();
    String place = definition.substring(definition.indexOf(':') + 1);
    if (point instanceof KernelProbe.Kprobe) {
      tracer.fire(by(Firing.kprobe(place)));
    } else if (point instanceof KernelProbe.Kretprobe) {
      tracer.fire(by(Firing.kretprobe(place).retval(-5)));
    } else if (point instanceof KernelProbe.Fentry) {
      tracer.fire(by(Firing.fentry(place)).arg(1, 512));
    } else if (point instanceof KernelProbe.Fexit) {
      tracer.fire(by(Firing.fexit(place)).arg(1, 512).retval(100));
    } else if (point instanceof UserProbe.Uprobe uprobe) {
      String name = place.substring(place.indexOf(':') + 1);
      tracer.fire(by(Firing.uprobe(uprobe.place().binary(), name)).arg(0, "text"));
    } else if (point instanceof UserProbe.Uretprobe uretprobe) {
      String name = place.substring(place.indexOf(':') + 1);
      tracer.fire(by(Firing.uretprobe(uretprobe.place().binary(), name)));
    } else if (point instanceof AttachPoint.Usdt usdt) {
      String[] parts = place.split(":", -1);
      tracer.fire(by(Firing.usdt(usdt.place().binary(), parts[1], parts[2])));
    } else if (point instanceof CounterProbe.Software) {
      tracer.fire(by(Firing.software(place)));
    } else if (point instanceof CounterProbe.Hardware) {
      tracer.fire(by(Firing.hardware(place)));
    } else if (point instanceof AttachPoint.Watchpoint) {
      tracer.fire(by(Firing.watchpoint(place)));
    } else if (point instanceof OffCpuProbe) {
      Firing event = by(Firing.tracepoint("sched:sched_switch")).field("prev_state", 1);
      tracer.fire(event.field("prev_pid", 1234).field("next_pid", 0));
      tracer.fire(event.pid(0).field("prev_pid", 0).field("next_pid", 1234));
    } else if (point instanceof AttachPoint.Iterator) {
      tracer.fire(by(Firing.iterator(place)).arg(1, 8192));
    } else if (point instanceof AttachPoint.RawTracepoint) {
      tracer.fire(by(Firing.rawTracepoint(place)).arg(1, 8192));
    } else if (point instanceof AttachPoint.Tracepoint) {
      Firing event = by(Firing.tracepoint(place.replace("*", "openat")));
      tracer.fire(place.equals("syscalls:sys_exit_read") ? event.field("ret", -5) : event);
      tracer.fire(place.equals("syscalls:sys_exit_read") ? event.field("ret", 5) : event);
    } else {
      tracer.advance(Duration.ofSeconds(1));
    }
  }

  private static Firing by(Firing firing) {
    return firing.comm("dd").pid(1234).user(1000, 1000).cgroup(2000);
  }

  private static Script parse(LanguagePage.Example example) {
    return PlyScript.parse(new Source(example.name(), example.program()), ARGUMENTS);
  }

  private List<? extends Probe> probes(String java) throws Exception {
    Path output = Files.createTempDirectory(classes, "example");
    SourceCompiler.compile("Example", FRAME.formatted(java), output);
    try (URLClassLoader loader = new URLClassLoader(new URL[] {output.toUri().toURL()})) {
      @SuppressWarnings("unchecked")
      Supplier<List<? extends Probe>> example =
          (Supplier<List<? extends Probe>>)
              loader.loadClass("Example").getDeclaredConstructor().newInstance();
      return example.get();
    }
  }
}
