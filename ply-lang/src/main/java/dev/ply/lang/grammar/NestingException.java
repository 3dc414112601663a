package dev.ply.lang.grammar;

import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.RecognitionException;

/** Thrown for a construct nested too deeply. */
public final class NestingException extends RecognitionException {
  private static final long serialVersionUID = 1L;

  /** Constructs that nest. */
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

    /** Returns the error message. */
    public String complaint() {
      return complaint + NestingLimit.DEEPEST + " deep";
    }

    /** Returns the hint. */
    public String advice() {
      return advice;
    }
  }

  private final Construct construct;

  /** Creates the exception at the parser's current token. */
  public NestingException(Parser parser, Construct construct) {
    super(parser, parser.getInputStream(), parser.getContext());
    this.construct = construct;
    setOffendingToken(parser.getCurrentToken());
  }

  /** Returns the nested construct. */
  public Construct construct() {
    return construct;
  }
}
