/** Loading, attaching and reading on the running Linux kernel. */
@SuppressWarnings("module") // the module that a package is exported to is built later
module dev.ply.kernel {
  requires com.google.common;
  requires com.sun.jna;
  requires transitive dev.ply.bpf;
  requires transitive dev.ply.core;
  requires static transitive org.jspecify;

  exports dev.ply.kernel;
  exports dev.ply.kernel.error;
  exports dev.ply.kernel.feature;
  exports dev.ply.kernel.procfs to
      dev.ply.cli;
  exports dev.ply.kernel.process to
      dev.ply.cli;
}
