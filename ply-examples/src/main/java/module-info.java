/** Runnable examples. */
module dev.ply.examples {
  requires dev.ply.bpf;
  requires dev.ply.core;
  requires dev.ply.kernel;
  requires dev.ply.lang;
  requires static transitive org.jspecify;

  opens dev.ply.examples.embed to
      dev.ply.core;
}
