/**
 * Measures what it costs to know who sends a request, whether they may, and to write it down: many bindings, authorization webhooks whose
 * decisions are remembered, tokens of several issuers, an audit log.
 *
 *     node scripts/bench/access.mjs [--bindings 10000] [--webhooks 3] [--issuers 5] [--requests 20000]
 *
 * It sends GETs of one ConfigMap into the chain, without sockets, as a user whom the last authorizer allows, and prints microseconds of CPU a
 * request. Build first (npm run build).
 */
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, SignJWT } from 'jose'
import { createServer } from '../../build/server/server.js'
import { startHttps, startWebhook } from '../../build/testkit/webhook-server.js'
import { parseOptions } from '../shared/options.mjs'

const { values } = parseOptions({
  options: {
    bindings: { type: 'string', default: '10000' },
    webhooks: { type: 'string', default: '3' },
    issuers: { type: 'string', default: '5' },
    requests: { type: 'string', default: '20000' }
  }
})
const [bindings, webhooks, issuers, requests] = [values.bindings, values.webhooks, values.issuers, values.requests].map(Number)
const directory = mkdtempSync(join(tmpdir(), 'bench-access-'))
const admin = { name: 'admin', groups: ['system:masters'] }
const groups = ['system:authenticated', ...Array.from({ length: 10 }, (_, i) => `team-${i}`)]
const user = { name: 'alice', uid: 'a', groups, extra: { session: ['0123456789'] } }
const url = '/api/v1/namespaces/default/configmaps/one'
const rbac = { type: 'RBAC', name: 'rbac' }
const remote = await startWebhook(({ apiVersion, kind }) => ({ apiVersion, kind, status: { allowed: false } }))
const kubeConfigFile = join(directory, 'kubeconfig')
writeFileSync(
  kubeConfigFile,
  JSON.stringify({
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'c' } }],
    clusters: [{ name: 'c', cluster: { server: remote.url, 'certificate-authority-data': remote.caBundle } }]
  })
)

const webhook = matchConditions => (_, i) => ({
  type: 'Webhook',
  name: `w${i}`,
  webhook: {
    timeout: '3s',
    subjectAccessReviewVersion: 'v1',
    matchConditionSubjectAccessReviewVersion: 'v1',
    failurePolicy: 'NoOpinion',
    unauthorizedTTL: '1h',
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile },
    matchConditions
  }
})
const conditions = [{ expression: 'has(request.resourceAttributes)' }, { expression: "!('system:nodes' in request.groups)" }]
const list = (length, matchConditions) => Array.from({ length }, webhook(matchConditions))

function configured(...authorizers) {
  const path = join(directory, `config-${Math.random()}`)
  writeFileSync(
    path,
    JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthorizationConfiguration', authorizers })
  )
  return { authorizationConfig: path }
}

const file = (name, content) => {
  const path = join(directory, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256', use: 'sig' }
const identity = await startHttps((request, response) => {
  const issuer = `${identity.url}/${request.url.split('/')[1]}`
  const answer = request.url.endsWith('/keys') ? { keys: [jwk] } : { issuer, jwks_uri: `${issuer}/keys` }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(answer))
})
const issuerURLs = Array.from({ length: issuers }, (_, i) => `${identity.url}/i${i}`)
const token = await new SignJWT({ groups })
  .setProtectedHeader({ alg: 'ES256', kid: 'k' })
  .setIssuer(issuerURLs.at(-1))
  .setSubject('alice')
  .setAudience('binnacle')
  .setExpirationTime('2h')
  .sign(privateKey)
const authenticationConfig = file('authentication', {
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'AuthenticationConfiguration',
  jwt: issuerURLs.map(issuer => ({
    issuer: { url: issuer, audiences: ['binnacle'], certificateAuthority: identity.ca },
    claimMappings: { username: { expression: 'claims.sub' }, groups: { expression: 'claims.groups' } },
    userValidationRules: [{ expression: "!user.username.startsWith('system:')", message: 'no' }]
  }))
})
const audited = {
  auditPolicyFile: file('policy', {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [{ level: 'Metadata' }]
  }),
  auditLogPath: join(directory, 'audit.log')
}

/** `sender` has what `inject` needs to know about the sender. */
async function measure(name, options, count = 0, sender = { user }) {
  const server = createServer({ log: { error: console.error, warn() {}, info() {} }, controllers: [], ...options })
  await server.start()
  try {
    const send = (path, body) => server.inject({ url: path, user: admin, body })
    await send('/api/v1/namespaces/default/configmaps', { metadata: { name: 'one' }, data: { a: 'b' } })
    const role = { metadata: { name: 'reader' }, rules: [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'] }] }
    await send('/apis/rbac.authorization.k8s.io/v1/clusterroles', role)
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reader' }
    const bind = (name, subject) =>
      send('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
        metadata: { name },
        roleRef,
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: subject }]
      })
    for (let i = 0; i < count; i++) await bind(`b${i}`, `user-${i}`)
    await bind('alice', 'alice')
    const run = async n => {
      for (let i = 0; i < n; i++) {
        const { status } = await server.inject({ url, ...sender })
        if (status !== 200) throw new Error(`status ${status}`)
      }
    }
    while (sender.headers && (await server.inject({ url, ...sender })).status === 401) await new Promise(setImmediate)
    await run(requests / 4)
    const rounds = []
    for (let i = 0; i < 5; i++) {
      const began = process.cpuUsage()
      await run(requests / 5)
      const { user: used, system } = process.cpuUsage(began)
      rounds.push((used + system) / (requests / 5))
    }
    console.log(`${name.padEnd(64)} ${Math.min(...rounds).toFixed(1)} µs of CPU a request`)
  } finally {
    await server.stop()
  }
}

await measure('AlwaysAllow', { authorizationMode: ['AlwaysAllow'] })
await measure('Node, RBAC', {})
await measure(`Node, RBAC, ${bindings} bindings`, {}, bindings)
await measure(`${webhooks} webhooks, RBAC`, configured(...list(webhooks, []), rbac))
await measure(`${webhooks} webhooks, RBAC, ${bindings} bindings`, configured(...list(webhooks, []), rbac), bindings)
await measure(
  `${webhooks} webhooks with 2 conditions, RBAC, ${bindings} bindings`,
  configured(...list(webhooks, conditions), rbac),
  bindings
)
const bearer = { headers: { authorization: `Bearer ${token}` } }
await measure(`a token of one of ${issuers} issuers`, { authenticationConfig }, 0, bearer)
await measure('audit at Metadata, blocking', audited)
await measure('audit at Metadata, batch', { ...audited, auditLogMode: 'batch' })
await measure(
  `all of these together`,
  { ...configured(...list(webhooks, []), rbac), authenticationConfig, ...audited },
  bindings,
  bearer
)
await identity.close()
await remote.close()
rmSync(directory, { recursive: true })
