import { any, testExpressions } from '../testing/expressions.js'

testExpressions('times', [
  [`timestamp('2024-02-29T12:00:00Z').getDayOfYear()`, 'int 59', 1],
  [`timestamp('2024-03-10T07:30:00Z').getHours('America/New_York')`, 'int 3', 1],
  [`timestamp('2024-01-01T00:00:00Z').getMinutes('-05:30')`, 'int 30', 1],
  [`timestamp('2024-01-01T00:00:00Z').getHours('Nowhere/Land')`, 'error: unknown time zone Nowhere/Land', any],
  [`timestamp('9999-12-31T23:59:59Z') + duration('1s')`, 'error: timestamp overflow', any],
  [`duration('1h30m').getMinutes()`, 'int 90', 1],
  [`timestamp('2024-01-02T00:00:00Z') - timestamp('2024-01-01T00:00:00Z') == duration('24h')`, 'bool true', 2],
  [`duration('-1500ms').getSeconds()`, 'int -1', 1]
])
