import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Profile } from 'pprof-format'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { FakeClock } from '../../testkit/fake-clock.js'

const admin = { name: 'admin', groups: ['system:masters'] }
const verbosities: number[] = []
const log = {
  error() {},
  warn() {},
  info() {},
  v: () => undefined,
  setVerbosity: (level: number) => void verbosities.push(level)
}
const clock = new FakeClock(Date.UTC(2026, 10, 2, 3, 4, 5))
let server: BinnacleServer

before(async () => {
  server = createServer({
    log,
    clock,
    controllers: [],
    flags: { v: '3', 'authorization-mode': '[Node,RBAC]' },
    emulatedVersion: ['1.35'],
    featureGates: { ComponentFlagz: true, ComponentStatusz: true }
  })
  await server.start()
})
after(() => server.stop())

const get = async (url: string, accept?: string) => {
  const { status, headers, body } = await server.inject({ url, user: admin, headers: accept ? { accept } : {} })
  return { status, headers, body: Buffer.from(body).toString() }
}
const heading = (name: string) => `
apiserver ${name}
Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.
`

describe('/statusz and /flagz', () => {
  it('are texts for people', async () => {
    clock.advance(3_723_000)
    for (const accept of [undefined, 'text/plain', '*/*'])
      assert.equal((await get('/flagz', accept)).body, `${heading('flagz')}authorization-mode: [Node,RBAC]\nv: 3\n`)
    assert.equal(
      (await get('/statusz')).body,
      `${heading('statusz')}
Started: Mon Nov  2 03:04:05 UTC 2026
Up: 1 hr 02 min 03 sec
Go version: node ${process.version}
Binary version: 1.37.2
Emulation version: 1.35
Paths: /flagz /healthz /livez /metrics /readyz /statusz /version
`
    )
  })

  it('are of the emulated release, and so is OpenAPI', async () => {
    for (const path of ['/openapi/v2', '/openapi/v3/version', '/openapi/v3/apis/apps/v1'])
      assert.deepEqual(JSON.parse((await get(path)).body).info, { title: 'Kubernetes', version: '1.35' }, path)
  })

  it('are objects on request', async () => {
    const { body } = await get('/flagz', 'application/json;as=Flagz;g=config.k8s.io;v=v1beta1')
    assert.deepEqual(JSON.parse(body), {
      kind: 'Flagz',
      apiVersion: 'config.k8s.io/v1beta1',
      metadata: { name: 'apiserver' },
      flags: { 'authorization-mode': '[Node,RBAC]', v: '3' }
    })
    const old = await get('/statusz', 'application/json;as=Statusz;g=config.k8s.io;v=v1alpha1')
    assert.equal(JSON.parse(old.body).emulationVersion, '1.35')
    assert.match(String(old.headers.warning), /This version of the statusz endpoint is deprecated/)
    assert.equal((await get('/flagz', 'application/json')).status, 406)
    assert.equal((await get('/flagz', 'application/json;as=Statusz;g=config.k8s.io;v=v1beta1')).status, 406)
  })

  it('are for those who may see them', async () => {
    for (const url of ['/statusz', '/flagz', '/debug/pprof/profile', '/debug/flags/v'])
      assert.equal((await server.inject({ url, user: { name: 'bob', groups: ['system:authenticated'] } })).status, 403, url)
  })
})

describe('profiles', () => {
  for (const name of ['profile', 'heap'])
    it(`are what pprof reads: ${name}`, async () => {
      const answer = server.inject({ url: `/debug/pprof/${name}?seconds=0.05`, user: admin })
      assert.equal((await get(`/debug/pprof/${name}?seconds=0.05`)).status, 500, 'one at a time')
      const { status, body } = await answer
      assert.equal(status, 200)
      const profile = Profile.decode(gunzipSync(Buffer.from(body)))
      const units = profile.sampleType.map(({ unit }) => profile.stringTable.strings[Number(unit)])
      assert.deepEqual(units, name === 'heap' ? ['count', 'bytes'] : ['count', 'nanoseconds'])
      for (const { locationId } of profile.sample)
        for (const id of locationId) assert.ok(Number(id) >= 1 && Number(id) <= profile.location.length)
    })

  it('end in time', async () => {
    for (const seconds of ['x', '0', '-1', '601'])
      assert.equal((await get(`/debug/pprof/profile?seconds=${seconds}`)).status, 400)
    assert.equal((await get('/debug/pprof/profile?seconds=60')).status, 400)
    assert.equal((await get('/debug/pprof/goroutine')).status, 404)
  })

  it('may be switched off', async () => {
    const without = createServer({ log, controllers: [], profiling: false })
    await without.start()
    for (const url of ['/debug/pprof/profile', '/debug/flags/v'])
      assert.equal((await without.inject({ url, user: admin })).status, 404, url)
    await without.stop()
  })
})

describe("the log's verbosity", () => {
  const put = async (body: string) => server.inject({ url: '/debug/flags/v', method: 'PUT', user: admin, body })

  it('changes by a PUT', async () => {
    const { status, body } = await put('5')
    assert.deepEqual([status, Buffer.from(body).toString()], [200, 'successfully set klog.logging.verbosity to 5\n'])
    assert.deepEqual(verbosities, [5])
    assert.equal((await put('x')).status, 400)
    assert.equal((await get('/debug/flags/v')).status, 406)
  })
})
