import { testExpressions } from '../testing/expressions.js'

testExpressions('formats', [
  [
    `format.dns1123Label().validate('A_b').value()`,
    `[string "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"]`,
    10
  ],
  [`format.named('uuid').value().validate('x').value()`, '[string "does not match the UUID format"]', 21],
  [`format.named('nope').hasValue()`, 'bool false', 2]
])
