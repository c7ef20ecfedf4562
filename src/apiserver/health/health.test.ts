/** The answers of /livez and /readyz, and when their checks pass. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RequestContext } from '../../apimachinery/request/context.js'
import type { IncomingRequest } from '../../apimachinery/request/message.js'
import { wholeBody } from '../../apimachinery/request/message.js'
import { Startup } from '../../controllers/startup.js'
import { Metrics } from '../../util/instruments/metrics.js'
import { silentLogger } from '../../util/logger.js'
import { type HealthCheck, healthPaths } from './health.js'
import { HealthMetrics } from './health-metrics.js'

function served(...checks: readonly HealthCheck[]) {
  const slis = new Metrics(undefined, false)
  const lines: string[] = []
  const log = { ...silentLogger, v: () => ({ info: (line: string) => void lines.push(line) }) }
  const paths = healthPaths({ checks: { livez: checks, readyz: checks, healthz: checks }, metrics: new HealthMetrics(slis), log })
  const ask = async (url: string) => {
    const context = new RequestContext({ method: 'GET', url, headers: {} } as IncomingRequest, 0, 'id')
    const { status, body } = await paths.find(({ path }) => path === context.path)!.handle(context)
    return [status, (await wholeBody(body!)).toString()]
  }
  return { ask, lines, slis }
}

const ok = (name: string): HealthCheck => ({ name, check() {} })
const broken = (name: string): HealthCheck => ({ name, check: () => Promise.reject(new Error('the reason')) })

describe('health checks', () => {
  it('pass together, and are shown when that is asked for', async () => {
    const { ask } = served(ok('ping'), ok('log'))
    assert.deepEqual(await ask('/readyz'), [200, 'ok'])
    assert.deepEqual(await ask('/livez?verbose'), [200, '[+]ping ok\n[+]log ok\nlivez check passed\n'])
    assert.deepEqual(await ask('/livez/log'), [200, 'ok'])
  })

  it('withhold the reason of a failure, which the log and the single check tell', async () => {
    const { ask, lines } = served(ok('ping'), broken('etcd'))
    assert.deepEqual(await ask('/readyz'), [500, '[+]ping ok\n[-]etcd failed: reason withheld\nreadyz check failed\n'])
    assert.deepEqual(lines, ['etcd check failed: readyz\n[-]etcd failed: the reason\n'])
    assert.deepEqual(await ask('/readyz/etcd'), [500, 'internal server error: the reason\n'])
  })

  it('can be excluded by their whole names', async () => {
    const { ask } = served(ok('ping'), broken('etcd'))
    assert.deepEqual(await ask('/readyz?exclude=etcd'), [200, 'ok'])
    assert.deepEqual(await ask('/readyz?verbose&exclude=etcd&exclude=x&exclude=a'), [
      200,
      '[+]ping ok\n[+]etcd excluded: ok\nwarn: some health checks cannot be excluded: no matches for "a","x"\nreadyz check passed\n'
    ])
    assert.equal((await ask('/readyz?exclude=ping,etcd'))[0], 500)
  })

  it('are counted', async () => {
    const { ask, slis } = served(ok('ping'), broken('etcd'))
    await ask('/readyz')
    await ask('/readyz?exclude=ping')
    const text = await slis.text()
    for (const line of [
      'kubernetes_healthcheck{name="ping",type="readyz"} 1',
      'kubernetes_healthcheck{name="etcd",type="readyz"} 0',
      'kubernetes_healthchecks_total{name="ping",status="success",type="readyz"} 1',
      'kubernetes_healthchecks_total{name="etcd",status="error",type="readyz"} 2'
    ])
      assert.ok(text.includes(`${line}\n`), `${line}\n${text}`)
  })
})

describe('the work of a start', () => {
  it('is done when the part that does it has started', async () => {
    const startup = new Startup()
    let begin = () => {}
    const part = startup.during(
      {
        name: 'part',
        start: () =>
          new Promise<void>(resolve => {
            begin = resolve
          })
      },
      'rbac/bootstrap-roles',
      'crd-informer-synced'
    )
    assert.deepEqual(startup.expected, ['crd-informer-synced', 'rbac/bootstrap-roles'])
    const starting = part.start!()
    assert.equal(startup.isDone('rbac/bootstrap-roles'), false)
    begin()
    await starting
    assert.equal(startup.isDone('rbac/bootstrap-roles'), true)
  })
})
