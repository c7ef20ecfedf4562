import assert from 'node:assert/strict'
import { test } from 'node:test'
import { environmentProxy } from './environment-proxy.js'

test('the proxy of the environment is left out where NO_PROXY covers the server, as Go reads it', () => {
  const cases: [server: string, noProxy: string, isUsed: boolean][] = [
    ['https://api.example', '', true],
    ['https://api.example', '*', false],
    ['https://api.example', 'example', false],
    ['https://api.example', '.example', false],
    ['https://example', '.example', true],
    ['https://api.example', '*.example', false],
    ['https://badexample', 'example', true],
    ['https://api.example', 'other, api.example:443', false],
    ['https://api.example', 'api.example:6443', true],
    ['https://10.1.2.3', '10.0.0.0/8', false],
    ['https://11.1.2.3', '10.0.0.0/8', true],
    ['https://[fd00::1]', 'fd00::/8', false],
    ['https://10.1.2.3', '10.1.2.3', false],
    ['https://127.0.0.1', '', false],
    ['https://localhost', '', false]
  ]
  for (const [server, noProxy, isUsed] of cases) {
    const found = environmentProxy(new URL(server), { https_proxy: 'proxy.example:3128', NO_PROXY: noProxy })
    assert.equal(found?.href, isUsed ? 'http://proxy.example:3128/' : undefined, `${server} ${noProxy}`)
  }
  assert.equal(environmentProxy(new URL('http://api.example'), { HTTPS_PROXY: 'http://proxy' }), undefined)
  assert.equal(environmentProxy(new URL('https://api.example'), { HTTPS_PROXY: 'socks5://proxy' })?.protocol, 'socks5:')
})
