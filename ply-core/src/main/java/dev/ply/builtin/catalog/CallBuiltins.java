package dev.ply.builtin.catalog;

import com.google.common.collect.ImmutableList;
import dev.ply.builtin.Availability;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.Documentation;
import dev.ply.builtin.Effect;
import dev.ply.builtin.Parameter;
import dev.ply.builtin.Signature;
import dev.ply.builtin.Typing;
import dev.ply.ir.Expr;
import dev.ply.probe.Provider.Offer;
import dev.ply.type.Type;
import java.util.Optional;

/**
 * Built-ins for values at the entry, in probes on the return. {@link
 * dev.ply.analysis.rewrite.PairCalls} expands them.
 */
public final class CallBuiltins {
  /** The time between entry and return. */
  public static final Builtin LATENCY =
      new OfCall(Signature.NONE, "latency") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "s64, ns",
              """
              The time from the function's entry to this return, printed as a duration. In a
              kretprobe, uretprobe or fexit; a probe on the entry is added. Recursive calls are
              distinguished, to a depth of 64. Not counted are calls that began before the trace,
              and calls that end by longjmp, an exception or the end of their thread. In offcpu: the time
              that the thread was off the CPU.
              """,
              """
              kprobe:vfs_read { @calls = count(); }
              kretprobe:vfs_read { @times[comm] = quantize(latency); }
              """,
              "latency");
        }
      };

  /** A value at the function's entry. */
  public static final Builtin ENTRY =
      new OfCall(Signature.of(Parameter.VALUE), "entry") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "type of the value, numbers with 64 bits",
              """
              The value at the entry of the function that returns: an argument, a string, a time. In
              a kretprobe, uretprobe or fexit, for the same calls as latency; a probe on the entry
              is added.
              """,
              """
              kprobe:vfs_read { @calls = count(); }
              kretprobe:vfs_read / entry(arg2) > 0 / { @times = quantize(latency / entry(arg2)); }
              """,
              "entry(value)");
        }
      };

  static final ImmutableList<Builtin> ALL = ImmutableList.of(LATENCY, ENTRY);

  private CallBuiltins() {}

  /** A macro without a type on an unknown probe, where only that is reported. */
  private abstract static class OfCall extends Builtin.Macro {
    OfCall(Signature signature, String name) {
      super(signature, Effect.PURE, returns(name), name);
    }

    @Override
    public Optional<Type> type(Expr.Call call, Typing typing) {
      return Optional.empty();
    }
  }

  private static Availability returns(String name) {
    return new Availability(
        "only offcpu and probes on the return of a function have "
            + (name.equals("latency") ? "a latency" : "an entry before it"),
        Offer.RETURN_VALUE);
  }
}
