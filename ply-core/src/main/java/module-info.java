/** The intermediate representation, types, fluent API, analysis and results of the tracer. */
@SuppressWarnings("module") // the modules that packages are exported to are built later
module dev.ply.core {
  requires com.google.common;
  // For programs that have traces in their metrics.
  requires static io.opentelemetry.api;
  requires static io.opentelemetry.sdk.common;
  requires static io.opentelemetry.sdk.metrics;
  requires static io.prometheus.metrics.model;
  requires static jdk.jfr; // for programs that have traces in their Flight Recorder
  requires static micrometer.core;
  requires static transitive org.jspecify;

  // The API: to build traces, to run them, their results and errors.
  exports dev.ply;
  exports dev.ply.diagnostic;
  exports dev.ply.export;
  exports dev.ply.layout;
  exports dev.ply.metrics;
  exports dev.ply.metrics.model;
  exports dev.ply.name;
  exports dev.ply.result;
  exports dev.ply.table;
  exports dev.ply.text;
  exports dev.ply.value;

  // Scripts as data, and facts about machines: for tools that inspect or generate traces.
  exports dev.ply.builtin;
  exports dev.ply.builtin.aggregate;
  exports dev.ply.builtin.catalog;
  exports dev.ply.ir;
  exports dev.ply.ir.declaration;
  exports dev.ply.listing;
  exports dev.ply.machine;
  exports dev.ply.probe;
  exports dev.ply.selector;
  exports dev.ply.target;
  exports dev.ply.type;

  // For the other modules.
  exports dev.ply.analysis to
      dev.ply.bpf,
      dev.ply.cli,
      dev.ply.kernel,
      dev.ply.lang;
  exports dev.ply.analysis.rewrite to
      dev.ply.bpf,
      dev.ply.cli;
  exports dev.ply.analysis.site to
      dev.ply.bpf,
      dev.ply.cli,
      dev.ply.kernel,
      dev.ply.lang;
  exports dev.ply.analysis.struct to
      dev.ply.bpf,
      dev.ply.lang;
  exports dev.ply.analysis.typing to
      dev.ply.bpf,
      dev.ply.cli;
  exports dev.ply.binding to
      dev.ply.bpf;
  exports dev.ply.render to
      dev.ply.bpf,
      dev.ply.cli,
      dev.ply.lang;
  exports dev.ply.reference to
      dev.ply.cli,
      dev.ply.lang;
  exports dev.ply.shell to
      dev.ply.bpf;
  exports dev.ply.symbol to
      dev.ply.bpf,
      dev.ply.cli,
      dev.ply.kernel;
}
