import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isLoopback, isOfOtherOrigin, isOwnHost } from './origin.js'

it('knows connections from this machine', () => {
  for (const own of ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1']) assert.ok(isLoopback(own), own)
  for (const other of ['', '10.0.0.1', '::', '::2', '::ffff:10.0.0.1', '127.0.0.1.example.com', '1270.0.1', '128.0.0.1'])
    assert.ok(!isLoopback(other), other)
})

it('takes addresses, localhost and its own names for its hosts, and nothing else', () => {
  const isNamed = (host: string) => host === 'api.example.com'
  for (const host of [
    '127.0.0.1',
    '127.0.0.1:6443',
    '[::1]:6443',
    '[::1]',
    'localhost:1',
    'LOCALHOST',
    'api.example.com:6443',
    'Api.Example.com.'
  ])
    assert.ok(isOwnHost({ host }, isNamed), host)
  const others = [
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example:6443',
    'api.example.com@evil.example'
  ]
  for (const host of [
    ...others,
    '',
    ':6443',
    'localhost:x',
    '127.0.0.1:6443:1',
    '[127.0.0.1',
    'localhost, evil.example',
    '[evil.example]'
  ])
    assert.ok(!isOwnHost({ host }, isNamed), host)
  assert.ok(!isOwnHost({}, isNamed))
})

it('knows pages of other origins by what browsers say', () => {
  const host = '127.0.0.1:6443'
  const own = 'https://127.0.0.1:6443'
  for (const headers of [
    {},
    { origin: own },
    { 'sec-fetch-site': 'same-origin' },
    { origin: own, 'sec-fetch-site': 'same-origin' }
  ])
    assert.ok(!isOfOtherOrigin({ host, ...headers }, 'https'), JSON.stringify(headers))
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: '' },
    { origin: 'http://127.0.0.1:6443' },
    { origin: 'https://127.0.0.1:6444' },
    { origin: `${own}.evil.example` },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    { origin: own, 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': '' }
  ])
    assert.ok(isOfOtherOrigin({ host, ...headers }, 'https'), JSON.stringify(headers))
})
