/**
 * Measures how long other requests wait while the server handles bodies at the limit of 3 MiB. The shapes below once blocked it
 * for seconds or minutes. Machines differ and are busy, so a wait is compared with the wait for a body of the same size that is
 * one long text.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters'] }
const core = '/api/v1/namespaces/default'
const json = { 'content-type': 'application/json' }
const yaml = { 'content-type': 'application/yaml' }
const megabytes = 3_000_000
let server: BinnacleServer
/** Milliseconds that other requests wait for the simplest body. */
let unit: number

interface Request {
  /** 1 for requests that take seconds in total. */
  readonly runs?: number
  readonly url: string
  readonly body: string
  readonly headers?: Record<string, string>
}

before(async () => {
  server = createServer({ log: silentLogger })
  await server.start()
  await define()
  unit = Math.max(
    5,
    await waitDuring({ url: `${core}/configmaps`, body: meta(`"annotations":{"a":"${'x'.repeat(megabytes)}"}`) })
  )
})
after(() => server.stop())

async function define(): Promise<void> {
  const properties = { spec: { type: 'object', properties: { after: { type: 'string', format: 'duration' } } } }
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties } } }
  const body = {
    metadata: { name: 'waits.hostile.example.com' },
    spec: { group: 'hostile.example.com', scope: 'Cluster', names: { plural: 'waits', kind: 'Wait' }, versions: [version] }
  }
  await server.inject({ url: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', user, body })
  const url = '/apis/hostile.example.com/v1/waits'
  for (let tries = 0; tries < 500 && (await server.inject({ url, user })).status !== 200; tries++) await new Promise(setImmediate)
}

/**
 * On an idle machine the unit is 5 to 10 ms, and no shape takes more than 100. The tests beside this one may take the machine for a
 * while, so a request gets several chances; one that blocks the event loop uses none of them.
 */
async function assertShort(request: Request & { answers?: readonly number[]; runs?: number }): Promise<void> {
  let wait = 0
  for (let chance = 0; chance < 3; chance++) {
    wait = await waitDuring(request, request.answers, request.runs)
    if (wait < 40 * unit) return
  }
  assert.fail(`others wait ${wait.toFixed()} ms, ${(wait / unit).toFixed()} times as long as for one long text`)
}

/** The longest time between two turns of the event loop while a request is answered: the median of several runs. */
async function waitDuring(request: Request, allowed?: readonly number[], runs = 3): Promise<number> {
  const waits: number[] = []
  for (let run = 0; run < runs; run++) {
    let longest = 0
    let last = performance.now()
    let answered = false
    const turn = () => {
      const now = performance.now()
      longest = Math.max(longest, now - last)
      last = now
      if (!answered) setImmediate(turn)
    }
    const body = Buffer.from(request.body)
    setImmediate(turn)
    const { url, headers = json } = request
    const answer = await server.inject({ method: 'POST', url: `${url}?dryRun=All`, user, body, headers })
    await new Promise(setImmediate)
    answered = true
    await new Promise(setImmediate)
    if (allowed) assert.ok(allowed.includes(answer.status), `${answer.status} ${answer.body.subarray(0, 300)}`)
    waits.push(longest)
  }
  return waits.sort((a, b) => a - b)[Math.floor(runs / 2)]!
}

const meta = (fields: string, more = '') => `{"metadata":{"name":"a",${fields}}${more}}`
const list = (length: number, item: (i: number) => string, between = ',') =>
  Array.from({ length }, (_, i) => item(i)).join(between)
const uid = (i: number) => `00000000-0000-0000-0000-${String(i).padStart(12, '0')}`
const selector = (i: number) => ({
  cel: {
    expression: list(600, k => `device.driver=="${i}${k}"`, '||')
      .slice(0, 9800)
      .replace(/\|\|[^|]*$/, '')
  }
})

const pod = (container: object, volumes: object[] = []) =>
  JSON.stringify({ metadata: { name: 'a' }, spec: { containers: [container], volumes } })
const files = (length: number, path: (i: number) => string) => ({
  name: 'v',
  configMap: { name: 'm', items: Array.from({ length }, (_, i) => ({ key: `k${i}`, path: path(i) })) }
})

const shapes: Record<string, Request & { readonly answers: readonly number[] }> = {
  'YAML with 100,000 aliases': {
    url: `${core}/configmaps`,
    headers: yaml,
    body: `metadata: {name: a}\ndata:\n  a: &a x\n${list(100_000, i => `  k${i}: *a`, '\n')}`,
    answers: [400]
  },
  '28,000 owner references': {
    url: `${core}/configmaps`,
    body: meta(
      `"ownerReferences":[${list(28_000, i => `{"apiVersion":"v1","kind":"ConfigMap","name":"n${i}","uid":"${uid(i)}"}`)}]`
    ),
    answers: [413]
  },
  '15,000 owner references': {
    url: `${core}/configmaps`,
    body: meta(
      `"ownerReferences":[${list(15_000, i => `{"apiVersion":"v1","kind":"ConfigMap","name":"n${i}","uid":"${uid(i)}"}`)}]`
    ),
    answers: [201]
  },
  '95,000 labels': {
    url: `${core}/configmaps`,
    body: meta(`"labels":{${list(95_000, i => `"label-number-${i}":"v"`)}}`),
    answers: [413]
  },
  '51,000 labels': {
    url: `${core}/configmaps`,
    body: meta(`"labels":{${list(51_000, i => `"label-number-${i}":"v"`)}}`),
    answers: [201]
  },
  '40,000 variables of a container': {
    url: `${core}/pods`,
    body: `{"metadata":{"name":"a"},"spec":{"containers":[{"name":"c","image":"i","env":[${list(40_000, i => `{"name":"e${i}"}`)}]}]}}`,
    answers: [201]
  },
  '10,000 ports of a Service': {
    url: `${core}/services`,
    body: `{"metadata":{"name":"a"},"spec":{"type":"NodePort","ports":[${list(10_000, i => `{"name":"p${i}","port":${i + 1}}`)}]}}`,
    answers: [201]
  },
  '30,000 ports of a container that conflict': {
    url: `${core}/pods`,
    body: pod({ name: 'c', image: 'i', ports: Array.from({ length: 30_000 }, () => ({ containerPort: 1 })) }),
    answers: [201]
  },
  '20,000 ports of a container with host ports of their own': {
    url: `${core}/pods`,
    body: pod({
      name: 'c',
      image: 'i',
      ports: Array.from({ length: 20_000 }, (_, i) => ({ containerPort: 1, hostPort: i + 1 }))
    }),
    answers: [201]
  },
  '20,000 files of a volume': {
    url: `${core}/pods`,
    body: pod({ name: 'c', image: 'i' }, [files(20_000, i => `a/${i}`)]),
    answers: [201]
  },
  '20,000 files of a volume in one place': {
    url: `${core}/pods`,
    body: pod({ name: 'c', image: 'i' }, [files(20_000, () => 'a')]),
    answers: [201]
  },
  '50,000 texts of a Secret': {
    url: `${core}/secrets`,
    body: `{"metadata":{"name":"a"},"stringData":{${list(50_000, i => `"k${i}":"v"`)}}}`,
    answers: [201]
  },
  'a rule of 95 kB': {
    url: '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
    body: JSON.stringify({
      metadata: { name: 'a' },
      spec: {
        matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['*'] }] },
        validations: [
          {
            expression: list(6000, i => `object.a == ${i}`, '||')
              .slice(0, 95_000)
              .replace(/\|\|[^|]*$/, '')
          }
        ]
      }
    }),
    answers: [201]
  },
  '900,000 empty containers': {
    url: `${core}/pods`,
    body: `{"metadata":{"name":"a"},"spec":{"containers":[${list(900_000, () => '{}')}]}}`,
    answers: [413]
  },
  '50,000 unknown fields': {
    url: `${core}/configmaps`,
    body: `{"metadata":{"name":"a"},${list(50_000, i => `"unknown-field-with-a-long-name-${i}":"and a value"`)}}`,
    answers: [201]
  },
  'a duration of millions of digits': {
    url: '/apis/hostile.example.com/v1/waits',
    body: `{"apiVersion":"hostile.example.com/v1","kind":"Wait","metadata":{"name":"a"},"spec":{"after":"${'1'.repeat(megabytes - 200)}"}}`,
    answers: [422]
  },
  'ResourceClaims with 288 expressions': {
    url: '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims',
    runs: 1,
    body: JSON.stringify({
      metadata: { name: 'a' },
      spec: {
        devices: {
          requests: Array.from({ length: 9 }, (_, r) => ({
            name: `r${r}`,
            exactly: { deviceClassName: 'c', selectors: Array.from({ length: 32 }, (_, i) => selector(r * 32 + i)) }
          }))
        }
      }
    }),
    answers: [413]
  },
  '14,000 topology spread constraints': {
    url: `${core}/pods`,
    body: `{"metadata":{"name":"a"},"spec":{"containers":[{"name":"c","image":"i"}],"topologySpreadConstraints":[${list(14_000, i => `{"maxSkew":1,"topologyKey":"a.b/k${i}","whenUnsatisfiable":"DoNotSchedule"}`)}]}}`,
    answers: [201]
  },
  'a User-Agent of 900 kB': {
    url: `${core}/configmaps`,
    headers: { ...json, 'user-agent': 'x'.repeat(900_000) },
    body: '{"metadata":{"name":"a"}}',
    answers: [201]
  }
}

describe('no request waits long while others send the largest bodies', () => {
  for (const [name, request] of Object.entries(shapes))
    it(name, async () => {
      await assertShort(request)
    })

  it('patches that make an object larger again and again', async () => {
    const url = `${core}/serviceaccounts`
    await server.inject({ method: 'POST', url, user, body: { metadata: { name: 'large' } } })
    const patch = (prefix: string, from: number, to: number) =>
      server.inject({
        method: 'PATCH',
        url: `${url}/large`,
        user,
        headers: { 'content-type': 'application/strategic-merge-patch+json' },
        body: `{"metadata":{"finalizers":[${list(to - from, i => `"${prefix}.io/${'f'.repeat(40)}-${from + i}"`)}]}}`
      })
    assert.equal((await patch('a', 0, 30_000)).status, 200)
    const refused = await patch('b', 0, 30_000)
    assert.equal(refused.status, 413)
    assert.equal(refused.json().message, 'Request entity too large: limit is 3145728')
  })

  it('YAML with 20,000 items, which another thread parses', async () => {
    const items = list(20_000, i => `  - e.io/f${i}`, '\n')
    const body = `metadata:\n  name: a\n  finalizers:\n${items}`
    await assertShort({ url: `${core}/configmaps`, headers: yaml, body, answers: [201] })
  })
})
