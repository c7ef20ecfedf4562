import { any, testExpressions } from '../testing/expressions.js'

testExpressions('urls', [
  [`url('https://u:p@example.com:8443/a b?x=1&x=2').getHost()`, 'string "example.com:8443"', 5],
  [`url('https://[::1]/a b').getEscapedPath()`, 'string "/a%20b"', 3],
  [`url('https://h/?k=%20+v').getQuery()['k']`, '[string "  v"]', 5],
  [`url('x')`, 'error: URL parse error during conversion from string: parse "x": invalid URI for request', any],
  [
    `url('http://a:b/')`,
    'error: URL parse error during conversion from string: parse "http://a:b/": invalid port ":b" after host',
    any
  ],
  [`isURL('/x') && !isURL('x')`, 'bool true', 3]
])
