/** The ply command. */
module dev.ply.cli {
  requires dev.ply.bpf;
  requires dev.ply.core;
  requires dev.ply.kernel;
  requires dev.ply.lang;
  requires jdk.unsupported;
  requires org.apache.commons.cli;
  // For exports of metrics alone; the server is that of --web, too.
  requires static bcrypt;
  requires static io.opentelemetry.exporter.internal;
  requires static io.opentelemetry.exporter.otlp;
  requires static io.opentelemetry.sdk.metrics;
  requires static io.prometheus.metrics.exporter.httpserver;
  requires static io.prometheus.metrics.model;
  requires static java.net.http;
  requires static jdk.httpserver;
  requires static org.snakeyaml.engine;
  // For ply lsp alone.
  requires static java.logging;
  requires static org.eclipse.lsp4j;
  requires static org.eclipse.lsp4j.jsonrpc;
  // For the live view alone.
  requires static org.jline.terminal;
  requires static transitive org.jspecify;

  exports dev.ply.cli;

  opens dev.ply.cli.lsp to
      org.eclipse.lsp4j.jsonrpc;
}
