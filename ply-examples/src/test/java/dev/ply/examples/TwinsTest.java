package dev.ply.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.ir.IrPrinter;
import dev.ply.ir.Script;
import dev.ply.table.DatumFormat;
import dev.ply.table.TableFormat;
import dev.ply.target.KernelSymbols;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A script and the Java code beside it are one trace: the same representation, the same output. */
class TwinsTest {
  @Test
  void readSizes() {
    Firing read = Firing.kretprobe("vfs_read");
    new Twins("read-sizes.ply", ReadSizes.SIZES)
        .areOneScript()
        .bothShow(
            """

            @:
            { rdsz }:
            \t( ...,    0)\t       1 ┤██████▍                         │
            \t[   0,    1)\t       1 ┤██████▍                         │
            \t...
            \t[  8k,  16k)\t       3 ┤███████████████████▎            │

            """,
            read.comm("dd").retval(10240),
            read.comm("dd").retval(10240).cpu(1),
            read.comm("dd").retval(8192),
            read.comm("dd").retval(0),
            read.comm("dd").retval(-5),
            read.comm("ddd").retval(10240),
            read.comm("cat").retval(10240));
  }

  @Test
  void systemCallCounts() {
    Firing call = Firing.tracepoint("raw_syscalls:sys_enter");
    new Twins("system-call-counts.ply", SystemCallCounts.CALLS)
        .areOneScript()
        .bothShow(
            """

            @:
            { dd }: 3
            """,
            call.comm("dd").pid(10),
            call.comm("dd").pid(11).cpu(2),
            call.comm("d"),
            call.comm("sh"),
            call.comm("dd").pid(10));
  }

  @Test
  void readLatency() {
    // Between two firings a microsecond passes.
    Firing begin = Firing.kprobe("vfs_read").comm("cat");
    Firing end = Firing.kretprobe("vfs_read").comm("cat");
    new Twins("read-latency.ply", ReadLatency.ENTRY, ReadLatency.LATENCY, ReadLatency.FORGET)
        .areOneScript()
        .bothShow(
            """

            @:
            { cat }:
            \t[ 512ns, 1.02us)\t       1 ┤██████████▋                     │
            \t[1.02us, 2.04us)\t       2 ┤█████████████████████▍          │

            """,
            end.pid(7),
            begin.pid(7),
            end.pid(7),
            begin.pid(8),
            begin.pid(9),
            end.pid(8),
            end.pid(9),
            end.pid(9));
  }

  @Test
  void openSnoop() {
    Firing open = Firing.tracepoint("syscalls:sys_enter_openat");
    new Twins("open-snoop.ply", OpenSnoop.OPENS)
        .areOneScript()
        .bothShow(
            """
            42      cat              /etc/hostname
            1234567 a-longer-name    data/table.csv
            """,
            open.comm("cat").pid(42).field("filename", "/etc/hostname"),
            open.comm("a-longer-name").pid(1234567).field("filename", "data/table.csv"));
  }

  @Test
  void failingReads() {
    Firing read = Firing.tracepoint("syscalls:sys_exit_read");
    new Twins("failing-reads.ply", FailingReads.FAILURES)
        .areOneScript()
        .bothShow(
            """

            @:
            { cat , -21 }: 1
            { java, -11 }: 2
            """,
            read.comm("java").field("ret", -11),
            read.comm("cat").field("ret", -21),
            read.comm("cat").field("ret", 4096),
            read.comm("cat").field("ret", 0),
            read.comm("java").field("ret", -11));
  }

  /** A script and the probes that say the same. */
  private record Twins(Script script, List<Probe> probes) {
    Twins(String script, Probe... probes) {
      this(Scripts.parse(script), List.of(probes));
    }

    Twins areOneScript() {
      assertThat(IrPrinter.print(script)).isEqualTo(IrPrinter.print(Probe.script(probes)));
      return this;
    }

    /** Runs both while the same things happen, and compares what they print, then their tables. */
    void bothShow(String expected, Firing... firings) {
      StringBuilder ofScript = new StringBuilder();
      StringBuilder ofProbes = new StringBuilder();
      try (SimulatedTracer tracer = SimulatedTracer.create();
          Session text = tracer.prepare(script).printTo(ofScript::append).start();
          Session fluent = tracer.prepare(probes).printTo(ofProbes::append).start()) {
        for (Firing firing : firings) {
          tracer.fire(firing);
        }
        appendTables(ofScript, text);
        appendTables(ofProbes, fluent);
      }
      assertThat(ofScript.toString()).isEqualTo(expected);
      assertThat(ofProbes.toString()).isEqualTo(expected);
    }

    private static void appendTables(StringBuilder out, Session session) {
      TableFormat format = new TableFormat(new DatumFormat(KernelSymbols.NONE));
      session.tables().forEach(map -> out.append(format.format(map.name(), map.table())));
    }
  }
}
