package dev.ply.bpf.codegen;

/** The code generators of all built-ins. */
final class BuiltinCodes {
  static final BuiltinTable ALL = all();

  private BuiltinCodes() {}

  private static BuiltinTable all() {
    BuiltinTable table = new BuiltinTable();
    ThreadCode.addTo(table);
    ParentCode.addTo(table);
    CgroupCode.addTo(table);
    MachineCode.addTo(table);
    ClockCode.addTo(table);
    EncodedStringCode.addTo(table);
    ContextCode.addTo(table);
    StackCompiler.addTo(table);
    MemoryCode.addTo(table);
    ObjectCode.addTo(table);
    SymbolCode.addTo(table);
    StringCode.addTo(table);
    MapCode.addTo(table);
    TypeCode.addTo(table);
    NetworkCode.addTo(table);
    EventCode.addTo(table);
    ActionCode.addTo(table);
    return table;
  }
}
