import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatAddress, masked, parseAddress, parsePrefix, samePrefix } from './go-netip.js'

for (const [text, canonical] of [
  ['1.2.3.4', '1.2.3.4'],
  ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['1:0:2:0:3:0:4:0', '1:0:2:0:3:0:4:0'],
  ['::', '::'],
  ['1::', '1::'],
  ['::ffff:1.2.3.4', '::ffff:1.2.3.4'],
  ['fe80::1%eth0', 'fe80::1%eth0']
] as const)
  test(`${text} is written ${canonical}`, () => assert.equal(formatAddress(parseAddress(text)), canonical))

for (const [text, why] of [
  ['x', 'unable to parse IP'],
  ['1.2.3', 'IPv4 address too short'],
  ['1.2.3.4.5', 'IPv4 address too long'],
  ['01.2.3.4', 'IPv4 field has octet with leading zero'],
  ['256.1.1.1', 'IPv4 field has value >255'],
  ['1.2..4', 'IPv4 field must have at least one digit (at ".4")'],
  ['1::2::3', 'multiple :: in address (at ":3")'],
  ['12345::', 'each group must have 4 or less digits (at "12345::")'],
  ['1:2:3:4:5:6:7:8:9', 'trailing garbage after address (at "9")'],
  ['1:2', 'address string too short']
] as const)
  test(`refuses ${text}`, () => {
    assert.throws(() => parseAddress(text), { message: `ParseAddr("${text}"): ${why}` })
  })

test('a prefix masks and contains', () => {
  const prefix = parsePrefix('192.168.1.77/26')
  assert.equal(formatAddress(masked(prefix)), '192.168.1.64')
  assert.equal(samePrefix(prefix.address, parseAddress('192.168.1.100'), 26), true)
  assert.equal(samePrefix(prefix.address, parseAddress('192.168.1.128'), 26), false)
  assert.equal(samePrefix(prefix.address, parseAddress('::1'), 0), false)
})

for (const [text, why] of [
  ['10.0.0.0', "no '/'"],
  ['10.0.0.0/33', 'prefix length out of range'],
  ['10.0.0.0/08', 'bad bits after slash: "08"']
] as const)
  test(`refuses ${text}`, () => {
    assert.throws(() => parsePrefix(text), { message: `netip.ParsePrefix("${text}"): ${why}` })
  })
