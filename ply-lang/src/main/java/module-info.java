/** The awk-like language: from text to the intermediate representation and back. */
@SuppressWarnings("module") // the module that a package is exported to is built later
module dev.ply.lang {
  requires org.antlr.antlr4.runtime;
  requires transitive dev.ply.core;
  requires static transitive org.jspecify;

  exports dev.ply.lang;
  exports dev.ply.lang.argument;
  exports dev.ply.lang.events;
  exports dev.ply.lang.events.parse;
  exports dev.ply.lang.events.translate;
  exports dev.ply.lang.print;

  // With the tables of results, which are for the other modules.
  exports dev.ply.lang.bcc to
      dev.ply.cli;
}
