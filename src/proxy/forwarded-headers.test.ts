import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, it } from 'node:test'
import type { IncomingRequest } from '../request/message.js'
import { escapedPath } from '../util/url-parts.js'
import { addForwarded, addUser, answerHeaders, type ProxiedHeaders, requestHeaders } from './forwarded-headers.js'

const request = (raw: readonly string[], upgrade?: string): IncomingRequest => {
  const headers: Record<string, string> = {}
  for (let i = 0; i < raw.length; i += 2) headers[raw[i]!.toLowerCase()] = raw[i + 1]!
  return { headers, rawHeaders: () => raw, upgrade, remoteAddress: '10.1.2.3' } as unknown as IncomingRequest
}

describe('the headers of a request that is passed on', () => {
  it('are those of the client without its credentials and its connection', () => {
    const raw = [
      ...['Host', 'a', ':authority', 'a', 'Accept', 'x', 'Accept', 'y', 'Authorization', 'Bearer x', 'Impersonate-User', 'root'],
      ...['X-Remote-User', 'root', 'x-remote-extra-a', 'b', 'Connection', 'keep-alive, X-Mine', 'X-Mine', '1', 'TE', 'trailers']
    ]
    assert.deepEqual({ ...requestHeaders(request(raw)) }, { accept: ['x', 'y'] })
  })

  it('keep an upgrade, and no token that came as a subprotocol', () => {
    const token = 'base64url.bearer.authorization.k8s.io.abc'
    const raw = ['Connection', 'Upgrade', 'Upgrade', 'websocket', 'Sec-WebSocket-Protocol', `v5, ${token}`]
    assert.deepEqual(
      { ...requestHeaders(request(raw, 'websocket')) },
      { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-protocol': 'v5' }
    )
  })

  it('name the user, escaped as Go does', () => {
    const headers: ProxiedHeaders = {}
    addUser(headers, { name: 'a', uid: '1', groups: ['g', 'h'], extra: { 'example.com/%x': ['1', '2'], none: [] } })
    assert.deepEqual(headers, {
      'x-remote-user': 'a',
      'x-remote-uid': '1',
      'x-remote-group': ['g', 'h'],
      'x-remote-extra-example.com%2F%25x': ['1', '2']
    })
  })

  it('say where the request came from', () => {
    const headers = requestHeaders(request(['Host', 'front', 'X-Forwarded-For', '10.0.0.1']))
    addForwarded(headers, request(['Host', 'front']), false, '/apis/a')
    assert.deepEqual(
      { ...headers },
      {
        'x-forwarded-for': '10.0.0.1, 10.1.2.3',
        'x-forwarded-uri': '/apis/a',
        'x-forwarded-host': 'front',
        'x-forwarded-proto': 'https'
      }
    )
  })
})

it('an answer keeps its headers but for those of the connection and of origins', () => {
  const rawHeaders = ['Connection', 'x-a', 'X-A', '1', 'Warning', 'a', 'Warning', 'b', 'Access-Control-Allow-Origin', '*']
  const answer = { headers: { connection: 'x-a' }, rawHeaders } as unknown as IncomingMessage
  assert.deepEqual(answerHeaders(answer), { warning: ['a', 'b'] })
})

it('the path that is passed on is the one that was authorized', () => {
  assert.equal(escapedPath('/apis/a.b/v1/x:y@z'), '/apis/a.b/v1/x:y@z')
  assert.equal(escapedPath('/a b/ä/%41?x#y'), '/a%20b/%C3%A4/%2541%3Fx%23y')
})
