package dev.ply.lang.c.declaration;

import dev.ply.lang.c.expression.CToken;
import dev.ply.lang.c.expression.CToken.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The tokens of declarations, of which some can be looked at in advance. */
public final class DeclarationTokens {
  private final Supplier<CToken> source;
  private final Consumer<CToken> pragmas;
  private final List<CToken> ahead = new ArrayList<>();
  private int braces;
  private int end;

  /**
   * Creates a sequence.
   *
   * @param pragmas is told of each pragma when the tokens before it have been taken
   */
  public DeclarationTokens(Supplier<CToken> source, Consumer<CToken> pragmas) {
    this.source = source;
    this.pragmas = pragmas;
  }

  /** Returns a token that has not been taken; 0 is the next. */
  CToken peek(int distance) {
    int wanted = distance;
    for (int i = 0; ; i++) {
      if (i == ahead.size()) {
        CToken read = read();
        ahead.add(read);
      }
      if (ahead.get(i).kind() != Kind.PRAGMA && wanted-- == 0) {
        return ahead.get(i);
      }
      if (ahead.get(i).isEnd()) {
        return ahead.get(i);
      }
    }
  }

  CToken take() {
    CToken next = peek(0);
    while (ahead.get(0).kind() == Kind.PRAGMA) {
      pragmas.accept(ahead.remove(0));
    }
    if (!next.isEnd()) {
      CToken unused = ahead.remove(0);
      end = Math.max(end, next.end());
    }
    braces += next.is("{") ? 1 : next.is("}") ? -1 : 0;
    return next;
  }

  /** Applies the pragmas before the next token. */
  void applyPragmas() {
    CToken unused = peek(0);
    while (ahead.get(0).kind() == Kind.PRAGMA) {
      CToken pragma = ahead.remove(0);
      end = Math.max(end, pragma.end());
      pragmas.accept(pragma);
    }
  }

  /** Returns the number of braces that are open. */
  int braces() {
    return braces;
  }

  /** Returns the offset after the last token that has been taken. */
  public int end() {
    return end;
  }

  /** Returns a token; {@code _Pragma("…")} is one. */
  private CToken read() {
    CToken token = source.get();
    if (!token.is("_Pragma")) {
      return token;
    }
    List<CToken> operand = List.of(source.get(), source.get(), source.get());
    CToken text = operand.get(1);
    return text.kind() == Kind.STRING
        ? new CToken(
            Kind.PRAGMA,
            text.text()
                .substring(text.text().indexOf('"') + 1, text.text().length() - 1)
                .replace("\\\"", "\""),
            token.span(),
            token.start(),
            operand.get(2).end(),
            false,
            true,
            token.hidden())
        : token;
  }
}
