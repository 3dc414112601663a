/** The intermediate representation, types, fluent API, analysis and results of the tracer. */
module dev.ply.core {
  requires com.google.common;
  requires static transitive org.jspecify;

  exports dev.ply;
  exports dev.ply.analysis;
  exports dev.ply.binding;
  exports dev.ply.builtin;
  exports dev.ply.diagnostic;
  exports dev.ply.ir;
  exports dev.ply.reference;
  exports dev.ply.result;
  exports dev.ply.target;
  exports dev.ply.type;
}
