/** BPF instructions, code generation, verification and a virtual machine. */
@SuppressWarnings("module") // the modules that packages are exported to are built later
module dev.ply.bpf {
  requires com.google.common;
  requires transitive dev.ply.core;
  requires static transitive org.jspecify;
  // For the translator of the virtual machine.
  requires static org.objectweb.asm;

  // The API: traces without a kernel.
  exports dev.ply.bpf.simulate;

  // Bytecode: for who compiles, verifies and runs it.
  exports dev.ply.bpf.asm;
  exports dev.ply.bpf.codegen;
  exports dev.ply.bpf.codegen.program;
  exports dev.ply.bpf.encoding;
  exports dev.ply.bpf.isa;
  exports dev.ply.bpf.machine;
  exports dev.ply.bpf.object;
  exports dev.ply.bpf.optimize;
  exports dev.ply.bpf.session;
  exports dev.ply.bpf.unwind;
  exports dev.ply.bpf.verifier;
  exports dev.ply.bpf.vm;
  exports dev.ply.bpf.vm.helper;
  exports dev.ply.bpf.vm.map;
  exports dev.ply.bpf.vm.memory;

  // For the other modules.
  exports dev.ply.bpf.btf to
      dev.ply.cli,
      dev.ply.examples,
      dev.ply.kernel;
  exports dev.ply.bpf.cfg to
      dev.ply.cli,
      dev.ply.examples,
      dev.ply.kernel;
  exports dev.ply.bpf.plan to
      dev.ply.cli,
      dev.ply.examples,
      dev.ply.kernel;
}
