package dev.ply.bpf.session;

import dev.ply.target.JavaCode;
import dev.ply.target.JavaCode.Tier;
import dev.ply.target.KernelSymbols.Symbol;
import dev.ply.target.UserSymbols;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Processes with one Java method, whose tier is the address; other addresses are a stub. */
record JavaCalls() implements UserSymbols {
  private static final JavaCode.Method METHOD = new JavaCode.Method("app.Hot", "run", "()V");

  @Override
  public Optional<List<Frame>> frames(int process, List<Long> addresses) {
    return Optional.of(addresses.stream().map(JavaCalls::frame).toList());
  }

  private static Frame frame(long address) {
    boolean isMethod = address < Tier.values().length;
    return new Frame(
        address,
        Optional.of(new Symbol(isMethod ? METHOD.toString() : "StubRoutines", 0)),
        Optional.empty(),
        Location.UNKNOWN,
        Optional.empty(),
        Optional.of(
            isMethod
                ? new JavaCode(List.of(Tier.values()).get((int) address), Optional.of(METHOD))
                : new JavaCode(Tier.STUB, Optional.empty())));
  }

  @Override
  public void remember(int process) {}

  @Override
  public void limitWait(Duration most) {}

  @Override
  public Optional<String> shortage() {
    return Optional.empty();
  }

  @Override
  public void close() {}
}
