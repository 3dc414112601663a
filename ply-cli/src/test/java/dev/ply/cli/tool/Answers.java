package dev.ply.cli.tool;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the tools whose answers a test knows beforehand, and compares. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface Answers {
  /** The names of the tools. */
  String[] value();
}
