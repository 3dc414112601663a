/** BPF instructions, code generation, verification and a virtual machine. */
module dev.ply.bpf {
  requires com.google.common;
  requires transitive dev.ply.core;
  requires static transitive org.jspecify;

  exports dev.ply.bpf.asm;
  exports dev.ply.bpf.btf;
  exports dev.ply.bpf.cfg;
  exports dev.ply.bpf.codegen;
  exports dev.ply.bpf.isa;
  exports dev.ply.bpf.object;
  exports dev.ply.bpf.optimize;
  exports dev.ply.bpf.plan;
  exports dev.ply.bpf.session;
  exports dev.ply.bpf.simulate;
  exports dev.ply.bpf.verifier;
  exports dev.ply.bpf.vm;
}
