// Uses what the installed package loads on demand: run by scripts/release/package.mjs.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { createServer } from 'binnacle'

const { cache } = createRequire(import.meta.url)
const loaded = () =>
  Object.keys(cache)
    .flatMap(file => /packages[\\/](.*)\.cjs$/.exec(file)?.[1] ?? [])
    .sort()

const server = createServer({ listen: false, loggingFormat: 'json', processMetrics: true })
await server.start()
assert.deepEqual(loaded(), ['pino', 'sorted-btree', 'yaml'])

const user = { name: 'me', groups: ['system:masters'] }
// a thread of its own reads the long one
for (const length of [1, 20_000]) {
  const { status } = await server.inject({
    method: 'POST',
    url: '/api/v1/namespaces/default/configmaps',
    headers: { 'content-type': 'application/yaml' },
    body: `kind: ConfigMap\napiVersion: v1\nmetadata: { name: of-${length} }\ndata: { key: ${'a'.repeat(length)} }\n`,
    user
  })
  assert.equal(status, 201)
}
const metrics = await server.inject({ url: '/metrics', user })
assert.match(Buffer.from(metrics.body).toString(), /^nodejs_version_info/m)
const { status } = await server.inject({ url: '/debug/pprof/heap', user })
assert.equal(status, 200)
assert.deepEqual(loaded(), ['pino', 'pprof-format', 'prom-client', 'sorted-btree', 'yaml'])
await server.stop()
