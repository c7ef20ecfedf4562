import { any, testExpressions } from '../testing/expressions.js'

testExpressions('strings', [
  [`'héllo😀'.size()`, 'int 6', 1],
  [`'héllo😀'.charAt(5)`, 'string "😀"', 1],
  [`'abc'.charAt(4)`, 'error: index out of range: 4', any],
  [`'abcabc'.indexOf('c', 3)`, 'int 5', 0],
  [`'héx'.lastIndexOf('x')`, 'int 2', 0],
  [`'abc'.indexOf('', 9) + 'abc'.lastIndexOf('', 2)`, 'int 5', 1],
  [`'abc'.indexOf('', -1)`, 'error: index out of range: -1', any],
  [`'abc'.lastIndexOf('', -1)`, 'error: index out of range: -1', any],
  [`'abc'.startsWith('') || 'a text of twenty-one'.endsWith('one')`, 'bool true', 0],
  [`matches('abc', '^a.c$')`, 'bool true', 2],
  [`'abc'.replace('', '-')`, 'string "-a-b-c-"', 1],
  [`'aaa'.replace('a', 'b', 2)`, 'string "bba"', 1],
  [`'a,b,c'.split(',', 2)`, '[string "a", string "b,c"]', 1],
  [`''.split('')`, '[]', 0],
  [`'abc'.substring(1, 2)`, 'string "b"', 1],
  [`'abc'.substring(2, 1)`, 'error: invalid substring range. start: 2, end: 1', any],
  [`'Ab'.lowerAscii() + 'Ab'.upperAscii()`, 'string "abAB"', 3],
  [`' x '.trim()`, 'string "x"', 1],
  [`['a', 'b'].join('-')`, 'string "a-b"', 1],
  [`strings.quote('a"\\n')`, 'string "\\"a\\\\\\"\\\\n\\""', 1],
  [`'a1b22'.find('[0-9]+')`, 'string "1"', 2],
  [`'a1b22'.findAll('[0-9]')`, '[string "1", string "2", string "2"]', 2],
  [`'abc'.matches('^a.c$')`, 'bool true', 2],
  [`'a'.matches('a' + '[')`, 'error: error parsing regexp: missing closing ]: `[`', any],
  [`'%s %d %.2f %x %b %o'.format(['a', 3, 1.005, 255, 5, 8])`, 'string "a 3 1.00 ff 101 10"', 2],
  [`'%s'.format([[1, 2.5, 'a', null, {'b': 1, 'a': 2}]])`, 'string "[1, 2.500000, \\"a\\", null, {\\"a\\":2, \\"b\\":1}]"', 1],
  [`'%.0f %.1f'.format([2.5, 0.25])`, 'string "2 0.2"', 1],
  [`'%e'.format([12345.678])`, 'string "1.234568×10⁰⁴"', 1],
  [
    `'%d'.format([dyn('a')])`,
    'error: error during formatting: decimal clause can only be used on integers, was given string',
    any
  ]
])
