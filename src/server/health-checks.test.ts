/** When the checks of a server pass. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HealthKind } from '../apiserver/health/health.js'
import { Startup } from '../controllers/startup.js'
import { FakeClock } from '../testkit/fake-clock.js'
import { healthChecks } from './health-checks.js'
import type { ServerOptions } from './options.js'

function checked(options: ServerOptions = {}, changes: Partial<Parameters<typeof healthChecks>[1]> = {}) {
  const clock = new FakeClock(1_000_000)
  const startup = new Startup()
  startup.expect('crd-informer-synced', 'kube-apiserver-autoregistration')
  const stopping = new AbortController()
  const all = healthChecks(options, {
    store: { shared: true, health: async () => {} } as never,
    registry: { all: () => [] } as never,
    startup,
    clock,
    stopping: stopping.signal,
    certificateExpiry: () => undefined,
    isRegistered: () => true,
    ...changes
  })
  const failing = async (kind: HealthKind) => {
    const names: string[] = []
    for (const { name, check } of all[kind])
      try {
        await check()
      } catch {
        names.push(name)
      }
    return names
  }
  return { all, failing, startup, clock, stopping }
}

const hooks = ['poststarthook/crd-informer-synced', 'poststarthook/kube-apiserver-autoregistration']

describe('the checks of a server', () => {
  it('have the names and the order of kube-apiserver', () => {
    const { all } = checked()
    const names = (kind: HealthKind) => all[kind].map(({ name }) => name)
    assert.deepEqual(names('livez'), ['ping', 'log', 'loopback-serving-certificate', 'etcd', ...hooks, 'autoregister-completion'])
    const ready = ['ping', 'log', 'etcd', 'etcd-readiness', 'informer-sync', ...hooks, 'autoregister-completion', 'shutdown']
    assert.deepEqual(names('readyz'), ready)
  })

  it('fail until the work of the start is done', async () => {
    const { failing, startup } = checked({}, { isRegistered: () => false })
    assert.deepEqual(await failing('readyz'), [...hooks, 'autoregister-completion'])
    startup.done('crd-informer-synced')
    assert.deepEqual(await failing('livez'), [hooks[1], 'autoregister-completion'])
  })

  it('of /livez wait for the start as long as they are told to', async () => {
    const { failing, clock } = checked({ livezGracePeriod: 5000 })
    assert.deepEqual(await failing('livez'), [])
    assert.deepEqual(await failing('healthz'), hooks)
    clock.advance(5001)
    assert.deepEqual(await failing('livez'), hooks)
  })

  it('tell that the server stops, and that its certificate has expired', async () => {
    const { failing, startup, stopping } = checked({}, { certificateExpiry: () => 1_000_000 })
    startup.done('crd-informer-synced', 'kube-apiserver-autoregistration')
    assert.deepEqual(await failing('livez'), ['loopback-serving-certificate'])
    assert.deepEqual(await failing('readyz'), [])
    stopping.abort()
    assert.deepEqual(await failing('readyz'), ['shutdown'])
  })

  it('ask a store of another process no more often than it may take to answer', async () => {
    let asked = 0
    const store = { shared: true, health: async () => void asked++ } as never
    const { failing, clock } = checked({}, { store })
    for (let i = 0; i < 10; i++) await failing('livez')
    assert.equal(asked, 1)
    clock.advance(2000)
    await failing('livez')
    assert.equal(asked, 2)
  })
})
