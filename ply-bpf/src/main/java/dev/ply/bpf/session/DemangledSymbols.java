package dev.ply.bpf.session;

import dev.ply.symbol.Demangled;
import dev.ply.target.KernelSymbols.Symbol;
import dev.ply.target.UserSymbols;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The symbols of processes, shown as names of C++ and Rust where they are such. */
final class DemangledSymbols implements UserSymbols {
  /** The number of frames that are shared by the stack traces that have them. */
  private static final int MOST_KNOWN = 1 << 14;

  private final UserSymbols symbols;
  private final IdentityHashMap<Frame, Frame> known = new IdentityHashMap<>();

  DemangledSymbols(UserSymbols symbols) {
    this.symbols = symbols;
  }

  @Override
  public Optional<List<Frame>> frames(int process, List<Long> addresses) {
    return symbols
        .frames(process, addresses)
        .map(frames -> frames.stream().map(this::named).toList());
  }

  private Frame named(Frame frame) {
    return frame.symbol().filter(symbol -> Demangled.isMangled(symbol.name())).isEmpty()
        ? frame
        : shared(frame);
  }

  private synchronized Frame shared(Frame frame) {
    if (known.size() >= MOST_KNOWN) {
      known.clear();
    }
    return known.computeIfAbsent(frame, one -> one.withSymbol(named(one.symbol().orElseThrow())));
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
  public void update() {
    symbols.update();
  }

  @Override
  public Set<Integer> runtimes() {
    return symbols.runtimes();
  }

  @Override
  public void forgetAllBut(Set<Integer> kept) {
    symbols.forgetAllBut(kept);
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
