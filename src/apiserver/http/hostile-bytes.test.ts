import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { times } from '../../testkit/random.js'
import { http1Problem, http2Problem } from './testing/hostile-run.js'
import { webSocketProblem } from './testing/hostile-websocket.js'
import { strictReading } from './testing/strict-http1.js'

// `npm run hostile -- bytes` tries many more
const seeds = times(400)

for (const [protocol, problemOf] of [
  ['HTTP/1.1', http1Problem],
  ['HTTP/2', http2Problem],
  ['WebSocket', webSocketProblem]
] as const)
  describe(`hostile bytes over ${protocol}`, () => {
    it('are understood as by a strict reader', async () => {
      for (let seed = 1; seed <= seeds; seed++) {
        const problem = await problemOf(seed)
        if (problem) assert.fail(problem)
      }
    })
  })

describe('the strict reader', () => {
  const read = (text: string) => strictReading(Buffer.from(text, 'latin1'))
  it('knows how many requests there are, and where each one ends', () => {
    const smuggling =
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n0\r\n\r\nGET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    assert.deepEqual(
      read(smuggling).requests.map(({ path, length }) => [path, length]),
      [
        ['/', 5],
        ['/a', 0]
      ]
    )
    assert.equal(read(smuggling.replace('Content', 'Transfer-Encoding: chunked\r\nContent')).end, 'refused')
    assert.equal(read(smuggling.replace(': 5', ': 500')).end, 'incomplete')
  })
})
