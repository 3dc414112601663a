package dev.ply.lang.grammar;

import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.RecognitionException;

/** A construct inside too many others of its kind. */
public final class NestingException extends RecognitionException {
  private static final long serialVersionUID = 1L;

  /** What can nest. */
  public enum Construct {
    /** A statement. */
    STATEMENT(
        "these statements are nested more than ", "write several probes with predicates instead"),
    /** An expression. */
    EXPRESSION("this expression is nested more than ", "split it, and keep the parts in maps");

    private final String complaint;
    private final String advice;

    Construct(String complaint, String advice) {
      this.complaint = complaint;
      this.advice = advice;
    }

    /** Returns what is wrong. */
    public String complaint() {
      return complaint + NestingLimit.DEEPEST + " deep";
    }

    /** Returns what to do instead. */
    public String advice() {
      return advice;
    }
  }

  private final Construct construct;

  /** At the parser's current token. */
  public NestingException(Parser parser, Construct construct) {
    super(parser, parser.getInputStream(), parser.getContext());
    this.construct = construct;
    setOffendingToken(parser.getCurrentToken());
  }

  /** Returns what is nested. */
  public Construct construct() {
    return construct;
  }
}
