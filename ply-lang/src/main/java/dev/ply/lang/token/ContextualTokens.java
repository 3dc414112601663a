package dev.ply.lang.token;

import dev.ply.lang.grammar.PlyLexer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.antlr.v4.runtime.CommonToken;
import org.antlr.v4.runtime.Token;

/**
 * Assigns token types that depend on neighbours: names of functions and maps, contextual keywords,
 * casts, and {@code --}. The parser then needs one token of lookahead only.
 */
final class ContextualTokens {
  private final TokenSequence tokens;
  private final TypeTokens types;
  private final Set<String> variables;

  /** Indices of the parentheses that close casts. */
  private final Set<Integer> castEnds = new HashSet<>();

  /** The types of the tokens that close the open braces, innermost first. */
  private final Deque<Integer> braces = new ArrayDeque<>();

  /** The types of the brackets and braces that are still open, innermost first. */
  private final Deque<Integer> groups = new ArrayDeque<>();

  private final List<Token> result = new ArrayList<>();

  /** How many braces were open at each if with a value whose own brace is not open yet. */
  private final Deque<Integer> choices = new ArrayDeque<>();

  /** Whether the head of a function is read, in which variables have types. */
  private boolean inFunctionHead;

  /** The index after the type that was begun last, in which names before brackets are not maps. */
  private int typeEnd;

  private ContextualTokens(TokenSequence tokens, Set<String> typedefs) {
    this.tokens = tokens;
    this.types = new TypeTokens(tokens, typedefs);
    this.variables = VariableNames.assignedIn(tokens);
  }

  /**
   * Returns the tokens with their types; {@code --} becomes one token where it is an operator.
   *
   * @param typedefs the names of types that the script defines
   */
  static List<Token> of(List<Token> tokens, Set<String> typedefs) {
    ContextualTokens context = new ContextualTokens(new TokenSequence(tokens), typedefs);
    int next = 0;
    while (next < tokens.size()) {
      next = context.add(next);
    }
    return context.result;
  }

  /** Adds the token at an index and returns the index of the next one. */
  private int add(int index) {
    Token token = tokens.get(index);
    if (tokens.isDoubled(index) && isDecrement(index)) {
      CommonToken both = new CommonToken(token);
      both.setText("--");
      both.setStopIndex(tokens.get(index + 1).getStopIndex());
      both.setType(PlyLexer.DECREMENT);
      result.add(both);
      return index + 2;
    }
    if (isCompileTime(index) || isLastComma(index)) {
      return index + 1;
    }
    if (token instanceof CommonToken changeable) {
      changeable.setType(type(index, token));
      typeEnd = Math.max(typeEnd, endOfTypeAfter(index, changeable.getType()));
      if (changeable.getType() == PlyLexer.CAST) {
        castEnds.add(types.isCastToName(index) ? index + 2 : types.end(index + 1));
      }
    }
    result.add(token);
    group(token.getType());
    return index + 1;
  }

  /** A list of probes may end with a comma. */
  private boolean isLastComma(int index) {
    return tokens.typeAt(index) == PlyLexer.COMMA
        && switch (tokens.typeAt(index - 1)) {
          case PlyLexer.DEFINITION, PlyLexer.BEGIN, PlyLexer.END ->
              tokens.typeAt(index + 1) == PlyLexer.LBRACE
                  || tokens.typeAt(index + 1) == PlyLexer.SLASH;
          default -> false;
        };
  }

  /** All constants are folded, whether marked as such or not. */
  private boolean isCompileTime(int index) {
    return tokens.textAt(index).equals("comptime")
        && !isAfterMember()
        && tokens.beginsOperand(index + 1)
        && tokens.typeAt(index + 1) != PlyLexer.STAR
        && tokens.typeAt(index + 1) != PlyLexer.AND;
  }

  /** Returns the index after the type that follows a token, 0 if none does. */
  private int endOfTypeAfter(int index, int type) {
    return switch (type) {
      case PlyLexer.CAST -> types.endOfNamed(index + 1);
      case PlyLexer.SIZEOF_TYPE, PlyLexer.TYPEOF_TYPE -> types.endOfNamed(index + 2);
      case PlyLexer.COLON ->
          inFunctionHead || tokens.isDeclared(index - 1) ? types.endOfNamed(index + 1) : 0;
      default -> 0;
    };
  }

  private void group(int type) {
    switch (type) {
      case PlyLexer.LPAREN,
          PlyLexer.RECORD,
          PlyLexer.CAST,
          PlyLexer.LBRACKET,
          PlyLexer.LBRACE,
          PlyLexer.VALUE_START,
          PlyLexer.PREDICATE_END ->
          groups.push(type);
      case PlyLexer.RPAREN, PlyLexer.RBRACKET, PlyLexer.RBRACE, PlyLexer.VALUE_END -> groups.poll();
      case PlyLexer.DEFINITION, PlyLexer.BEGIN, PlyLexer.END -> groups.clear();
      default -> {}
    }
  }

  private int type(int index, Token token) {
    int next = tokens.typeAt(index + 1);
    boolean isMap = next == PlyLexer.LBRACKET;
    return switch (token.getType()) {
      case PlyLexer.NAME ->
          index < typeEnd
              ? PlyLexer.NAME
              : isMap ? PlyLexer.MAP : nameType(index, token.getText(), next);
      case PlyLexer.AGGREGATION -> isMap ? PlyLexer.MAP : PlyLexer.AGGREGATION;
      case PlyLexer.VARIABLE ->
          isMap && !variables.contains(token.getText()) ? PlyLexer.MAP : PlyLexer.VARIABLE;
      case PlyLexer.IF -> ifType(index);
      case PlyLexer.LBRACE -> openBrace(index);
      case PlyLexer.PREDICATE_END -> {
        braces.push(PlyLexer.RBRACE);
        yield PlyLexer.PREDICATE_END;
      }
      case PlyLexer.RBRACE -> braces.isEmpty() ? PlyLexer.RBRACE : braces.pop();
      case PlyLexer.DEFINITION, PlyLexer.BEGIN, PlyLexer.END -> {
        braces.clear();
        choices.clear();
        inFunctionHead = false;
        yield token.getType();
      }
      case PlyLexer.LPAREN -> {
        boolean isRecord =
            next == PlyLexer.NAME
                && tokens.typeAt(index + 2) == PlyLexer.ASSIGN
                && (isValueStart(index) || isStatementStart());
        yield isRecord ? PlyLexer.RECORD : isCast(index) ? PlyLexer.CAST : PlyLexer.LPAREN;
      }
      default -> token.getType();
    };
  }

  private int ifType(int index) {
    boolean isBare = isBare(index + 1);
    if (!isValueStart(index) && !isElseOfValue()) {
      return isBare ? PlyLexer.BARE_IF : PlyLexer.IF;
    }
    choices.push(braces.size());
    return isBare ? PlyLexer.BARE_VALUE_IF : PlyLexer.VALUE_IF;
  }

  /** Returns whether the previous token is the {@code else} of an {@code if} with a value. */
  private boolean isElseOfValue() {
    int last = result.size() - 1;
    return previous() == PlyLexer.ELSE
        && last > 0
        && result.get(last - 1).getType() == PlyLexer.VALUE_END;
  }

  private boolean isBranchOfValue() {
    if (isElseOfValue()) {
      return true;
    }
    boolean isBranch = !choices.isEmpty() && choices.peek() == braces.size();
    if (isBranch) {
      choices.pop();
    }
    return isBranch;
  }

  /** A brace where an operand is expected starts a block with a value. */
  private int openBrace(int index) {
    boolean isConfig = tokens.typeAt(index - 2) == PlyLexer.CONFIG;
    boolean isValue = !isConfig && !inFunctionHead && (isValueStart(index) || isBranchOfValue());
    inFunctionHead = false;
    braces.push(isValue ? PlyLexer.VALUE_END : PlyLexer.RBRACE);
    return isValue ? PlyLexer.VALUE_START : PlyLexer.LBRACE;
  }

  /** Returns whether the token at an index, the next one, is where an operand is expected. */
  private boolean isValueStart(int index) {
    return switch (previous()) {
      case PlyLexer.ASSIGN,
          PlyLexer.COMPOUND_ASSIGN,
          PlyLexer.LPAREN,
          PlyLexer.LBRACKET,
          PlyLexer.COMMA,
          PlyLexer.COLON,
          PlyLexer.RANGE,
          PlyLexer.CAST,
          PlyLexer.NOT,
          PlyLexer.TILDE,
          PlyLexer.RETURN,
          PlyLexer.BARE_VALUE_IF ->
          true;
      // A stray one, where a statement could begin, has no other value to choose from.
      case PlyLexer.QUESTION -> !endsStatement(tokens.typeAt(index - 2));
      default -> TokenSequence.isOperator(previous());
    };
  }

  private static boolean endsStatement(int type) {
    return type == PlyLexer.SEMICOLON || type == PlyLexer.LBRACE || type == PlyLexer.RBRACE;
  }

  private int nameType(int index, String name, int next) {
    if (next == PlyLexer.ASSIGN && isFieldStart()) {
      return PlyLexer.FIELD;
    }
    boolean isMacro =
        name.equals("macro") && braces.isEmpty() && next == PlyLexer.NAME && isStatementStart();
    if (isMacro) {
      return PlyLexer.MACRO;
    }
    if (tokens.isFunction(index) && braces.isEmpty() && isStatementStart()) {
      inFunctionHead = true;
      return PlyLexer.FN;
    }
    boolean isStart = isStatementStart() || (isKeywordLike(name, next) && !isAfterMember());
    boolean isEnd = next == PlyLexer.SEMICOLON || next == PlyLexer.RBRACE || next == Token.EOF;
    if (isStart) {
      switch (name) {
        case "while" -> {
          return isBare(index + 1) ? PlyLexer.BARE_WHILE : PlyLexer.WHILE;
        }
        case "for" -> {
          return next == PlyLexer.LPAREN ? PlyLexer.FOR : PlyLexer.BARE_FOR;
        }
        case "unroll" -> {
          return PlyLexer.UNROLL;
        }
        case "let" -> {
          boolean isName = next == PlyLexer.VARIABLE || next == PlyLexer.NAME;
          return isName ? PlyLexer.LET : PlyLexer.NAME;
        }
        case "break" -> {
          return isEnd ? PlyLexer.BREAK : PlyLexer.NAME;
        }
        case "continue" -> {
          return isEnd ? PlyLexer.CONTINUE : PlyLexer.NAME;
        }
        default -> {}
      }
    }
    if (next == PlyLexer.LPAREN && !isAfterMember()) {
      if (name.equals("sizeof")) {
        return types.isIn(index + 1) ? PlyLexer.SIZEOF_TYPE : PlyLexer.SIZEOF;
      }
      if (name.equals("typeof")) {
        return types.isIn(index + 1) ? PlyLexer.TYPEOF_TYPE : PlyLexer.TYPEOF;
      }
      if (name.equals("offsetof")) {
        return PlyLexer.OFFSETOF;
      }
      if (name.equals("container_of")) {
        return PlyLexer.CONTAINER_OF;
      }
    }
    return next == PlyLexer.LPAREN ? PlyLexer.FUNCTION : PlyLexer.NAME;
  }

  /** Returns whether the next token makes this a keyword, even after a stray token. */
  private static boolean isKeywordLike(String name, int next) {
    return switch (name) {
      case "while", "for", "unroll" -> next == PlyLexer.LPAREN;
      case "let" -> next == PlyLexer.VARIABLE;
      case "break", "continue" -> next == PlyLexer.SEMICOLON;
      default -> false;
    };
  }

  private boolean isFieldStart() {
    return previous() == PlyLexer.RECORD
        || (previous() == PlyLexer.COMMA && !groups.isEmpty() && groups.peek() == PlyLexer.RECORD);
  }

  private int previous() {
    return result.isEmpty() ? PlyLexer.LBRACE : result.get(result.size() - 1).getType();
  }

  private boolean isAfterMember() {
    return previous() == PlyLexer.DOT || previous() == PlyLexer.ARROW;
  }

  /** A closing parenthesis can be that of a condition, which is not followed by an operator. */
  private boolean isStatementStart() {
    return switch (previous()) {
      case PlyLexer.LBRACE,
          PlyLexer.RBRACE,
          PlyLexer.SEMICOLON,
          PlyLexer.PREDICATE_END,
          PlyLexer.DEFINITION,
          PlyLexer.BEGIN,
          PlyLexer.END,
          PlyLexer.VALUE_START,
          PlyLexer.ELSE,
          PlyLexer.RPAREN ->
          true;
      default -> false;
    };
  }

  /** Returns whether a condition is more than one parenthesised expression. */
  private boolean isBare(int index) {
    if (tokens.typeAt(index) != PlyLexer.LPAREN || types.isCastAt(index)) {
      return true;
    }
    return tokens.closing(index) != TokenSequence.NONE
        && switch (tokens.typeAt(tokens.closing(index) + 1)) {
          case PlyLexer.QUESTION, PlyLexer.DOT, PlyLexer.ARROW -> true;
          default -> TokenSequence.isOperator(tokens.typeAt(tokens.closing(index) + 1));
        };
  }

  private boolean isCast(int index) {
    return switch (previous()) {
      case PlyLexer.FUNCTION,
          PlyLexer.SIZEOF,
          PlyLexer.SIZEOF_TYPE,
          PlyLexer.OFFSETOF,
          PlyLexer.CONTAINER_OF,
          PlyLexer.TYPEOF,
          PlyLexer.TYPEOF_TYPE,
          PlyLexer.FOR,
          PlyLexer.UNROLL ->
          false;
      default -> types.isCastAt(index);
    };
  }

  /**
   * {@code --} is one operator only where nothing else is possible: {@code x--y} is a difference.
   */
  private boolean isDecrement(int index) {
    return switch (previous()) {
      case PlyLexer.VARIABLE ->
          variables.contains(result.get(result.size() - 1).getText())
              && !tokens.mustBeginOperand(index + 2);
      case PlyLexer.AGGREGATION, PlyLexer.RBRACKET -> !tokens.mustBeginOperand(index + 2);
      case PlyLexer.NAME, PlyLexer.NUMBER, PlyLexer.STRING -> false;
      case PlyLexer.RPAREN -> castEnds.contains(index - 1) && isTarget(index + 2);
      default -> isTarget(index + 2);
    };
  }

  private boolean isTarget(int index) {
    return tokens.typeAt(index) == PlyLexer.AGGREGATION
        || (tokens.typeAt(index) == PlyLexer.VARIABLE && variables.contains(tokens.textAt(index)));
  }
}
