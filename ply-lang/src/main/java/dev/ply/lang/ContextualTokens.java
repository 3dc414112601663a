package dev.ply.lang;

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
  private static final int NONE = -1;

  private final List<Token> tokens;
  private final int[] closing;
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

  /** The index after the type that was begun last, in which names before brackets are no maps. */
  private int typeEnd;

  private ContextualTokens(List<Token> tokens) {
    this.tokens = tokens;
    this.closing = closingParentheses(tokens);
    this.variables = assignedVariables(tokens);
  }

  /** Returns the tokens with their types; {@code --} becomes one token where it is an operator. */
  static List<Token> of(List<Token> tokens) {
    ContextualTokens context = new ContextualTokens(tokens);
    int next = 0;
    while (next < tokens.size()) {
      next = context.add(next);
    }
    return context.result;
  }

  /**
   * Returns the names, with {@code $}, of variables that a script assigns, declares or uses as loop
   * variables.
   */
  static Set<String> assignedVariables(List<Token> tokens) {
    Set<String> assigned = new HashSet<>();
    boolean isParameter = false;
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      isParameter = isFunction(tokens, i) || (isParameter && token.getType() != PlyLexer.LBRACE);
      if (token.getType() == PlyLexer.VARIABLE && isVariableName(token.getText())) {
        boolean isTarget =
            switch (typeAt(tokens, i + 1)) {
              case PlyLexer.ASSIGN,
                  PlyLexer.COMPOUND_ASSIGN,
                  PlyLexer.INCREMENT,
                  PlyLexer.DECREMENT ->
                  true;
              case PlyLexer.COLON ->
                  isParameter || isLoopVariable(tokens, i) || isDeclared(tokens, i);
              case PlyLexer.MINUS -> isDoubled(tokens, i + 1) && !mustBeginOperand(tokens, i + 3);
              default ->
                  typeAt(tokens, i - 1) == PlyLexer.INCREMENT
                      || typeAt(tokens, i - 1) == PlyLexer.DECREMENT
                      || isDeclared(tokens, i)
                      || isLoopVariable(tokens, i);
            };
        if (isTarget) {
          assigned.add(token.getText());
        }
      }
    }
    return assigned;
  }

  /** {@code fn name(}, with the types that tokens have before and after this. */
  private static boolean isFunction(List<Token> tokens, int index) {
    return tokens.get(index).getText().equals("fn")
        && (typeAt(tokens, index + 1) == PlyLexer.NAME
            || typeAt(tokens, index + 1) == PlyLexer.FUNCTION)
        && typeAt(tokens, index + 2) == PlyLexer.LPAREN;
  }

  /** Returns whether a name with {@code $} has letters, as variables do. */
  static boolean isVariableName(String name) {
    return name.length() > 1 && name.charAt(1) != '#' && !Character.isDigit(name.charAt(1));
  }

  private static boolean isLoopVariable(List<Token> tokens, int index) {
    int before = typeAt(tokens, index - 1) == PlyLexer.LPAREN ? index - 2 : index - 1;
    return before >= 0 && tokens.get(before).getText().equals("for");
  }

  private static boolean isDeclared(List<Token> tokens, int index) {
    return index > 0 && tokens.get(index - 1).getText().equals("let");
  }

  private static int typeAt(List<Token> tokens, int index) {
    return index >= 0 && index < tokens.size() ? tokens.get(index).getType() : Token.EOF;
  }

  private static int[] closingParentheses(List<Token> tokens) {
    int[] closing = new int[tokens.size()];
    Deque<Integer> open = new ArrayDeque<>();
    for (int i = 0; i < closing.length; i++) {
      closing[i] = NONE;
      switch (tokens.get(i).getType()) {
        case PlyLexer.LPAREN -> open.push(i);
        case PlyLexer.RPAREN -> {
          if (!open.isEmpty()) {
            closing[open.pop()] = i;
          }
        }
        // Brackets open at a statement's end are never closed.
        case PlyLexer.SEMICOLON, PlyLexer.LBRACE, PlyLexer.RBRACE, PlyLexer.DEFINITION ->
            open.clear();
        default -> {}
      }
    }
    return closing;
  }

  /** Adds the token at an index and returns the index of the next one. */
  private int add(int index) {
    Token token = tokens.get(index);
    if (isDoubled(tokens, index) && isDecrement(index)) {
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
        castEnds.add(isCastToName(index) ? index + 2 : typeEnd(index + 1));
      }
    }
    result.add(token);
    group(token.getType());
    return index + 1;
  }

  /** A list of probes may end with a comma. */
  private boolean isLastComma(int index) {
    return typeAt(tokens, index) == PlyLexer.COMMA
        && switch (typeAt(tokens, index - 1)) {
          case PlyLexer.DEFINITION, PlyLexer.BEGIN, PlyLexer.END ->
              typeAt(tokens, index + 1) == PlyLexer.LBRACE
                  || typeAt(tokens, index + 1) == PlyLexer.SLASH;
          default -> false;
        };
  }

  /** All constants are folded, whether marked as such or not. */
  private boolean isCompileTime(int index) {
    return tokens.get(index).getText().equals("comptime")
        && !isAfterMember()
        && beginsOperand(tokens, index + 1)
        && typeAt(tokens, index + 1) != PlyLexer.STAR
        && typeAt(tokens, index + 1) != PlyLexer.AND;
  }

  /** Returns the index after the type that follows a token, 0 if none does. */
  private int endOfTypeAfter(int index, int type) {
    return switch (type) {
      case PlyLexer.CAST -> nameEnd(index + 1);
      case PlyLexer.SIZEOF_TYPE, PlyLexer.TYPEOF_TYPE -> nameEnd(index + 2);
      case PlyLexer.COLON ->
          inFunctionHead || isDeclared(tokens, index - 1) ? nameEnd(index + 1) : 0;
      default -> 0;
    };
  }

  /** The operand of typeof is an expression. */
  private int nameEnd(int index) {
    boolean isName = typeAt(tokens, index) == PlyLexer.NAME;
    return isName && !tokens.get(index).getText().equals("typeof") ? typeEnd(index) : 0;
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
    int next = typeAt(tokens, index + 1);
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
                && typeAt(tokens, index + 2) == PlyLexer.ASSIGN
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
    boolean isConfig = typeAt(tokens, index - 2) == PlyLexer.CONFIG;
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
      case PlyLexer.QUESTION -> !endsStatement(typeAt(tokens, index - 2));
      default -> isOperator(previous());
    };
  }

  private static boolean endsStatement(int type) {
    return type == PlyLexer.SEMICOLON || type == PlyLexer.LBRACE || type == PlyLexer.RBRACE;
  }

  private static boolean isOperator(int type) {
    return switch (type) {
      case PlyLexer.STAR,
          PlyLexer.SLASH,
          PlyLexer.PERCENT,
          PlyLexer.PLUS,
          PlyLexer.MINUS,
          PlyLexer.SHL,
          PlyLexer.SHR,
          PlyLexer.LT,
          PlyLexer.GT,
          PlyLexer.LE,
          PlyLexer.GE,
          PlyLexer.EQ,
          PlyLexer.NE,
          PlyLexer.AND,
          PlyLexer.XOR,
          PlyLexer.OR,
          PlyLexer.LOGICAL_AND,
          PlyLexer.LOGICAL_XOR,
          PlyLexer.LOGICAL_OR ->
          true;
      default -> false;
    };
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
    if (isFunction(tokens, index) && braces.isEmpty() && isStatementStart()) {
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
        int type = typeEnd(index + 2);
        return type != NONE && typeAt(tokens, type) == PlyLexer.RPAREN
            ? PlyLexer.SIZEOF_TYPE
            : PlyLexer.SIZEOF;
      }
      if (name.equals("typeof")) {
        int type = typeEnd(index + 2);
        return type != NONE && typeAt(tokens, type) == PlyLexer.RPAREN
            ? PlyLexer.TYPEOF_TYPE
            : PlyLexer.TYPEOF;
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
    if (typeAt(tokens, index) != PlyLexer.LPAREN || isCastAt(index)) {
      return true;
    }
    return closing[index] != NONE
        && switch (typeAt(tokens, closing[index] + 1)) {
          case PlyLexer.QUESTION, PlyLexer.DOT, PlyLexer.ARROW -> true;
          default -> isOperator(typeAt(tokens, closing[index] + 1));
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
      default -> isCastAt(index);
    };
  }

  /** Returns whether a parenthesis opens a cast: it encloses a type, and an operand follows. */
  private boolean isCastAt(int index) {
    int end = typeEnd(index + 1);
    boolean isType = end != NONE && typeAt(tokens, end) == PlyLexer.RPAREN;
    return (isType && beginsOperand(tokens, end + 1)) || isCastToName(index);
  }

  /** A name in parentheses right before another operand can only be a type. */
  private boolean isCastToName(int index) {
    return typeAt(tokens, index + 1) == PlyLexer.NAME
        && typeAt(tokens, index + 2) == PlyLexer.RPAREN
        && typeAt(tokens, index + 3) != PlyLexer.LPAREN
        && mustBeginOperand(tokens, index + 3)
        && !BuiltIns.isKnown(tokens.get(index + 1).getText());
  }

  /** Returns the index after the type at an index, if there is one. */
  private int typeEnd(int index) {
    int end = index;
    if (typeAt(tokens, index + 1) == PlyLexer.LPAREN
        && tokens.get(index).getText().equals("typeof")) {
      int close = closing[index + 1];
      return close == NONE ? NONE : starsEnd(close + 1);
    }
    while (typeAt(tokens, end) == PlyLexer.NAME || typeAt(tokens, end) == PlyLexer.FUNCTION) {
      end++;
    }
    List<String> words =
        tokens.subList(Math.min(index, tokens.size()), end).stream().map(Token::getText).toList();
    int stars = starsEnd(end);
    int after = bracketsEnd(stars);
    boolean isPointer = words.size() == 1 && stars > end;
    boolean isClosed = typeAt(tokens, after) == PlyLexer.RPAREN;
    return TypeNames.isType(words) || (isPointer && isClosed) ? after : NONE;
  }

  /** {@code [8]} or {@code []}. */
  private int bracketsEnd(int index) {
    int close = typeAt(tokens, index + 1) == PlyLexer.NUMBER ? index + 2 : index + 1;
    boolean isArray =
        typeAt(tokens, index) == PlyLexer.LBRACKET && typeAt(tokens, close) == PlyLexer.RBRACKET;
    return isArray ? close + 1 : index;
  }

  private int starsEnd(int index) {
    int end = index;
    while (typeAt(tokens, end) == PlyLexer.STAR) {
      end++;
    }
    return end;
  }

  private static boolean isDoubled(List<Token> tokens, int index) {
    return typeAt(tokens, index) == PlyLexer.MINUS
        && typeAt(tokens, index + 1) == PlyLexer.MINUS
        && tokens.get(index).getStopIndex() + 1 == tokens.get(index + 1).getStartIndex();
  }

  /**
   * {@code --} is one operator only where nothing else is possible: {@code x--y} is a difference.
   */
  private boolean isDecrement(int index) {
    return switch (previous()) {
      case PlyLexer.VARIABLE ->
          variables.contains(result.get(result.size() - 1).getText())
              && !mustBeginOperand(tokens, index + 2);
      case PlyLexer.AGGREGATION, PlyLexer.RBRACKET -> !mustBeginOperand(tokens, index + 2);
      case PlyLexer.NAME, PlyLexer.NUMBER, PlyLexer.STRING -> false;
      case PlyLexer.RPAREN -> castEnds.contains(index - 1) && isTarget(index + 2);
      default -> isTarget(index + 2);
    };
  }

  private boolean isTarget(int index) {
    return typeAt(tokens, index) == PlyLexer.AGGREGATION
        || (typeAt(tokens, index) == PlyLexer.VARIABLE
            && variables.contains(tokens.get(index).getText()));
  }

  /**
   * Returns whether a token starts an operand and cannot be a binary operator, as {@code *} can.
   */
  private static boolean mustBeginOperand(List<Token> tokens, int index) {
    int type = typeAt(tokens, index);
    return beginsOperand(tokens, index)
        && type != PlyLexer.STAR
        && type != PlyLexer.AND
        && type != PlyLexer.MINUS;
  }

  private static boolean beginsOperand(List<Token> tokens, int index) {
    return switch (typeAt(tokens, index)) {
      case PlyLexer.NUMBER,
          PlyLexer.BAD_NUMBER,
          PlyLexer.NAME,
          PlyLexer.FUNCTION,
          PlyLexer.MAP,
          PlyLexer.AGGREGATION,
          PlyLexer.VARIABLE,
          PlyLexer.STRING,
          PlyLexer.CHARACTER,
          PlyLexer.LPAREN,
          PlyLexer.CAST,
          PlyLexer.MINUS,
          PlyLexer.TILDE,
          PlyLexer.NOT,
          PlyLexer.STAR,
          PlyLexer.AND,
          PlyLexer.INCREMENT ->
          true;
      default -> false;
    };
  }
}
