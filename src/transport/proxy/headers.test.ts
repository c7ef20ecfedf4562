import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, it } from 'node:test'
import { credentialHeaders } from '../../apimachinery/request/credential-headers.js'
import type { IncomingRequest } from '../../apimachinery/request/message.js'
import { escapedPath } from '../../util/url-parts.js'
import { answerHeaders, requestHeaders, userHeaders } from './headers.js'

const request = (raw: readonly string[], isCredential = credentialHeaders()) => ({
  request: { rawHeaders: () => raw, remoteAddress: '10.1.2.3' } as unknown as IncomingRequest,
  isCredential
})

describe('the headers of a request that is passed on', () => {
  it('are those of the client without its credentials and its connection', () => {
    const raw = [
      ...['Host', 'a', ':authority', 'a', 'Accept', 'x', 'Accept', 'y', 'Authorization', 'Bearer x', 'Impersonate-User', 'root'],
      ...['X-Remote-User', 'root', 'x-remote-extra-a', 'b', 'Connection', 'keep-alive, X-Mine', 'X-Mine', '1', 'TE', 'trailers']
    ]
    const [, , ...headers] = requestHeaders(request(raw), false, {})
    assert.deepEqual(headers, ['Accept', 'x', 'Accept', 'y', 'Te', 'trailers', 'X-Forwarded-For', '10.1.2.3'])
  })

  it('have no length and nothing that names the user, whatever the client says of its connection', () => {
    const raw = [
      ...[
        'Host',
        'a',
        'Connection',
        'keep-alive, Content-Length, Host, X-Remote-User, Audit-ID',
        'Content-Length',
        '5',
        'X_Remote_User',
        'root'
      ],
      ...['X-Proxy-User', 'root', 'X-Proxy-Extra-A', 'b', 'X-Forwarded-For', '10.9.9.9', 'Transfer-Encoding', 'chunked']
    ]
    const own = { usernameHeaders: ['X-Proxy-User'], uidHeaders: [], groupHeaders: [], extraHeaderPrefixes: ['X-Proxy-Extra-'] }
    const added = ['X-Remote-User', 'alice', 'Audit-ID', '1']
    for (const isUpgrade of [false, true]) {
      const headers = requestHeaders(request(raw, credentialHeaders(own)), isUpgrade, { added })
      assert.deepEqual(headers, [
        ...['Host', 'a', ...(isUpgrade ? ['User-Agent', 'Go-http-client/1.1'] : [])],
        ...['X-Forwarded-For', '10.9.9.9, 10.1.2.3', ...added]
      ])
    }
  })

  it('of an upgrade have no token that came as a subprotocol', () => {
    const token = 'base64url.bearer.authorization.k8s.io.abc'
    const raw = ['Connection', 'Upgrade', 'Upgrade', 'websocket', 'Sec-WebSocket-Protocol', `v5, ${token}`]
    assert.deepEqual(requestHeaders(request(raw), true, {}).slice(2), [
      ...['Sec-WebSocket-Protocol', 'v5', 'User-Agent', 'Go-http-client/1.1'],
      ...['X-Forwarded-For', '10.1.2.3']
    ])
  })

  it('name the user, escaped as Go does', () => {
    const headers = userHeaders({ name: 'a', uid: '1', groups: ['g', 'h'], extra: { 'example.com/%x': ['1', '2'], none: [] } })
    assert.deepEqual(headers, [
      ...['X-Remote-User', 'a', 'X-Remote-Uid', '1', 'X-Remote-Group', 'g', 'X-Remote-Group', 'h'],
      ...['X-Remote-Extra-example.com%2F%25x', '1', 'X-Remote-Extra-example.com%2F%25x', '2']
    ])
  })

  it('say where the request came from, and what the proxy adds instead of what the client says', () => {
    const raw = ['Host', 'front', 'X-Forwarded-For', '10.0.0.1', 'X-Forwarded-Uri', '/forged']
    assert.deepEqual(requestHeaders(request(raw), false, { host: 'back', added: ['X-Forwarded-Uri', '/a'] }), [
      ...['Host', 'back', 'X-Forwarded-For', '10.0.0.1, 10.1.2.3', 'X-Forwarded-Uri', '/a']
    ])
  })
})

it('an upgrade names the client that asked for it, or Go’s', () => {
  const agents = (raw: readonly string[]) =>
    requestHeaders(request(['Host', 'a', ...raw]), true, {}).filter((_, at, all) => all[at - 1] === 'User-Agent')
  assert.deepEqual([agents([]), agents(['User-Agent', 'kubectl'])], [['Go-http-client/1.1'], ['kubectl']])
})

it('an answer keeps its length, whatever its Connection header names', () => {
  const rawHeaders = ['Connection', 'close, Content-Length, X-Mine', 'Content-Length', '5', 'X-Mine', '1', 'X-Other', 'close']
  assert.deepEqual(answerHeaders({ rawHeaders } as IncomingMessage), { 'content-length': '5', 'x-other': 'close' })
})

it('an answer keeps its headers but for those of the connection and of origins', () => {
  const rawHeaders = ['Connection', 'x-a', 'X-A', '1', 'Warning', 'a', 'Warning', 'b', 'Access-Control-Allow-Origin', '*']
  const answer = { rawHeaders } as unknown as IncomingMessage
  assert.deepEqual(answerHeaders(answer), { warning: ['a', 'b'] })
})

it('the path that is passed on is the one that was authorized', () => {
  assert.equal(escapedPath('/apis/a.b/v1/x:y@z'), '/apis/a.b/v1/x:y@z')
  assert.equal(escapedPath('/a b/ä/%41?x#y'), '/a%20b/%C3%A4/%2541%3Fx%23y')
})
