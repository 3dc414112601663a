package dev.ply.bpf.session;

import dev.ply.symbol.Demangled;
import dev.ply.target.KernelSymbols.Symbol;
import dev.ply.target.UserSymbols;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The symbols of processes, shown as names of C++ and Rust where they are such. */
record DemangledSymbols(UserSymbols symbols) implements UserSymbols {
  @Override
  public Optional<List<Frame>> frames(int process, List<Long> addresses) {
    return symbols
        .frames(process, addresses)
        .map(frames -> frames.stream().map(DemangledSymbols::named).toList());
  }

  private static Frame named(Frame frame) {
    return frame.symbol().filter(symbol -> Demangled.isMangled(symbol.name())).isEmpty()
        ? frame
        : frame.withSymbol(named(frame.symbol().get()));
  }

  private static Symbol named(Symbol symbol) {
    return symbol.shownAs(Demangled.text(symbol.name()));
  }

  @Override
  public void recordMappings() {
    symbols.recordMappings();
  }

  @Override
  public void leaveRuntimesAlone() {
    symbols.leaveRuntimesAlone();
  }

  @Override
  public void remember(int process) {
    symbols.remember(process);
  }

  @Override
  public void limitWait(Duration most) {
    symbols.limitWait(most);
  }

  @Override
  public Optional<String> shortage() {
    return symbols.shortage();
  }

  @Override
  public Optional<String> hiddenUnless() {
    return symbols.hiddenUnless();
  }

  @Override
  public void close() {
    symbols.close();
  }
}
