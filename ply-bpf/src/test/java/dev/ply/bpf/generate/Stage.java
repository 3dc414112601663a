package dev.ply.bpf.generate;

import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.optimize.Pass;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.machine.Architecture;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.KernelProbe;
import dev.ply.probe.SamplingRate;
import dev.ply.probe.TimerProbe;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/** The machine that generated scripts are about, and where on it things happen. */
public final class Stage {
  /** A tracepoint with a field of every width and sign, texts, a pointer, dynamic data. */
  public static final AttachPoint TRACEPOINT = new AttachPoint.Tracepoint("test", "widths");

  /** A function that returns. */
  public static final AttachPoint KRETPROBE = new KernelProbe.Kretprobe("f");

  /** A function that is called. */
  public static final AttachPoint KPROBE = new KernelProbe.Kprobe("f");

  /** What a second of time makes run once. */
  public static final List<AttachPoint> CLOCKS =
      List.of(
          new TimerProbe.Interval(Duration.ofSeconds(1)),
          new TimerProbe.Profile(OptionalInt.of(0), new SamplingRate.Hertz(1)));

  /** Where things happen that a firing is about. */
  public static final List<AttachPoint> FIRED = List.of(TRACEPOINT, KRETPROBE, KPROBE);

  /** Maps and buffers with room for what generated scripts do, and not much more. */
  public static final CompilerOptions OPTIONS =
      CompilerOptions.DEFAULT.withMapEntries(256).withRingBufferBytes(1 << 16);

  /** What the optimiser may be told: all passes, none, each alone. */
  public static final List<Set<Pass>> PASSES =
      Stream.concat(Stream.of(Pass.ALL, Set.<Pass>of()), Pass.ALL.stream().sorted().map(Set::of))
          .toList();

  private static final String FORMAT =
      """
      name: widths
      ID: 1
      format:
      \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
      \tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
      \tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
      \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

      \tfield:s8 s8;\toffset:8;\tsize:1;\tsigned:1;
      \tfield:u8 u8;\toffset:9;\tsize:1;\tsigned:0;
      \tfield:s16 s16;\toffset:10;\tsize:2;\tsigned:1;
      \tfield:u16 u16;\toffset:12;\tsize:2;\tsigned:0;
      \tfield:char tag[5];\toffset:14;\tsize:5;\tsigned:0;
      \tfield:s32 s32;\toffset:20;\tsize:4;\tsigned:1;
      \tfield:u32 u32;\toffset:24;\tsize:4;\tsigned:0;
      \tfield:char name[16];\toffset:28;\tsize:16;\tsigned:0;
      \tfield:s64 s64;\toffset:48;\tsize:8;\tsigned:1;
      \tfield:u64 u64;\toffset:56;\tsize:8;\tsigned:0;
      \tfield:const char * path;\toffset:64;\tsize:8;\tsigned:0;
      \tfield:__data_loc char[] label;\toffset:72;\tsize:4;\tsigned:0;
      """;

  private Stage() {}

  /** Returns the simulated machine with that processor. */
  public static SimulatedTarget target(Architecture architecture) {
    return SimulatedTarget.create()
        .withArchitecture(architecture)
        .withTracepoint("test", FORMAT)
        .withTypes(new StageTypes())
        .withFunction("vfs_read", 0xffffffff81000000L)
        .withFunction("ksys_read", 0xffffffff81000100L)
        .withFunction("do_syscall_64", 0xffffffff81000200L);
  }
}
