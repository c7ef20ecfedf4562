// Sends random requests to a server in this process, and reports those that broke something: an error in the log, an invalid
// answer, or a slow request.
//   npm run fuzz -- --count=100000 --seed=1 [--slow=1000]      --slow: milliseconds from which a request counts as slow

import { createServer } from '../../build/index.js'
import { builtinKinds } from '../../build/kinds/index.js'
import { random } from '../../build/testkit/random.js'
import { parseOptions } from '../shared/options.mjs'
import { requestMaker } from './requests.mjs'

const { values } = parseOptions({
  options: {
    count: { type: 'number', default: 20000 },
    seed: { type: 'number', default: 1 },
    slow: { type: 'number', default: 1000 }
  }
})
const [count, seed, slow] = [values.count, values.seed, values.slow].map(Number)
const admin = { name: 'fuzz', groups: ['system:masters', 'system:authenticated'] }
const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
const widgets = {
  metadata: { name: 'widgets.fuzz.io' },
  spec: {
    group: 'fuzz.io',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: ['v1', 'v2'].map(name => ({
      name,
      served: true,
      storage: name === 'v1',
      subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
      schema
    }))
  }
}

const problems = new Map()
let current
function report(what, more = '') {
  const known = problems.get(what)
  if (known) known.count++
  else problems.set(what, { count: 1, request: current, more })
}

const log = {
  info() {},
  warn() {},
  error: text =>
    report(
      String(text)
        .replace(/^\S* \S*: /, '')
        .split('\n')
        .slice(0, 4)
        .join('\n')
    )
}
const server = createServer({ log, runtimeConfig: { 'api/all': true } })
await server.start()
await server.inject({
  method: 'POST',
  url: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  user: admin,
  body: widgets
})

const kinds = builtinKinds.flatMap(({ group, resource, kind, namespaced, versions }) =>
  versions.map(({ name, type }) => {
    const apiVersion = group === '' ? name : `${group}/${name}`
    return [
      `/${group === '' ? 'api' : 'apis'}/${apiVersion}/${namespaced ? 'namespaces/default/' : ''}${resource}`,
      type,
      kind,
      apiVersion
    ]
  })
)
for (const version of ['v1', 'v2'])
  kinds.push([`/apis/fuzz.io/${version}/namespaces/default/widgets`, 'apps.v1.Deployment', 'Widget', `fuzz.io/${version}`])

const make = requestMaker(random(seed), kinds)
const statuses = new Map()
const started = performance.now()
/** Requests that wait, such as watches, continue beside the others. */
const waiting = new Set()
for (let i = 0; i < count; i++) {
  const request = make()
  current = { i, ...request, body: request.body?.toString().slice(0, 1500) }
  const begin = performance.now()
  const answered = server.inject({ ...request, user: admin }).then(
    ({ status, body }) => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 500)
        report(
          `500 ${body
            .toString()
            .slice(0, 1000)
            .replaceAll(/[\w-]*\d[\w-]*/g, 'N')
            .slice(0, 160)}`
        )
    },
    error => report(`rejected: ${error.stack}`)
  )
  waiting.add(answered)
  void answered.then(() => waiting.delete(answered))
  await Promise.race([answered, new Promise(resolve => setImmediate(resolve))])
  const took = performance.now() - begin
  if (took > slow) report(`took ${Math.round(took / 1000)} s: ${request.method} ${request.url.slice(0, 60)}`)
  while (waiting.size > 100) await Promise.race(waiting)
  if (i % 20_000 === 19_999)
    process.stderr.write(`${i + 1} requests, ${problems.size} problems, ${Math.round(process.memoryUsage().rss / 2 ** 20)} MB\n`)
}
await Promise.all(waiting)
await server.stop()
for (const [what, { count, request, more }] of problems)
  console.log(`\n${count} times: ${what}\n  ${JSON.stringify(request).slice(0, 2500)}\n${more}`)
const seconds = (performance.now() - started) / 1000
console.log(`\n${count} requests, seed ${seed}, in ${Math.round(seconds)} s`)
console.log(
  [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, n]) => `${status}: ${n}`)
    .join(', ')
)
process.exit([...problems.keys()].some(what => !what.startsWith('500 ')) ? 1 : 0)
