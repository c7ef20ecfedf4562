import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { firstAddress, ipAddressBytes } from './ip-address.js'

describe('IP addresses', () => {
  for (const [text, hex] of Object.entries({
    '10.0.0.255': '0a0000ff',
    '::': '00'.repeat(16),
    '::1': `${'00'.repeat(15)}01`,
    'fd00::8:1': `fd00${'00'.repeat(10)}00080001`,
    '1:2:3:4:5:6:7:8': '00010002000300040005000600070008',
    '1:2:3:4:5:6:7::': '00010002000300040005000600070000',
    '::ffff:1.2.3.4': `${'00'.repeat(10)}ffff01020304`
  })) {
    it(`reads ${text}`, () => assert.equal(ipAddressBytes(text)?.toString('hex'), hex))
  }

  for (const text of ['', '10.0.0', '10.0.0.256', '010.0.0.1', 'fe80::1%eth0', 'localhost', '1::2::3']) {
    it(`does not accept ${JSON.stringify(text)} as an address`, () => assert.equal(ipAddressBytes(text), undefined))
  }

  for (const [cidr, first] of Object.entries({
    '10.0.0.0/24': '10.0.0.1',
    '10.0.0.77/24': '10.0.0.1',
    '10.96.0.0/12': '10.96.0.1',
    '10.111.3.4/12': '10.96.0.1',
    '10.0.0.2/31': '10.0.0.3',
    '255.255.255.255/0': '0.0.0.1',
    '255.255.255.255/1': '128.0.0.1',
    '255.255.255.255/7': '254.0.0.1',
    '255.255.255.255/8': '255.0.0.1',
    '255.255.255.255/9': '255.128.0.1',
    '255.255.255.255/23': '255.255.254.1',
    '255.255.255.255/25': '255.255.255.129',
    'ffff::/3': 'e000:0:0:0:0:0:0:1',
    '::/127': '0:0:0:0:0:0:0:1',
    'fd00:1::/108': 'fd00:1:0:0:0:0:0:1'
  })) {
    it(`finds the first address of ${cidr}`, () => assert.equal(firstAddress(cidr), first))
  }

  for (const cidr of ['', '10.0.0.0', '10.0.0.0/', '10.0.0.0/32', '10.0.0.0/33', '10.0.0.0/24/1', '10.0.0/24', '::/128', 'x/8']) {
    it(`finds none in ${JSON.stringify(cidr)}`, () => assert.equal(firstAddress(cidr), undefined))
  }
})
