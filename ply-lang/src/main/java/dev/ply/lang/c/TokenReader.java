package dev.ply.lang.c;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/** Tokens of a source, before which others can be put. */
final class TokenReader {
  private final Supplier<CToken> source;
  private final Deque<CToken> pending = new ArrayDeque<>();
  private int end;

  TokenReader(Supplier<CToken> source) {
    this.source = source;
  }

  CToken next() {
    CToken token = pending.isEmpty() ? source.get() : pending.pop();
    end = Math.max(end, token.end());
    return token;
  }

  /** Puts tokens before the others. */
  void push(List<CToken> tokens) {
    for (int i = tokens.size() - 1; i >= 0; i--) {
      pending.push(tokens.get(i));
    }
  }

  /** Puts a token back that has been looked at only. */
  void unread(CToken token, int before) {
    pending.push(token);
    end = before;
  }

  boolean hasPending() {
    return !pending.isEmpty();
  }

  /** Returns the offset in the source after the last token that has been read. */
  int end() {
    return end;
  }
}
