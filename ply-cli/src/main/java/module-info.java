/** The ply command. */
module dev.ply.cli {
  requires dev.ply.bpf;
  requires dev.ply.core;
  requires dev.ply.kernel;
  requires dev.ply.lang;
  requires jdk.unsupported;
  requires org.apache.commons.cli;
  // For ply lsp alone.
  requires static java.logging;
  requires static org.eclipse.lsp4j;
  requires static org.eclipse.lsp4j.jsonrpc;
  requires static transitive org.jspecify;

  exports dev.ply.cli;

  opens dev.ply.cli.lsp to
      org.eclipse.lsp4j.jsonrpc;
}
