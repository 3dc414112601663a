/** The awk-like language: from text to the intermediate representation and back. */
module dev.ply.lang {
  requires org.antlr.antlr4.runtime;
  requires transitive dev.ply.core;
  requires static transitive org.jspecify;

  exports dev.ply.lang;
  exports dev.ply.lang.argdist;
  exports dev.ply.lang.argument;
  exports dev.ply.lang.events;
  exports dev.ply.lang.events.parse;
  exports dev.ply.lang.events.translate;
  exports dev.ply.lang.print;
}
