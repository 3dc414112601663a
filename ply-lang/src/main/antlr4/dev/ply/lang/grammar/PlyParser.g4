/*
 * The sentences of the language. What the grammar accepts and the language does not (a store to a
 * number) is told by AstBuilder, in words. One word decides what comes next, everywhere: names before
 * brackets have types of their own, and a statement that needs no semicolon has a LAST_END. A body after
 * a condition without parentheses is a block: a statement may begin as an expression goes on, with "*".
 */
parser grammar PlyParser;

options {
  superClass = NestingLimit;
  tokenVocab = PlyLexer;
}

script : config? (probe | macro | function | stray)* EOF;

config : CONFIG ASSIGN LBRACE setting* RBRACE;

setting : NAME ASSIGN value=(NAME | NUMBER | STRING) end?;

// What stands where only a probe may; told by ScriptParser, so that the next probe is read too.
stray : ~(DEFINITION | BEGIN | END | MACRO | FN)+;

macro : MACRO (NAME | FUNCTION) (LPAREN (parameter (COMMA parameter)*)? RPAREN)? block;

parameter : NAME | VARIABLE | AGGREGATION;

function
  : FN FUNCTION LPAREN (typedParameter (COMMA typedParameter)*)? RPAREN COLON typeName block
  ;

typedParameter : VARIABLE COLON typeName;

probe : point (COMMA point)* (predicate statement* RBRACE | statement);

point : DEFINITION | BEGIN | END;

predicate : SLASH expression PREDICATE_END;

statement
  : block                                                             # blockStatement
  | (IF LPAREN expression RPAREN then=statement | BARE_IF expression block)
      (ELSE otherwise=statement)?                                     # ifStatement
  | (WHILE LPAREN expression RPAREN statement | BARE_WHILE expression block)
                                                                      # whileStatement
  | (FOR LPAREN range RPAREN statement | BARE_FOR range block)        # forStatement
  | UNROLL LPAREN expression RPAREN statement                         # unrollStatement
  | LET VARIABLE (COLON typeName)? (ASSIGN expression)? end           # letStatement
  | BREAK end                                                         # breakStatement
  | CONTINUE end                                                      # continueStatement
  | DELETE (target | LPAREN (target | wholeMap (COMMA expressions)?) RPAREN)
      end                                                             # deleteStatement
  | RETURN expression? end                                            # returnStatement
  | expression ((ASSIGN | COMPOUND_ASSIGN) expression)? end           # simpleStatement
  | SEMICOLON                                                         # emptyStatement
  ;

block : LBRACE statement* RBRACE;

range : VARIABLE COLON expression (RANGE expression)?;

end : SEMICOLON | LAST_END;

expression
  : operand                                                           # operandExpression
  | CAST typeName RPAREN expression                                   # castExpression
  | op=(INCREMENT | DECREMENT) expression                             # prefixStep
  | op=(STAR | AND | MINUS | TILDE | NOT) expression                  # unaryExpression
  | expression op=(STAR | SLASH | PERCENT) expression                 # binaryExpression
  | expression op=(PLUS | MINUS) expression                           # binaryExpression
  | expression op=(SHL | SHR) expression                              # binaryExpression
  | expression op=(LT | GT | LE | GE) expression                      # binaryExpression
  | expression op=(EQ | NE) expression                                # binaryExpression
  | expression op=AND expression                                      # binaryExpression
  | expression op=XOR expression                                      # binaryExpression
  | expression op=OR expression                                       # binaryExpression
  | expression op=LOGICAL_AND expression                              # binaryExpression
  | expression op=LOGICAL_XOR expression                              # binaryExpression
  | expression op=LOGICAL_OR expression                               # binaryExpression
  | <assoc=right> expression QUESTION expression? COLON expression    # conditionalExpression
  ;

operand : atom member* (INCREMENT | DECREMENT)?;

typeName : (NAME+ | typeOf) STAR* brackets?;

brackets : LBRACKET NUMBER? RBRACKET STAR*;

typeOf : TYPEOF LPAREN expression RPAREN | TYPEOF_TYPE LPAREN typeName RPAREN;

// No member is called; ply version 1 wrote so.
member
  : op=(DOT | ARROW) memberName arguments?                            # namedMember
  | LBRACKET expression RBRACKET                                      # element
  ;

arguments : LPAREN expressions? RPAREN;

memberPath : memberName (DOT memberName)*;

memberName
  : NUMBER | BAD_NUMBER | NAME | FUNCTION | MAP | IF | BARE_IF | ELSE | DELETE | RETURN
  | SIZEOF | SIZEOF_TYPE | OFFSETOF | CONTAINER_OF | TYPEOF | TYPEOF_TYPE
  ;

atom
  : NUMBER                                                            # number
  | STRING                                                            # string
  | FUNCTION LPAREN expressions? RPAREN                               # call
  | target                                                            # entry
  | NAME                                                              # name
  | AGGREGATION                                                       # wholeAggregation
  | VARIABLE                                                          # variable
  | CHARACTER                                                         # character
  | SIZEOF LPAREN expression RPAREN                                   # sizeOfValue
  | SIZEOF_TYPE LPAREN typeName RPAREN                                # sizeOfType
  | OFFSETOF LPAREN (typeName | STAR expression) COMMA memberPath RPAREN # offsetOf
  | CONTAINER_OF LPAREN expression COMMA typeName COMMA memberPath RPAREN # containerOf
  | DELETE LPAREN (target | wholeMap (COMMA expressions)?) RPAREN     # deletion
  | typeOf                                                            # typeArgument
  | valueBlock                                                        # blockValue
  | choice valueBlock (ELSE choice valueBlock)* ELSE valueBlock       # choiceValue
  | (BAD_NUMBER | UNTERMINATED_STRING)                                # badWord
  | RECORD field (COMMA field)* RPAREN                                # record
  | LPAREN expression (COMMA expression)* COMMA? RPAREN               # parenthesized
  ;

valueBlock : VALUE_START statement* VALUE_END;

choice : VALUE_IF LPAREN expression RPAREN | BARE_VALUE_IF expression;

field : FIELD ASSIGN expression;

target : MAP LBRACKET expressions RBRACKET;

wholeMap : AGGREGATION | NAME;

expressions : expression (COMMA expression)*;
