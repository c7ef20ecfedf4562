/**
 * Compares aggregation: starts kube-apiserver and Binnacle, each with a sample-apiserver of its own behind an APIService, sends both the
 * same requests, and prints where the answers differ.
 *
 *     git clone https://github.com/kubernetes/sample-apiserver --branch v0.36.2 && (cd sample-apiserver && go build -o /tmp/sample-apiserver .)
 *     node scripts/compare/aggregation.mjs --apiserver PATH --sample /tmp/sample-apiserver [--etcd PATH] [--address IP] [--binnacle PATH]
 *
 * `--address`: an address of this machine that EndpointSlices may have, so not 127.0.0.1. Build Binnacle first (npm run build).
 */
import { execFileSync, spawn } from 'node:child_process'
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseOptions } from '../shared/options.mjs'
import { comparable } from './answer.mjs'
import { differences } from './differences.mjs'
import { Server } from './server.mjs'

const ownAddress = Object.values(networkInterfaces())
  .flat()
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address
const { values } = parseOptions({
  options: {
    apiserver: { type: 'string' },
    sample: { type: 'string' },
    etcd: { type: 'string', default: 'etcd' },
    address: { type: 'string', default: ownAddress },
    binnacle: { type: 'string', default: fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url)) },
    keep: { type: 'boolean', default: false }
  }
})

const directory = mkdtempSync(join(tmpdir(), 'compare-aggregation-'))
const running = []
const pause = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds))

function start(name, command, args) {
  const log = createWriteStream(join(directory, `${name}.log`))
  const child = spawn(command, args)
  child.stdout.pipe(log)
  child.stderr.pipe(log)
  running.push(child)
}

const freePort = () =>
  new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

async function until(what, isDone) {
  for (let i = 0; i < 300; i++) {
    if (await isDone().catch(() => false)) return
    await pause(200)
  }
  throw new Error(`${what}: not there in time; see ${directory}`)
}

function makeFiles() {
  const openssl = (...args) => execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' })
  openssl('genrsa', '-out', 'sa.key', '2048')
  openssl(
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'front.key', '-out', 'front.crt'],
    ...['-subj', '/CN=front-proxy-ca', '-days', '2']
  )
  openssl(
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'client.key',
    '-out',
    'client.csr',
    '-subj',
    '/CN=front-proxy-client'
  )
  writeFileSync(join(directory, 'ext'), 'extendedKeyUsage=clientAuth\n')
  openssl(
    ...['x509', '-req', '-in', 'client.csr', '-CA', 'front.crt', '-CAkey', 'front.key', '-CAcreateserial'],
    ...['-extfile', 'ext', '-days', '2', '-out', 'client.crt']
  )
  writeFileSync(join(directory, 'tokens.csv'), 'admin-token,admin,admin-uid,"system:masters"\nuser-token,user,user-uid,"some"\n')
}

const serverFlags = port => [
  `--secure-port=${port}`,
  `--token-auth-file=${directory}/tokens.csv`,
  '--authorization-mode=RBAC',
  '--service-cluster-ip-range=10.0.0.0/24',
  '--enable-aggregator-routing=true',
  `--proxy-client-cert-file=${directory}/client.crt`,
  `--proxy-client-key-file=${directory}/client.key`,
  `--requestheader-client-ca-file=${directory}/front.crt`,
  '--requestheader-allowed-names=front-proxy-client',
  '--requestheader-username-headers=X-Remote-User',
  '--requestheader-uid-headers=X-Remote-Uid',
  '--requestheader-group-headers=X-Remote-Group',
  '--requestheader-extra-headers-prefix=X-Remote-Extra-'
]

async function startOne(name, etcd, startServer) {
  const [port, samplePort] = [await freePort(), await freePort()]
  startServer(port)
  const admin = new Server(`https://127.0.0.1:${port}`, 'admin-token')
  await until(name, async () => (await admin.send({ path: '/readyz' })).status === 200)
  const kubeconfig = join(directory, `${name}.kubeconfig`)
  const config = {
    kind: 'Config',
    apiVersion: 'v1',
    clusters: [{ name: 'c', cluster: { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'u', user: { token: 'admin-token' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x'
  }
  writeFileSync(kubeconfig, JSON.stringify(config))
  start(`${name}-sample`, values.sample, [
    `--secure-port=${samplePort}`,
    `--etcd-servers=${etcd}`,
    `--etcd-prefix=/${name}-sample`,
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    `--cert-dir=${directory}/${name}-sample`
  ])
  await prepare(admin, samplePort)
  const user = new Server(`https://127.0.0.1:${port}`, 'user-token')
  return { name, admin, user, samplePort, send: request => (request.as === 'user' ? user : admin).send(request) }
}

const services = '/apis/apiregistration.k8s.io/v1/apiservices'
const wardle = '/apis/wardle.example.com/v1alpha1'

const apiService = (group, version, name, port = 443) => ({
  kind: 'APIService',
  apiVersion: 'apiregistration.k8s.io/v1',
  metadata: { name: `${version}.${group}` },
  spec: {
    group,
    version,
    insecureSkipTLSVerify: true,
    groupPriorityMinimum: 1500,
    versionPriority: 15,
    service: { namespace: 'wardle', name, port }
  }
})

async function prepare(admin, samplePort) {
  const create = async (path, body) => {
    const { status, body: text } = await admin.send({ path, body })
    if (status !== 201) throw new Error(`${path}: ${status} ${text}`)
  }
  await create('/api/v1/namespaces', { metadata: { name: 'wardle' } })
  const service = name => ({ metadata: { name }, spec: { ports: [{ port: 443, targetPort: 443 }] } })
  const slice = (name, endpoints, port) => ({
    metadata: { name, labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    endpoints,
    ports: [{ name: '', port }]
  })
  for (const name of ['api', 'bare', 'empty', 'refusing']) await create('/api/v1/namespaces/wardle/services', service(name))
  const slices = '/apis/discovery.k8s.io/v1/namespaces/wardle/endpointslices'
  await create(slices, slice('api', [{ addresses: [values.address] }], samplePort))
  await create(slices, slice('empty', [{ addresses: [values.address], conditions: { ready: false } }], samplePort))
  await create(slices, slice('refusing', [{ addresses: [values.address] }], 1))
  await create(services, apiService('wardle.example.com', 'v1alpha1', 'api'))
  await create(services, apiService('wardle.example.com', 'v1beta1', 'api'))
  await create(services, apiService('bare.example.com', 'v1', 'bare'))
  await create(services, apiService('empty.example.com', 'v1', 'empty'))
  await create(services, apiService('refusing.example.com', 'v1', 'refusing'))
  await create(services, apiService('missing.example.com', 'v1', 'missing'))
  await create(services, apiService('port.example.com', 'v1', 'api', 444))
  const read = async name => JSON.parse((await admin.send({ path: `${services}/${name}` })).body).status.conditions?.[0]
  await until('the sample-apiserver', async () => (await read('v1alpha1.wardle.example.com')).status === 'True')
  await until('the other', async () => (await read('v1.refusing.example.com')).reason === 'FailedDiscoveryCheck')
  // discovery and OpenAPI follow later
  await until('OpenAPI', async () =>
    String((await admin.send({ path: '/openapi/v2' })).body).includes('/v1beta1/namespaces/{namespace}/flunders')
  )
  await pause(3000)
}

const aggregated = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' }
const flunder = name => ({ kind: 'Flunder', apiVersion: 'wardle.example.com/v1alpha1', metadata: { name } })
const flundersPath = `${wardle}/namespaces/default/flunders`
const names = ['wardle', 'bare', 'empty', 'refusing', 'missing', 'port'].map(name => `${name}.example.com`)

const requests = [
  ...names.map(name => ({ path: `${services}/${name.startsWith('wardle') ? 'v1alpha1' : 'v1'}.${name}`, pick: o => o.status })),
  { path: '/apis' },
  { path: '/apis', headers: aggregated, pick: o => o.items.filter(item => item.metadata.name.endsWith('example.com')) },
  { path: '/apis/wardle.example.com' },
  { path: '/apis/wardle.example.com/' },
  { path: '/apis/wardle.example.com/v1' },
  { path: '/apis/wardle.example.com/v1/flunders' },
  { path: wardle },
  { path: `${wardle}/` },
  { path: '/apis/bare.example.com/v1' },
  { path: '/apis/bare.example.com/v1/things' },
  { path: '/apis/refusing.example.com/v1/things' },
  { path: '/', pick: o => o.paths.filter(path => path.includes('example.com')) },
  { path: '/openapi/v3', pick: o => Object.entries(o.paths).filter(([path]) => path.includes('example.com')) },
  { path: `/openapi/v3${wardle}`, pick: o => [Object.keys(o.paths), Object.keys(o.components.schemas)] },
  {
    path: '/openapi/v2',
    pick: o => [
      Object.entries(o.paths).filter(([path]) => path.includes('example.com')),
      Object.entries(o.definitions).filter(
        ([name]) => name.includes('wardle') || name.includes('_v2') || name.includes('DeleteOptions')
      )
    ]
  },
  { path: flundersPath },
  { path: flundersPath, body: flunder('a') },
  { path: flundersPath, body: flunder('a') },
  { path: flundersPath, body: flunder('B') },
  { path: `${flundersPath}/a` },
  { path: `${flundersPath}/a`, method: 'HEAD' },
  { path: `${flundersPath}/none` },
  { path: `${flundersPath}/a`, headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' } },
  { path: `${flundersPath}/a`, headers: { accept: 'application/yaml' } },
  {
    path: `${flundersPath}/a`,
    method: 'PATCH',
    body: { metadata: { labels: { a: 'b' } } },
    headers: { 'content-type': 'application/merge-patch+json' }
  },
  { path: `${flundersPath}?watch=true&resourceVersion=0&timeoutSeconds=1` },
  { path: `${flundersPath}?limit=x` },
  { path: `${flundersPath}/a%2Fb` },
  { path: `${flundersPath}/a%20b` },
  { path: `${wardle}/unknown` },
  { path: flundersPath, as: 'user' },
  { path: wardle, as: 'user' },
  { path: flundersPath, headers: { 'impersonate-user': 'other' } },
  { path: flundersPath, headers: { 'x-remote-user': 'other', 'x-remote-group': 'x' } },
  { path: `${flundersPath}/a`, method: 'DELETE' },
  { path: flundersPath, method: 'DELETE' }
]

/** Reduces an answer to what is compared. Headers are compared by name and number: a proxy must not send any twice. */
function seen({ status, headers, body }, { pick }, host) {
  const answer = comparable({ status, headers, body }, host, {})
  answer.headers = Object.keys(headers)
    .filter(name => !['date', 'content-length', 'connection', 'transfer-encoding', 'keep-alive'].includes(name))
    .sort()
    .join(' ')
  answer.audit = String(headers['audit-id']).split(',').length
  if (pick && status === 200)
    answer.text = comparable({ status, headers: {}, body: JSON.stringify(pick(JSON.parse(body))) }, host, {}).text
  return answer
}

let different = 0
try {
  makeFiles()
  const [client, peer] = [await freePort(), await freePort()]
  const etcd = `http://127.0.0.1:${client}`
  mkdirSync(join(directory, 'etcd'))
  start('etcd', values.etcd, [
    `--data-dir=${directory}/etcd`,
    `--listen-client-urls=${etcd}`,
    `--advertise-client-urls=${etcd}`,
    `--listen-peer-urls=http://127.0.0.1:${peer}`
  ])
  const both = await Promise.all([
    startOne('reference', etcd, port =>
      start('reference', values.apiserver, [
        ...serverFlags(port),
        `--cert-dir=${directory}/reference`,
        `--etcd-servers=${etcd}`,
        `--service-account-key-file=${directory}/sa.key`,
        `--service-account-signing-key-file=${directory}/sa.key`,
        '--service-account-issuer=https://kubernetes.default.svc',
        '--endpoint-reconciler-type=none'
      ])
    ),
    startOne('target', etcd, port =>
      start('target', process.execPath, [
        ...[values.binnacle, 'serve', ...serverFlags(port), '--storage-backend=memory', `--data-dir=${directory}/target`],
        '--controllers=token-cleaner-controller'
      ])
    )
  ])
  for (const request of requests) {
    const [reference, target] = await Promise.all(
      both.map(async server => {
        const answer = seen(await server.send(request), request, server.admin.host)
        const port = new RegExp(`\\b${server.samplePort}\\b`, 'g')
        return { ...answer, text: answer.text.replace(port, '<port>') }
      })
    )
    const found = differences(reference, target, true)
    if (found.length === 0) continue
    different++
    console.log(`${request.method ?? (request.body ? 'POST' : 'GET')} ${request.path} ${JSON.stringify(request.headers ?? {})}`)
    for (const difference of found.slice(0, 8)) console.log('  ', JSON.stringify(difference).slice(0, 1500))
  }
} finally {
  for (const child of running.reverse()) child.kill()
  if (!values.keep) rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}
console.log(`${requests.length} compared, ${different} different`)
process.exit(different > 0 ? 1 : 0)
