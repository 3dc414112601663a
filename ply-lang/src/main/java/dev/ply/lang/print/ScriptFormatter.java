package dev.ply.lang.print;

import dev.ply.diagnostic.Source;
import dev.ply.lang.grammar.PlyLexer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Lays out a script: a statement on each line, indented by its blocks, the braces of probes on
 * lines of their own. Only white space changes: tokens, comments and single empty lines stay, and
 * so do line breaks within a statement.
 */
public final class ScriptFormatter {
  private static final int INDENT = 2;
  private static final int CONTINUED = 4;

  /** Braces and what is in them. */
  private enum Block {
    STATEMENTS,
    /** Of a type's definition, or of settings. */
    MEMBERS,
    /** Statements with a value. */
    VALUE,
    /** On one line, as in the script. */
    INLINE
  }

  /** A block with the parentheses that are open around it. */
  private record Open(Block block, int parentheses) {}

  private final List<FormatPiece> pieces;
  private final TokenSpacing spacing = new TokenSpacing();
  private final StringBuilder text = new StringBuilder();
  private final Deque<Open> blocks = new ArrayDeque<>();
  private int parentheses;

  /** Line breaks that are due before the next word; 2 for an empty line. */
  private int due;

  /** Whether the next word begins a probe, a definition or an import. */
  private boolean isItemStart = true;

  private int item;

  private ScriptFormatter(List<FormatPiece> pieces) {
    this.pieces = pieces;
  }

  /**
   * Formats a script.
   *
   * @param source a script without syntax errors
   * @return its text, which parses to the same
   */
  public static String format(Source source) {
    return new ScriptFormatter(FormatPiece.of(source)).format();
  }

  private String format() {
    for (int i = 0; i < pieces.size(); i++) {
      if (pieces.get(i).isComment()) {
        comment(i);
      } else {
        word(i);
      }
    }
    return text.isEmpty() ? "" : text.append('\n').toString();
  }

  private void comment(int index) {
    FormatPiece comment = pieces.get(index);
    boolean isOwnLine = index == 0 || comment.newlines() > 0 || pieces.get(index - 1).endsLine();
    if (!isOwnLine) {
      text.append(comment.isSpaced() || comment.endsLine() ? " " : "").append(comment.text());
      return;
    }
    int lines = Math.max(due, comment.newlines() > 1 ? 2 : 1);
    int indent = due > 0 || index == 0 || isItemStart ? depth() * INDENT : continued();
    breakLine(index, lines, comment.kind() == FormatPiece.Kind.DIRECTIVE ? 0 : indent);
    text.append(comment.text());
    due = isItemStart ? 1 : Math.min(due, 1);
  }

  private void word(int index) {
    FormatPiece word = pieces.get(index);
    if (isItemStart) {
      item = word.type();
      isItemStart = false;
    }
    boolean isClosing = word.is("}") && !blocks.isEmpty();
    Open closed = isClosing ? blocks.pop() : new Open(Block.INLINE, 0);
    if (isClosing) {
      parentheses = closed.parentheses();
    }
    int lines = lines(index, isClosing, closed.block());
    if (lines > 0) {
      boolean isStart = due > 0 || isClosing || word.is("{") || isPredicate(index);
      breakLine(index, lines, isStart ? depth() * INDENT : continued());
    } else if (index > 0) {
      text.append(isSpaced(index) ? " " : "");
    }
    text.append(word.text());
    due = 0;
    after(index, isClosing, closed.block());
  }

  private boolean isSpaced(int index) {
    FormatPiece before = pieces.get(index - 1);
    FormatPiece word = pieces.get(index);
    return before.isComment() ? word.isSpaced() : spacing.between(before, word, parentheses > 0);
  }

  /** Returns the number of line breaks before a word. */
  private int lines(int index, boolean isClosing, Block closed) {
    if (index == 0) {
      return 0;
    }
    FormatPiece word = pieces.get(index);
    FormatPiece before = pieces.get(index - 1);
    int broken = before.endsLine() ? 1 : 0;
    if (isClosing) {
      return closed == Block.INLINE ? broken : 1;
    }
    if (word.is("{")) {
      return block(index) == Block.STATEMENTS && blocks.isEmpty() ? 1 : broken;
    }
    if (isPredicate(index)) {
      return 1;
    }
    if (due > 0 && !isAttached(before, word)) {
      return Math.max(due, word.newlines() > 1 ? 2 : 1);
    }
    boolean isBroken = word.newlines() > 0 && due == 0 && !isInline() && !isAttachedSign(word);
    return isBroken ? 1 : broken;
  }

  private static boolean isAttachedSign(FormatPiece word) {
    return word.is(";") || word.is(",");
  }

  /** Returns whether a word stays on the line of the brace before it. */
  private boolean isAttached(FormatPiece before, FormatPiece word) {
    return before.is("}")
        && (isAttachedSign(word)
            || word.is(")")
            || word.is("else")
            || (item == PlyLexer.TAGGED && word.newlines() == 0));
  }

  /** Returns whether a slash begins the predicate of a probe. */
  private boolean isPredicate(int index) {
    if (!blocks.isEmpty() || parentheses > 0 || !pieces.get(index).is("/")) {
      return false;
    }
    int before = index - 1;
    while (before > 0 && pieces.get(before).isComment()) {
      before--;
    }
    return before >= 0
        && switch (pieces.get(before).type()) {
          case PlyLexer.DEFINITION, PlyLexer.BEGIN, PlyLexer.END -> true;
          default -> false;
        };
  }

  private void after(int index, boolean isClosing, Block closed) {
    FormatPiece word = pieces.get(index);
    if (word.is("(") || word.is("[")) {
      parentheses++;
    } else if (word.is(")") || word.is("]")) {
      parentheses = Math.max(0, parentheses - 1);
    } else if (word.is("{")) {
      Block block = block(index);
      blocks.push(new Open(block, parentheses));
      parentheses = 0;
      due = block == Block.INLINE ? 0 : 1;
    } else if (isClosing) {
      boolean isItemEnd = blocks.isEmpty() && (closed != Block.VALUE && !isValue(index));
      isItemStart = isItemEnd;
      due = isItemEnd && closed == Block.STATEMENTS ? 2 : isItemEnd || isBlock(closed) ? 1 : 0;
    } else if (word.is(";") && parentheses == 0 && !isInline()) {
      due = 1;
      isItemStart = blocks.isEmpty();
    } else if (word.is(",") && parentheses == 0 && blocks.isEmpty()) {
      due = 1;
    }
  }

  private boolean isValue(int index) {
    return pieces.get(index).type() == PlyLexer.VALUE_END;
  }

  private static boolean isBlock(Block block) {
    return block == Block.STATEMENTS || block == Block.MEMBERS;
  }

  private boolean isInline() {
    return !blocks.isEmpty() && blocks.element().block() == Block.INLINE;
  }

  /** Returns what the braces from an opening one on are. */
  private Block block(int index) {
    boolean isValue = pieces.get(index).type() == PlyLexer.VALUE_START;
    boolean isDefinition = item == PlyLexer.TAGGED || item == PlyLexer.CONFIG;
    if (isInline() || ((isValue || isDefinition) && isOnOneLine(index))) {
      return Block.INLINE;
    }
    return isValue ? Block.VALUE : isDefinition ? Block.MEMBERS : Block.STATEMENTS;
  }

  private boolean isOnOneLine(int opening) {
    int open = 1;
    for (int i = opening + 1; i < pieces.size() && pieces.get(i).newlines() == 0; i++) {
      open += pieces.get(i).is("{") ? 1 : pieces.get(i).is("}") ? -1 : 0;
      if (open == 0) {
        return true;
      }
    }
    return false;
  }

  /** Ends the line; an empty line is neither after an opening brace nor before a closing one. */
  private void breakLine(int index, int lines, int indent) {
    if (index == 0) {
      return;
    }
    boolean isTight = pieces.get(index - 1).is("{") || pieces.get(index).is("}");
    text.append("\n".repeat(isTight ? 1 : lines)).append(" ".repeat(indent));
  }

  private int depth() {
    return (int) blocks.stream().filter(one -> one.block() != Block.INLINE).count();
  }

  private int continued() {
    boolean isMember = !blocks.isEmpty() && blocks.element().block() == Block.MEMBERS;
    return depth() * INDENT + (isMember ? 0 : CONTINUED);
  }
}
