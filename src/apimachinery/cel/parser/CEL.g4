// The syntax of the Common Expression Language (https://github.com/google/cel-spec/blob/master/doc/langdef.md#syntax), with
// the optional-field syntax and escaped names. `scripts/generate/cel-parser.mjs` makes the parser from it.
// The words of syntax errors follow from this grammar: rules may not be merged, nor tokens be put in another order.
grammar CEL;

start : root=expr EOF ;

expr : condition=conditionalOr (question='?' yes=conditionalOr ':' no=expr)? ;

conditionalOr : terms+=conditionalAnd (ops+='||' terms+=conditionalAnd)* ;

conditionalAnd : terms+=relation (ops+='&&' terms+=relation)* ;

relation : calc | left=relation op=('<'|'<='|'>='|'>'|'=='|'!='|'in') right=relation ;

calc : unary | left=calc op=('*'|'/'|'%') right=calc | left=calc op=('+'|'-') right=calc ;

unary
  : member # Plain
  | (ops+='!')+ member # Not
  | (ops+='-')+ member # Negate
  ;

member
  : primary # Primary_
  | member op='.' (opt='?')? name=escapeIdent # Select
  | member op='.' name=IDENTIFIER open='(' args=exprList? ')' # MemberCall
  | member op='[' (opt='?')? index=expr ']' # Index
  ;

primary
  : dot='.'? name=IDENTIFIER # Ident
  | dot='.'? name=IDENTIFIER (open='(' args=exprList? ')') # GlobalCall
  | '(' inner=expr ')' # Nested
  | open='[' elements=listInit? ','? ']' # CreateList
  | open='{' entries=mapInitializerList? ','? '}' # CreateMap
  | dot='.'? names+=IDENTIFIER ('.' names+=IDENTIFIER)* open='{' fields=fieldInitializerList? ','? '}' # CreateMessage
  | literal # Constant
  ;

exprList : items+=expr (',' items+=expr)* ;

listInit : items+=optExpr (',' items+=optExpr)* ;

fieldInitializerList : fields+=optField colons+=':' values+=expr (',' fields+=optField colons+=':' values+=expr)* ;

optField : (opt='?')? escapeIdent ;

mapInitializerList : keys+=optExpr colons+=':' values+=expr (',' keys+=optExpr colons+=':' values+=expr)* ;

escapeIdent
  : name=IDENTIFIER # SimpleName
  | name=ESC_IDENTIFIER # EscapedName
  ;

optExpr : (opt='?')? value=expr ;

literal
  : sign=MINUS? token=NUM_INT # Int
  | token=NUM_UINT # Uint
  | sign=MINUS? token=NUM_FLOAT # Double
  | token=STRING # String
  | token=BYTES # Bytes
  | token=CEL_TRUE # True
  | token=CEL_FALSE # False
  | token=NUL # Null
  ;

EQUALS : '==' ;
NOT_EQUALS : '!=' ;
IN : 'in' ;
LESS : '<' ;
LESS_EQUALS : '<=' ;
GREATER_EQUALS : '>=' ;
GREATER : '>' ;
LOGICAL_AND : '&&' ;
LOGICAL_OR : '||' ;
LBRACKET : '[' ;
RPRACKET : ']' ;
LBRACE : '{' ;
RBRACE : '}' ;
LPAREN : '(' ;
RPAREN : ')' ;
DOT : '.' ;
COMMA : ',' ;
MINUS : '-' ;
EXCLAM : '!' ;
QUESTIONMARK : '?' ;
COLON : ':' ;
PLUS : '+' ;
STAR : '*' ;
SLASH : '/' ;
PERCENT : '%' ;
CEL_TRUE : 'true' ;
CEL_FALSE : 'false' ;
NUL : 'null' ;

fragment LETTER : [A-Za-z] ;
fragment DIGIT : [0-9] ;
fragment HEX : [0-9a-fA-F] ;
fragment EXPONENT : [eE] [+-]? DIGIT+ ;
fragment ESCAPE
  : '\\' [abfnrtv"'\\?`]
  | '\\' [xX] HEX HEX
  | '\\' 'u' HEX HEX HEX HEX
  | '\\' 'U' HEX HEX HEX HEX HEX HEX HEX HEX
  | '\\' [0-3] [0-7] [0-7]
  ;

WHITESPACE : [\t \r\n\u000C]+ -> channel(HIDDEN) ;
COMMENT : '//' (~'\n')* -> channel(HIDDEN) ;

NUM_FLOAT : DIGIT+ '.' DIGIT+ EXPONENT? | DIGIT+ EXPONENT | '.' DIGIT+ EXPONENT? ;
NUM_INT : DIGIT+ | '0x' HEX+ ;
NUM_UINT : DIGIT+ [uU] | '0x' HEX+ [uU] ;

STRING
  : '"' (ESCAPE | ~[\\"\n\r])* '"'
  | '\'' (ESCAPE | ~[\\'\n\r])* '\''
  | '"""' (ESCAPE | ~[\\])*? '"""'
  | '\'\'\'' (ESCAPE | ~[\\])*? '\'\'\''
  | [rR] '"' ~["\n\r]* '"'
  | [rR] '\'' ~['\n\r]* '\''
  | [rR] '"""' .*? '"""'
  | [rR] '\'\'\'' .*? '\'\'\''
  ;
BYTES : [bB] STRING ;

IDENTIFIER : (LETTER | '_') (LETTER | DIGIT | '_')* ;
ESC_IDENTIFIER : '`' (LETTER | DIGIT | [_./ -])+ '`' ;
