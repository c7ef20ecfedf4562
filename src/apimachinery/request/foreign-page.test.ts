import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isForeignPage } from './foreign-page.js'

const asks = (
  headers: Record<string, string>,
  { method = 'POST', upgrade = undefined as string | undefined, allowed = false } = {}
) =>
  isForeignPage({
    request: { method, upgrade, headers: { host: 'server:6443', ...headers } } as never,
    isOriginAllowed: allowed
  })

test('an origin is foreign unless scheme, host and port are those that were asked for', () => {
  for (const origin of ['https://server:6443', 'https://SERVER:6443']) assert.equal(asks({ origin }), false, origin)
  for (const origin of [
    ...[
      'http://server:6443',
      'https://server',
      'https://server:6444',
      'https://server:6443.evil',
      'https://evil',
      'null',
      '',
      ' '
    ],
    ...[
      'https://server:6443/',
      'https://u@server:6443',
      'https://server:6443, https://evil',
      'server:6443',
      'https://server:6443\\@evil'
    ]
  ])
    assert.equal(asks({ origin }), true, origin)
  assert.equal(asks({ origin: 'https://server', host: 'server:443' }), false)
  assert.equal(asks({ origin: 'https://[::1]:6443', host: '[::1]:6443' }), false)
  assert.equal(asks({ origin: 'https://server:6443', host: '' }), true)
})

test('a client that is no browser never has a foreign origin', () => {
  for (const method of ['POST', 'DELETE']) assert.equal(asks({}, { method }), false)
  assert.equal(asks({}, { method: 'GET', upgrade: 'websocket' }), false)
})

test('what the browser says about the site counts more than the host, which a proxy changes', () => {
  for (const site of ['cross-site', 'same-site', 'x', '']) assert.equal(asks({ 'sec-fetch-site': site }), true, site)
  assert.equal(asks({ 'sec-fetch-site': 'same-origin', origin: 'http://localhost:8001' }), false)
  assert.equal(asks({ 'sec-fetch-site': 'none' }), false)
  // a user who opens an address has no page that could have an origin
  assert.equal(asks({ 'sec-fetch-site': 'none', origin: 'https://evil' }), true)
  assert.equal(asks({ 'sec-fetch-site': 'cross-site', origin: 'https://server:6443' }), true)
})

test('reads are nothing to refuse: a page does not see their answers; connections are', () => {
  const origin = 'https://evil'
  for (const method of ['GET', 'HEAD', 'OPTIONS']) assert.equal(asks({ origin }, { method }), false)
  for (const method of ['PUT', 'PATCH', 'DELETE', 'TRACE', 'get']) assert.equal(asks({ origin }, { method }), true)
  for (const upgrade of ['websocket', 'spdy/3.1']) assert.equal(asks({ origin }, { method: 'GET', upgrade }), true)
})

test('an origin that the operator allows is not foreign', () => {
  assert.equal(asks({ origin: 'https://evil', 'sec-fetch-site': 'cross-site' }, { allowed: true }), false)
})
