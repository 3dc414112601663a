package dev.ply.bpf.generate;

import dev.ply.bpf.reference.Evaluator;
import dev.ply.bpf.reference.Evaluator.Int;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.ir.AttachPoint;
import dev.ply.ir.Expr;
import dev.ply.ir.Intrinsic;
import dev.ply.ir.IrPrinter;
import dev.ply.ir.SamplingRate;
import dev.ply.ir.SourceSpan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;

/** A probe, a random firing of it, and what its built-ins are worth then. */
public final class Scene {
  /** The numbers where arithmetic goes wrong first. */
  private static final long[] EDGES = {
    0,
    1,
    2,
    7,
    31,
    32,
    63,
    64,
    127,
    128,
    255,
    256,
    32767,
    32768,
    65535,
    0x7fffffffL,
    0x80000000L,
    0xffffffffL,
    0x100000000L,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    -1,
    -2,
    -7,
    -128,
    -32768,
    -0x80000000L
  };

  /** Where scenes are: those that can be fired, then those that run by themselves. */
  public static final List<AttachPoint> POINTS =
      List.of(
          new AttachPoint.Tracepoint("test", "widths"),
          new AttachPoint.Kretprobe("f"),
          new AttachPoint.Kprobe("f"),
          new AttachPoint.Begin(),
          new AttachPoint.End(),
          new AttachPoint.Interval(Duration.ofSeconds(1)),
          new AttachPoint.Profile(OptionalInt.empty(), new SamplingRate.Hertz(99)));

  private static final String[] NAMES = {
    "", "a", "ab", "dd", "abc", "abcd", "abcdefg", "abcdefgh", "abcdefghi", "abcdefghijklmno", "b"
  };

  /** A tracepoint with a field of every width and sign, and texts. */
  private static final String FORMAT =
      """
      name: widths
      ID: 1
      format:
      \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
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
      """;

  private final Random random;
  private final AttachPoint point;
  private final List<Expr> integers = new ArrayList<>();
  private final List<Expr> textExprs = new ArrayList<>();
  private final Map<String, Int> numbers = new LinkedHashMap<>();
  private final Map<String, String> texts = new LinkedHashMap<>();
  private Firing firing;

  /** A random scene at a tracepoint, or at a function's entry or return. */
  public Scene(Random random) {
    this(random, POINTS.get(random.nextInt(3)));
  }

  /** A random scene at one of {@link #POINTS}. */
  public Scene(Random random, AttachPoint point) {
    this.random = random;
    this.point = point;
    switch (POINTS.indexOf(point)) {
      case 0 -> {
        firing = Firing.tracepoint("test:widths");
        for (int bits = 8; bits <= 64; bits *= 2) {
          number("s" + bits, bits, true);
          number("u" + bits, bits, false);
        }
        text("tag", 4);
        text("name", 15);
        String path = name(15);
        firing = firing.field("path", path);
        add(call(Intrinsic.STR, member("path")), path);
        add(
            call(Intrinsic.STR, member("path"), literal(3)),
            path.substring(0, Math.min(2, path.length())));
      }
      case 1 -> {
        long value = edge();
        firing = Firing.kretprobe("f").retval(value);
        add(call(Intrinsic.RETVAL), Int.of(value, 64, true));
        register("rsp");
      }
      case 2 -> {
        firing = Firing.kprobe("f");
        for (int i = 0; i < 6; i++) {
          long value = edge();
          firing = firing.arg(i, value);
          add(new Expr.Argument(i, SourceSpan.NONE), Int.of(value, 64, false));
        }
        register("rip");
      }
      default -> firing = Firing.kprobe("never");
    }
    int pid = random.nextInt(1 << 22);
    int tid = random.nextInt(1 << 22);
    int uid = (int) edge();
    int gid = (int) edge();
    String comm = name(15);
    firing = firing.pid(pid).tid(tid).user(uid, gid).comm(comm).cpu(random.nextInt(4));
    add(call(Intrinsic.PID), Int.of(pid, 32, false));
    add(call(Intrinsic.KPID), Int.of(tid, 32, false));
    add(call(Intrinsic.UID), Int.of(uid, 32, false));
    add(call(Intrinsic.GID), Int.of(gid, 32, false));
    add(call(Intrinsic.COMM), comm);
  }

  /**
   * Returns the usual simulated target with the tracepoint that scenes fire and a few functions.
   */
  public static SimulatedTarget target() {
    return SimulatedTarget.create()
        .withTracepoint("test", FORMAT)
        .withFunction("vfs_read", 0xffffffff81000000L)
        .withFunction("ksys_read", 0xffffffff81000100L)
        .withFunction("do_syscall_64", 0xffffffff81000200L);
  }

  private void number(String field, int bits, boolean signed) {
    long value = edge();
    firing = firing.field(field, value);
    add(member(field), Int.of(value, bits, signed));
  }

  private void register(String name) {
    long value = edge();
    firing = firing.register(name, value);
    add(member(Intrinsic.REGS, name), Int.of(value, 64, false));
  }

  private void text(String field, int longest) {
    String value = name(longest);
    firing = firing.field(field, value);
    add(member(field), value);
  }

  private void add(Expr expr, Int value) {
    integers.add(expr);
    numbers.put(IrPrinter.print(expr), value);
  }

  private void add(Expr expr, String value) {
    textExprs.add(expr);
    texts.put(IrPrinter.print(expr), value);
  }

  private static Expr literal(long value) {
    return new Expr.IntLiteral(value, SourceSpan.NONE);
  }

  private static Expr call(Intrinsic function, Expr... arguments) {
    return new Expr.Call(function, List.of(arguments), SourceSpan.NONE);
  }

  private static Expr member(String field) {
    return member(Intrinsic.DATA, field);
  }

  private static Expr member(Intrinsic context, String name) {
    return new Expr.Member(
        call(context), Expr.Member.Access.ARROW, name, SourceSpan.NONE, SourceSpan.NONE);
  }

  private String name(int longest) {
    String name = NAMES[random.nextInt(NAMES.length)];
    return name.substring(0, Math.min(longest, name.length()));
  }

  /** Has {@link #integer} offer this too, whatever it is worth. */
  public void offerInteger(Expr expr) {
    integers.add(expr);
  }

  /** Has {@link #text} offer this too, whatever it says. */
  public void offerText(Expr expr) {
    textExprs.add(expr);
  }

  /** Returns a number, often one of those where arithmetic goes wrong. */
  public long edge() {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextLong();
      case 1 -> random.nextInt(100) - 50;
      default -> EDGES[random.nextInt(EDGES.length)];
    };
  }

  /** Returns a literal or a built-in number of the probe. */
  public Expr integer() {
    return random.nextInt(3) == 0 ? literal(edge()) : integers.get(random.nextInt(integers.size()));
  }

  /** Returns a literal or a built-in text of the probe. */
  public Expr text() {
    return random.nextInt(3) == 0
        ? new Expr.StringLiteral(NAMES[random.nextInt(NAMES.length)], SourceSpan.NONE)
        : textExprs.get(random.nextInt(textExprs.size()));
  }

  /** Returns all built-in numbers of the probe. */
  public List<Expr> integers() {
    return List.copyOf(integers);
  }

  /** Returns the probe's point. */
  public AttachPoint point() {
    return point;
  }

  /** Returns the firing. */
  public Firing firing() {
    return firing;
  }

  /** Returns what expressions are worth in this scene. */
  public Evaluator evaluator() {
    return new Evaluator(numbers, texts);
  }
}
