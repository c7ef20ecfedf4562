import { any, testExpressions } from '../testing/expressions.js'

testExpressions('addresses', [
  [`ip('2001:DB8:0::1') == ip('2001:db8::1')`, 'bool true', 5],
  [`string(ip('2001:DB8:0:0:1::1'))`, 'string "2001:db8::1:0:0:1"', 3],
  [
    `ip('1.2.3')`,
    'error: IP Address "1.2.3" parse error during conversion from string: ParseAddr("1.2.3"): IPv4 address too short',
    any
  ],
  [`ip('::ffff:1.2.3.4')`, 'error: IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed', any],
  [`ip.isCanonical('2001:DB8::1')`, 'bool false', 3],
  [`cidr('10.0.0.0/8').containsIP('10.1.1.1')`, 'bool true', 3],
  [`cidr('10.0.0.0/8').containsIP('x')`, 'error: no such overload', any],
  [`cidr('10.0.0.0/8').containsCIDR('10.0.0.0/7')`, 'bool false', 5],
  [`string(cidr('192.168.1.5/24').masked())`, 'string "192.168.1.0/24"', 4],
  [
    `cidr('10.0.0.0/33')`,
    'error: network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/33"): prefix length out of range',
    any
  ]
])
