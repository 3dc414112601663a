package dev.ply.lang.c.expression;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/** Tokens of a source, before which others can be put. */
public final class TokenReader {
  private final Supplier<CToken> source;
  private final Deque<CToken> pending = new ArrayDeque<>();
  private int end;

  public TokenReader(Supplier<CToken> source) {
    this.source = source;
  }

  public CToken next() {
    CToken token = pending.isEmpty() ? source.get() : pending.pop();
    end = Math.max(end, token.end());
    return token;
  }

  /** Puts tokens before the others. */
  public void push(List<CToken> tokens) {
    for (int i = tokens.size() - 1; i >= 0; i--) {
      pending.push(tokens.get(i));
    }
  }

  /** Puts a token back that has been looked at only. */
  public void unread(CToken token, int before) {
    pending.push(token);
    end = before;
  }

  public boolean hasPending() {
    return !pending.isEmpty();
  }

  /** Returns the offset in the source after the last token that has been read. */
  public int end() {
    return end;
  }
}
