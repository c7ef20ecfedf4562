/**
 * Compares authorization: starts kube-apiserver and Binnacle with the same policies, configuration and webhooks, sends both the same
 * requests by various users, and prints where answers or the SubjectAccessReviews that the webhooks received differ.
 *
 *     node scripts/compare/authorization.mjs --apiserver PATH [--etcd PATH] [--only NAME]
 *
 * It compares what they say about invalid configurations, too. Build Binnacle first (npm run build).
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseOptions } from '../shared/options.mjs'
import { invalidConfigurations } from './authorization/invalid.mjs'
import { requests } from './authorization/requests.mjs'
import { scenarios } from './authorization/scenarios.mjs'
import { startBoth, startEtcd, whyNot } from './authorization/servers.mjs'
import { startStubs } from './authorization/stubs.mjs'

const { values } = parseOptions({
  options: { apiserver: { type: 'string' }, etcd: { type: 'string', default: 'etcd' }, only: { type: 'string' } }
})
const directory = mkdtempSync(join(tmpdir(), 'compare-authorization-'))
const etcd = await startEtcd(values.etcd, directory)
let differences = 0
let compared = 0
try {
  const stubs = await startStubs(directory)
  for (const scenario of scenarios(directory, stubs)) {
    if (values.only && scenario.name !== values.only) continue
    const both = await startBoth({ ...values, directory, etcd: etcd.url, scenario })
    try {
      for (const request of requests) {
        const [reference, target] = [await seen(both.reference, stubs, request), await seen(both.target, stubs, request)]
        compare(`${scenario.name}: ${JSON.stringify(request)}`, reference, target)
      }
    } finally {
      await both.stop()
    }
  }
  await stubs.close()
  if (!values.only || values.only === 'invalid')
    for (const { name, flags } of invalidConfigurations(directory, stubs)) {
      const [reference, target] = await Promise.all(
        ['reference', 'target'].map(which => whyNot(which, { ...values, directory, etcd: etcd.url, flags }))
      )
      compare(`invalid: ${name}`, reference, target)
    }
} finally {
  await etcd.stop()
  rmSync(directory, { recursive: true, force: true })
}
console.log(`${compared} compared, ${differences} different`)
process.exitCode = differences > 0 ? 1 : 0

async function seen(server, stubs, request) {
  stubs.take()
  const { status, headers, body } = await server.send(request)
  const text = body.toString()
  const isReview = request.path.includes('/authorization.k8s.io/')
  return {
    status,
    type: headers['content-type'],
    body: status < 300 && !isReview ? undefined : comparable(text),
    reviews: stubs.take()
  }
}

function comparable(text) {
  try {
    const { metadata, ...object } = JSON.parse(text)
    // kube-apiserver visits bindings in any order
    for (const rules of [object.status?.resourceRules, object.status?.nonResourceRules])
      rules?.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    return object
  } catch {
    return text.replace(/127\.0\.0\.1:\d+->127\.0\.0\.1:\d+/g, 'A->B').trimEnd()
  }
}

function compare(what, reference, target) {
  compared++
  const [a, b] = [reference, target].map(value => JSON.stringify(value))
  if (a === b) return
  differences++
  console.log(`${what}\n  kube-apiserver: ${a}\n  Binnacle:       ${b}`)
}
