/*
 * The words of the language. Definitions of probes have rules of their own, and are looked for only
 * where one may stand: the mode PROBE. ProbePositions switches between the modes.
 */
lexer grammar PlyLexer;

options {
  superClass = ProbePositions;
}

tokens {
  CONFIG,
  BEGIN,
  END,
  OTHER,
  FUNCTION,
  MAP,
  LAST_END,
  // With the file that it names: ImportStatements.
  IMPORT,
  // The keyword of a type's definition, which is C: ScriptDeclarations.
  TAGGED,
  // Names and operators that are something else before or after certain tokens: ContextualTokens.
  BARE_IF,
  // An if with a value, whose braces are those of blocks with a value.
  VALUE_IF,
  BARE_VALUE_IF,
  WHILE,
  BARE_WHILE,
  FOR,
  BARE_FOR,
  UNROLL,
  LET,
  BREAK,
  CONTINUE,
  SIZEOF,
  SIZEOF_TYPE,
  OFFSETOF,
  CONTAINER_OF,
  TYPEOF,
  TYPEOF_TYPE,
  CAST,
  // The keyword of a macro's definition, and the braces of a block with a value.
  MACRO,
  // The keyword of a function's definition.
  FN,
  RECORD,
  FIELD,
  VALUE_START,
  VALUE_END,
  DECREMENT
}

IF : 'if';
ELSE : 'else';
DELETE : 'delete';
RETURN : 'return';

NUMBER
  : [_0-9]+
  | [0-9] [_0-9]* SUFFIX
  | '0b' [_01]+
  | '0' [xX] [_0-9a-fA-F]+ SUFFIX?
  | [0-9] [_0-9]* [eE] [0-9] [_0-9]*
  | [0-9] [_0-9]* ('ns' | 'us' | 'ms' | 's' | 'm' | 'h' | 'd')
  ;
// What other languages write as numbers; one word, so that all of it can be pointed at.
BAD_NUMBER : [0-9] [_0-9a-zA-Z]* ('.' [0-9] [_0-9a-zA-Z]*)?;
NAME : [_a-zA-Z] [_a-zA-Z0-9]*;
AGGREGATION : '@' [_a-zA-Z0-9]*;
VARIABLE : '$' ([_a-zA-Z0-9]* | '#');
CHARACTER : '\'' (~['\\\r\n] | '\\' .)* '\''?;
STRING : '"' (~["\\] | '\\' .)* '"';
UNTERMINATED_STRING : '"' (~["\\] | '\\' .)*;

// What ends a predicate is the slash before a brace: one word, as division never has a brace behind it.
PREDICATE_END : '/' (SPACE | COMMENT_TEXT)* '{';

LBRACE : '{';
RBRACE : '}';
LPAREN : '(';
RPAREN : ')';
LBRACKET : '[';
RBRACKET : ']';
COMMA : ',';
SEMICOLON : ';';
RANGE : '..';
DOT : '.';
QUESTION : '?';
COLON : ':';
ARROW : '->';
ASSIGN : '=';
COMPOUND_ASSIGN : '+=' | '-=' | '*=' | '/=' | '%=' | '&=' | '|=' | '^=' | '<<=' | '>>=';
INCREMENT : '++';
LOGICAL_OR : '||';
LOGICAL_XOR : '^^';
LOGICAL_AND : '&&';
OR : '|';
XOR : '^';
AND : '&';
EQ : '==';
NE : '!=';
LE : '<=';
GE : '>=';
SHL : '<<';
SHR : '>>';
LT : '<';
GT : '>';
PLUS : '+';
MINUS : '-';
STAR : '*';
SLASH : '/';
PERCENT : '%';
TILDE : '~';
NOT : '!';

WHITE_SPACE : SPACE+ -> skip;
COMMENT : COMMENT_TEXT -> skip;
UNTERMINATED_COMMENT : '/*' ( ~'*' | '*'+ ~[*/] )* '*'*;
UNKNOWN : .;

fragment SUFFIX : [uU] ('l' | 'L' | 'll' | 'LL')? | ('l' | 'L' | 'll' | 'LL') [uU]?;
fragment SPACE : [ \t\r\n];
fragment COMMENT_TEXT : ('#' | '//') ~[\r\n]* | '/*' ( ~'*' | '*'+ ~[*/] )* '*'+ '/';

mode PROBE;

P_BEGIN : ('BEGIN' | 'begin') -> type(BEGIN);
P_END : ('END' | 'end') -> type(END);
P_OFFCPU : 'offcpu' -> type(DEFINITION);
// Category and event of a tracepoint may be separated by a slash; a further one begins a predicate.
P_TRACEPOINT
  : ('t' | 'tr' | 'tra' | 'trac' | 'trace' | 'tracep' | 'tracepo' | 'tracepoi' | 'tracepoin' | 'tracepoint')
    ':' DEFINITION_CHAR+ ([:/] DEFINITION_CHAR+)? -> type(DEFINITION);
// A program or library may be a path, or stand in quotes; behind its colon, a slash begins a
// predicate, and what C++ names have in them stands in quotes.
P_USER
  : (UPROBE | URETPROBE | USDT) ':' (QUOTED | ~[ \t\r\n{},:;"]+)? (':' (QUOTED | ~[ \t\r\n{},/;"])* UNCLOSED?)?
    -> type(DEFINITION);
DEFINITION : [_a-zA-Z] [_a-zA-Z0-9]* ':' (DEFINITION_CHAR | ':')*;
// The kind of probe may be a pattern; before the path of a program, of those in user space.
P_ANY_KIND
  : KIND_PATTERN ':' (DEFINITION_CHAR | ':')*
    -> type(DEFINITION);
P_ANY_USER_KIND
  : KIND_PATTERN ':' '/' ~[ \t\r\n{},:;"]+ ':' (QUOTED | ~[ \t\r\n{},/;"])*
    -> type(DEFINITION);
// A parameter can be any part of a definition: BEG$1, $1:do_exit; a variable begins one: $probe.
P_PARAMETER : ([_a-zA-Z0-9]* '$' [1-9] | '$' [_a-zA-Z]) (DEFINITION_CHAR | ':')* -> type(DEFINITION);
// A probe may have a name, which nothing refers to.
P_PROBE_NAME : [_a-zA-Z] [_a-zA-Z0-9]* SPACE* '=' SPACE* {isNameOfProbe()}? -> skip;
P_IMPORT : 'import' (SPACE | COMMENT_TEXT)* QUOTED -> type(IMPORT);
P_CONFIG : 'config' -> type(CONFIG);
P_ELSE : 'else' -> type(ELSE);
P_TAGGED : ('struct' | 'union' | 'enum') -> type(TAGGED);
P_NAME : [_a-zA-Z] [_a-zA-Z0-9]* -> type(NAME);
P_RBRACE : '}' -> type(RBRACE);
P_SEMICOLON : ';' -> type(SEMICOLON);
P_WHITE_SPACE : SPACE+ -> skip;
P_COMMENT : COMMENT_TEXT -> skip;
P_UNTERMINATED_COMMENT : '/*' ( ~'*' | '*'+ ~[*/] )* '*'* -> type(UNTERMINATED_COMMENT);
P_OTHER : . -> type(OTHER);

fragment QUOTED : '"' (~["\\\r\n] | '\\' ~[\r\n])* '"';
// Up to the end of the line, so that it is told once.
fragment UNCLOSED : '"' (~["\\\r\n] | '\\' ~[\r\n])*;
fragment UPROBE : 'u' | 'up' | 'upr' | 'upro' | 'uprob' | 'uprobe';
fragment KIND_PATTERN : [_a-zA-Z]* '*' [_a-zA-Z*]*;
fragment USDT : 'U' | 'us' | 'usd' | 'usdt';
fragment URETPROBE
  : 'ur' | 'ure' | 'uret' | 'uretp' | 'uretpr' | 'uretpro' | 'uretprob' | 'uretprobe';
fragment DEFINITION_CHAR : ~[ \t\r\n{},/:;];
