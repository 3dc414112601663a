package dev.ply.bpf.asm;

import dev.ply.bpf.asm.Token.Kind;
import dev.ply.diagnostic.SourceSpan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Splits a line of assembly text into tokens, by the lexical rules of one notation. */
final class LineScanner {
  // Longest first: alternation takes the first match.
  private static final String OPERATORS =
      Stream.of(Notation.ALU, Notation.JUMP, Notation.ATOMIC)
          .flatMap(table -> table.keySet().stream())
          .distinct()
          .sorted(Comparator.comparingInt(String::length).reversed())
          .map(Pattern::quote)
          .collect(Collectors.joining("|"));

  /** The notation of the kernel's verifier log. */
  static final LineScanner KERNEL =
      new LineScanner(
          ";.*|//.*", OPERATORS + "|[()*\\[\\]:,#+-]", "[A-Za-z_.$@](?:[\\w.$@]|-(?=\\w))*");

  /** Mnemonics with operands. */
  static final LineScanner MNEMONICS =
      new LineScanner("#.*", "[\\[\\]:,+-]", "%\\w+|[A-Za-z_.](?:[\\w.]|-(?=\\w))*");

  private final Pattern token;

  private LineScanner(String comment, String symbols, String word) {
    token =
        Pattern.compile(
            ("(?<space>\\s+|" + comment + ")")
                + "|map\\[(?<map>[^\\]]*)\\]"
                + "|(?<number>0x[0-9a-fA-F]+|[0-9]+)"
                + ("|(?<symbol>" + symbols + ")")
                + ("|(?<word>" + word + ")")
                + "|(?<stray>.)");
  }

  /** Returns the tokens of {@code line} without comments, followed by an END token. */
  List<Token> scan(String source, int number, String line) {
    List<Token> tokens = new ArrayList<>();
    Matcher matcher = token.matcher(line);
    while (matcher.find()) {
      if (matcher.group("space") == null) {
        Kind kind = kind(matcher);
        String text = kind == Kind.MAP ? matcher.group("map") : matcher.group();
        tokens.add(new Token(kind, text, span(source, number, matcher.start(), matcher.end())));
      }
    }
    int end = tokens.isEmpty() ? 0 : tokens.get(tokens.size() - 1).span().endColumn() - 1;
    tokens.add(new Token(Kind.END, "", span(source, number, end, end + 1)));
    return tokens;
  }

  private static SourceSpan span(String source, int line, int start, int end) {
    return new SourceSpan(source, line, start + 1, line, end + 1);
  }

  private static Kind kind(Matcher matcher) {
    for (Kind kind : List.of(Kind.MAP, Kind.NUMBER, Kind.SYMBOL, Kind.WORD)) {
      if (matcher.group(kind.name().toLowerCase(Locale.ROOT)) != null) {
        return kind;
      }
    }
    return Kind.STRAY;
  }
}
