package dev.ply.bpf.codegen.program;

import dev.ply.bpf.codegen.builtin.ActionCode;
import dev.ply.bpf.codegen.builtin.CgroupCode;
import dev.ply.bpf.codegen.builtin.ClockCode;
import dev.ply.bpf.codegen.builtin.ContextCode;
import dev.ply.bpf.codegen.builtin.EncodedStringCode;
import dev.ply.bpf.codegen.builtin.EventCode;
import dev.ply.bpf.codegen.builtin.MachineCode;
import dev.ply.bpf.codegen.builtin.MapCode;
import dev.ply.bpf.codegen.builtin.MemoryCode;
import dev.ply.bpf.codegen.builtin.NamespaceCode;
import dev.ply.bpf.codegen.builtin.NetworkCode;
import dev.ply.bpf.codegen.builtin.ObjectCode;
import dev.ply.bpf.codegen.builtin.ParentCode;
import dev.ply.bpf.codegen.builtin.StackCompiler;
import dev.ply.bpf.codegen.builtin.StringCode;
import dev.ply.bpf.codegen.builtin.SymbolCode;
import dev.ply.bpf.codegen.builtin.ThreadCode;
import dev.ply.bpf.codegen.builtin.TypeCode;
import dev.ply.bpf.codegen.clause.BuiltinTable;

/** The code generators of all built-ins. */
final class BuiltinCodes {
  static final BuiltinTable ALL = all();

  private BuiltinCodes() {}

  private static BuiltinTable all() {
    BuiltinTable table = new BuiltinTable();
    ThreadCode.addTo(table);
    ParentCode.addTo(table);
    CgroupCode.addTo(table);
    NamespaceCode.addTo(table);
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
