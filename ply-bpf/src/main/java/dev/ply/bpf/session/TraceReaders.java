package dev.ply.bpf.session;

import dev.ply.TraceOptions;
import dev.ply.bpf.decode.ComponentReaders;
import dev.ply.bpf.decode.DatumReader;
import dev.ply.bpf.machine.Machine;
import dev.ply.bpf.table.PrintTime;
import dev.ply.bpf.table.ShownMaps;
import dev.ply.bpf.table.StackReader;
import dev.ply.bpf.table.StackUse;
import dev.ply.bpf.table.TableReader;
import dev.ply.ir.declaration.Setting;
import dev.ply.table.Datum;
import dev.ply.table.StringDecoder;
import dev.ply.target.Target;
import dev.ply.target.UserSymbols;

/**
 * The readers of a trace's results.
 *
 * @param symbols of processes
 * @param data decodes values
 * @param components decodes components of records
 * @param tables decodes maps
 * @param stackUse the stack traces that maps refer to
 * @param printTime the time for maps that events print
 * @param maps as events print and clear them
 */
record TraceReaders(
    UserSymbols symbols,
    DatumReader data,
    ComponentReaders components,
    TableReader tables,
    StackUse stackUse,
    PrintTime printTime,
    ShownMaps maps) {
  static TraceReaders of(CompiledTrace compiled, Machine machine, TraceOptions options) {
    boolean demangles = compiled.script().configuration().demangles();
    UserSymbols symbols = symbols(options, compiled.target(), demangles);
    if (!compiled.script().configuration().writesPerfMaps()) {
      symbols.leaveRuntimesAlone();
    }
    StringDecoder strings =
        new StringDecoder(compiled.target(), symbols, compiled.object().probeNames(), demangles);
    StackReader stacks =
        new StackReader(machine, compiled.object(), symbols, compiled.target().symbols());
    DatumReader data =
        new DatumReader(
            stacks,
            demangles
                ? ProbeNames.shown(compiled.object().probeNames())
                : compiled.object().probeNames(),
            strings,
            compiled.script().target().types(),
            compiled
                .script()
                .configuration()
                .value(Setting.STR_TRUNC_TRAILER)
                .orElse(Datum.Text.CUT_MARK));
    TableReader tables = new TableReader(machine, data, compiled.target());
    StackUse stackUse = new StackUse(machine, tables, stacks, compiled.object().tables());
    PrintTime printTime = new PrintTime();
    ShownMaps maps = new ShownMaps(compiled.object(), machine, tables, stackUse, printTime);
    return new TraceReaders(
        symbols,
        data,
        new ComponentReaders(compiled.target(), data, strings),
        tables,
        stackUse,
        printTime,
        maps);
  }

  private static UserSymbols symbols(TraceOptions options, Target target, boolean demangles) {
    if (!options.showsSymbols()) {
      return UserSymbols.NONE;
    }
    UserSymbols symbols = target.userSymbols();
    return demangles ? new DemangledSymbols(symbols) : symbols;
  }
}
