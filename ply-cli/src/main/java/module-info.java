/** The ply command. */
module dev.ply.cli {
  requires dev.ply.bpf;
  requires dev.ply.core;
  requires dev.ply.kernel;
  requires dev.ply.lang;
  requires jdk.unsupported;
  requires org.apache.commons.cli;
  requires static transitive org.jspecify;

  exports dev.ply.cli;
}
