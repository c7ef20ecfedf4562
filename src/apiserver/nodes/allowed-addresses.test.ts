import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isGlobalUnicast, proxyableAddress } from './allowed-addresses.js'

describe('the addresses that a proxy may lead to', () => {
  it('are not those of the machine and of its own network link', async () => {
    for (const address of [
      '127.0.0.1',
      '::1',
      '169.254.169.254',
      'fe80::1',
      '0.0.0.0',
      '::',
      '224.0.0.1',
      'ff02::1',
      '::ffff:127.0.0.1',
      'x'
    ])
      assert.equal(isGlobalUnicast(address), false, address)
    for (const address of ['10.0.0.1', '192.0.2.1', 'fd00::1', '2001:db8::1'])
      assert.equal(isGlobalUnicast(address), true, address)
    await assert.rejects(proxyableAddress('localhost'), { message: 'address not allowed' })
    assert.equal(await proxyableAddress('192.0.2.1'), '192.0.2.1')
  })
})
