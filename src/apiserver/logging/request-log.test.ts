import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import type { LogFields, Logger } from '../../util/logger.js'

interface Line {
  readonly message: string
  readonly fields: LogFields | undefined
}

let server: BinnacleServer

/** A log that keeps lines up to a verbosity. */
function recorder(verbosity: number) {
  const lines: Line[] = []
  const info = (message: string, fields?: LogFields) => void lines.push({ message, fields })
  const log: Logger = { info() {}, warn() {}, error() {}, v: level => (level <= verbosity ? { info } : undefined) }
  return { lines, log }
}

const clock = new FakeClock()

async function start(verbosity: number) {
  const { lines, log } = recorder(verbosity)
  server = createServer({
    log,
    clock,
    controllers: [],
    admissionPlugins: [
      {
        name: 'slow',
        operations: ['CREATE'],
        resources: ['configmaps'],
        validate: ({ name }) => (name === 'slow' ? clock.advance(700) : undefined)
      }
    ]
  })
  await server.start()
  lines.length = 0
  return lines
}

const admin = { name: 'alice', groups: ['system:masters'] }

afterEach(() => server.stop())

describe('the log of requests', () => {
  it('has every request at verbosity 3', async () => {
    const lines = await start(3)
    const headers = { 'user-agent': 'test/1', 'audit-id': 'an-id' }
    await server.inject({ url: '/api/v1/namespaces?limit=1', user: admin, headers })
    const [{ message, fields }] = lines.slice(-1) as [Line]
    assert.equal(message, 'HTTP')
    assert.deepEqual(
      { ...fields, srcIP: '' },
      {
        verb: 'LIST',
        URI: '/api/v1/namespaces?limit=1',
        latency: '0s',
        userAgent: 'test/1',
        'audit-ID': 'an-id',
        srcIP: '',
        user: 'alice',
        resp: 200
      }
    )
    await server.inject({ url: '/api/v1/pods', headers: { authorization: 'Bearer a-secret-token' } })
    assert.equal(lines.at(-1)?.fields?.resp, 401)
    assert.doesNotMatch(JSON.stringify(lines), /a-secret-token/)
  })

  it('has the parts of slow requests at verbosity 2, and no others', async () => {
    const lines = await start(2)
    const url = '/api/v1/namespaces/default/configmaps'
    await server.inject({ url, user: admin })
    assert.equal(lines.length, 0)
    await server.inject({ url, method: 'POST', user: admin, body: { metadata: { name: 'slow' } } })
    assert.equal(lines.length, 1)
    assert.match(
      lines[0]!.message,
      /^Trace\[\d+\]: "Create" .*resource:configmaps,url:\/api\/v1\/namespaces\/default\/configmaps,.*\(total time: 700ms\):\nTrace\[\d+\]: ---"etcd" \d+ms\nTrace\[\d+\]: \[700ms\] \[700ms\] END$/
    )
  })
})
