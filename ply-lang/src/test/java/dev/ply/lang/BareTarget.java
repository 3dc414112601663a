package dev.ply.lang;

import dev.ply.machine.Architecture;
import dev.ply.target.FunctionCatalog;
import dev.ply.target.KernelSymbols;
import dev.ply.target.Target;
import dev.ply.target.TracepointCatalog;
import dev.ply.target.TracepointFormat;
import java.util.Optional;
import java.util.stream.Stream;

/** A machine without tracepoints or known functions. */
enum BareTarget implements Target {
  INSTANCE;

  @Override
  public Architecture architecture() {
    return Architecture.X86_64;
  }

  @Override
  public TracepointCatalog tracepoints() {
    return new TracepointCatalog() {
      @Override
      public Optional<TracepointFormat> find(String category, String event) {
        return Optional.empty();
      }

      @Override
      public Stream<String> names() {
        return Stream.empty();
      }
    };
  }

  @Override
  public FunctionCatalog functions() {
    return FunctionCatalog.NONE;
  }

  @Override
  public KernelSymbols symbols() {
    return KernelSymbols.NONE;
  }
}
