import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sourceIPs } from './source-ips.js'

function found(remoteAddress: string, ...raw: string[]) {
  const headers: Record<string, string> = {}
  for (let i = 0; i < raw.length; i += 2) headers[raw[i]!.toLowerCase()] = raw[i + 1]!
  return JSON.parse(`[${sourceIPs({ remoteAddress, headers, rawHeaders: () => raw })}]`)
}

it('the addresses of a request are those of its proxies and the one of its connection', () => {
  assert.deepEqual(found('127.0.0.1'), ['127.0.0.1'])
  assert.deepEqual(found('::ffff:10.0.0.1'), ['10.0.0.1'])
  assert.deepEqual(found(''), [])
  const forwarded = ['X-Forwarded-For', '192.0.2.1, junk, 192.0.2.010,::FFFF:192.0.2.3', 'X-Real-Ip', '2001:DB8:0::1']
  assert.deepEqual(found('10.0.0.1', ...forwarded), ['192.0.2.1', '192.0.2.10', '192.0.2.3', '2001:db8::1', '10.0.0.1'])
})

it('an address that the chain ends with is not repeated', () => {
  assert.deepEqual(found('10.0.0.1', 'X-Forwarded-For', '10.0.0.2,10.0.0.1'), ['10.0.0.2', '10.0.0.1'])
  assert.deepEqual(found('10.0.0.1', 'X-Forwarded-For', '10.0.0.2', 'X-Real-IP', '10.0.0.2'), ['10.0.0.2', '10.0.0.1'])
})

it('only the first of several headers counts', () => {
  assert.deepEqual(found('10.0.0.1', 'X-Forwarded-For', '10.0.0.2', 'x-forwarded-for', '10.0.0.3'), ['10.0.0.2', '10.0.0.1'])
})
