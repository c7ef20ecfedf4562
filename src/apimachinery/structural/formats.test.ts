import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formatOf, isKnownFormat } from './formats.js'

const cases: Record<string, [good: string[], bad: string[]]> = {
  bsonobjectid: [['507f1f77bcf86cd799439011'], ['507f1f77', '507f1f77bcf86cd79943901g']],
  byte: [
    ['YWI=', 'YWJj'],
    ['', 'YWI', '====', 'YW-_']
  ],
  cidr: [
    ['10.0.0.0/8', '010.0.0.0/8', '::/0'],
    ['10.0.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/-1']
  ],
  creditcard: [['4111 1111 1111 1111'], ['4111111111111112', '1234']],
  date: [['2024-02-29'], ['2023-02-29', '2023-1-01', '2023-13-01']],
  'date-time': [
    ['2023-01-01T10:00:00Z', '2023-01-01t10:00:00.5+99:99'],
    ['2023-01-01T24:00:00Z', '2023-01-01 10:00:00Z', 'T10:00:00Z']
  ],
  duration: [
    ['1h30m', '-1.5s', 'in 5 Minutes', '3 wk'],
    ['5 parsecs', '', '5', '99999999999999999999 s']
  ],
  email: [
    ['a@b', 'Bob <b@c.de>', '"a b"@c', 'a@[127.0.0.1]', 'a@b (home)', 'team: a@b;'],
    ['a', 'a@', '@b', 'a..b@c', 'a@b c', 'a@b,', '(a@b', 'team: a@b, c@d;']
  ],
  hexcolor: [
    ['#fff', 'A0b1C2'],
    ['#ffff', 'ggg']
  ],
  hostname: [
    ['a.com', 'ü.de', 'x'],
    ['a..b', '-a.com', 'a_b.com', `${'a'.repeat(64)}.com`]
  ],
  ipv4: [
    ['10.0.0.1', '010.0.0.1', '::ffff:10.0.0.1'],
    ['::1', '10.0.0.256', '10.0.0']
  ],
  ipv6: [['::1'], ['10.0.0.1', 'fe80::1%eth0', ':::']],
  isbn: [['0-321-75104-3', '978-0321751041'], ['0321751044']],
  'k8s-long-name': [['a.b-c'], ['A', 'a.', 'a'.repeat(254)]],
  'k8s-short-name': [['a-b'], ['a.b', 'a'.repeat(64)]],
  mac: [
    ['01:23:45:67:89:ab', '0123.4567.89ab', '0123456789AB'],
    ['01:23', '01:23-45:67:89:ab']
  ],
  password: [['', 'x'], []],
  rgbcolor: [['rgb(0, 31,255)'], ['rgb(256,0,0)', 'rgb(01,0,0)']],
  ssn: [['123-45-6789'], ['123456789']],
  uri: [
    ['http://a.b/c', '/x', 'mailto:a', '*', 'http://[::1]:80', 'db://a:1,b:2/'],
    ['', 'a.b', 'http://a b', 'http://a:x', 'http://[::1', '/%zz', 'http://a:1:2']
  ],
  uuid3: [['a3bb189e-8bf9-3888-9912-ace4e6543002'], ['a3bb189e-8bf9-4888-9912-ace4e6543002']],
  uuid4: [['F47AC10B58CC4372A5670E02B2C3D479'], ['f47ac10b-58cc-4372-c567-0e02b2c3d479']]
}

describe('string formats', () => {
  for (const [name, [good, bad]] of Object.entries(cases)) {
    it(name, () => {
      assert.deepEqual(
        good.filter(text => !formatOf(name)!(text)),
        []
      )
      assert.deepEqual(
        bad.filter(text => formatOf(name)!(text)),
        []
      )
    })
  }

  it('are known only for their own type', () => {
    assert.equal(isKnownFormat('datetime', ['string']), true)
    assert.equal(isKnownFormat('int32', ['string']), false)
    assert.equal(isKnownFormat('int32', ['integer']), true)
    assert.equal(isKnownFormat('date', ['object']), false)
  })
})
