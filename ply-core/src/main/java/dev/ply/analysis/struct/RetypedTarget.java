package dev.ply.analysis.struct;

import dev.ply.machine.Architecture;
import dev.ply.target.AttachFeatures;
import dev.ply.target.BinaryCatalog;
import dev.ply.target.Cgroups;
import dev.ply.target.FunctionCatalog;
import dev.ply.target.KernelSymbols;
import dev.ply.target.KernelTypes;
import dev.ply.target.PidNamespace;
import dev.ply.target.Target;
import dev.ply.target.TracepointCatalog;
import dev.ply.target.UserSymbols;
import dev.ply.target.WallClock;
import java.util.Optional;
import java.util.OptionalInt;

/** A target with other types. */
record RetypedTarget(Target base, KernelTypes types) implements Target {
  @Override
  public Architecture architecture() {
    return base.architecture();
  }

  @Override
  public TracepointCatalog tracepoints() {
    return base.tracepoints();
  }

  @Override
  public FunctionCatalog functions() {
    return base.functions();
  }

  @Override
  public KernelSymbols symbols() {
    return base.symbols();
  }

  @Override
  public AttachFeatures attachFeatures() {
    return base.attachFeatures();
  }

  @Override
  public BinaryCatalog binaries() {
    return base.binaries();
  }

  @Override
  public UserSymbols userSymbols() {
    return base.userSymbols();
  }

  @Override
  public WallClock wallClock() {
    return base.wallClock();
  }

  @Override
  public boolean fetchesAtomically() {
    return base.fetchesAtomically();
  }

  @Override
  public boolean iteratesOverMaps() {
    return base.iteratesOverMaps();
  }

  @Override
  public int longestKey() {
    return base.longestKey();
  }

  @Override
  public boolean hasLoopHelper() {
    return base.hasLoopHelper();
  }

  @Override
  public boolean padsThreadNames() {
    return base.padsThreadNames();
  }

  @Override
  public OptionalInt processorSlots() {
    return base.processorSlots();
  }

  @Override
  public OptionalInt threadNameOffset() {
    return base.threadNameOffset();
  }

  @Override
  public int cpus() {
    return base.cpus();
  }

  @Override
  public Cgroups cgroups() {
    return base.cgroups();
  }

  @Override
  public Optional<PidNamespace> pidNamespace() {
    return base.pidNamespace();
  }
}
