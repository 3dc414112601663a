package dev.ply.bpf.session;

import dev.ply.target.KernelSymbols.Symbol;
import dev.ply.target.UserSymbols;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Processes with the functions {@code read}, {@code main} and {@code work}, 4 kB each. */
record NamedFunctions() implements UserSymbols {
  private static final TreeMap<Long, String> FUNCTIONS = new TreeMap<>();

  static {
    FUNCTIONS.put(0x1000L, "read");
    FUNCTIONS.put(0x2000L, "main");
    FUNCTIONS.put(0x3000L, "work");
  }

  @Override
  public Optional<List<Frame>> frames(int process, List<Long> addresses) {
    return Optional.of(addresses.stream().map(NamedFunctions::frame).toList());
  }

  private static Frame frame(long address) {
    return new Frame(
        address,
        Optional.ofNullable(FUNCTIONS.floorEntry(address))
            .map(entry -> new Symbol(entry.getValue(), address - entry.getKey())),
        Optional.empty());
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
