/** Runs the original kube-controller-manager against the server, instead of the built-in controllers. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../eventually.js'
import { type ServerProcess, startServerProcess } from './server-process.js'

const version = spawnSync('kube-controller-manager', ['--version'])
const missing = version.status === 0 ? false : 'there is no kube-controller-manager on this machine'
const ours = [
  'garbage-collector',
  'namespace',
  'resourcequota',
  'serviceaccount',
  'serviceaccount-token',
  'validatingadmissionpolicy-status'
]
const patienceMs = 60_000

const labels = (app: string) => ({ selector: { matchLabels: { app } }, template: template(app, {}) })
const template = (app: string, spec: object) => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec }
})
const job = { completions: 2, parallelism: 2, template: { spec: template('job', { restartPolicy: 'Never' }).spec } }

describe('the real kube-controller-manager', { skip: missing, timeout: 5 * patienceMs }, () => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-controller-manager-'))
  let server: ServerProcess
  let manager: ChildProcess
  let log = ''

  before(async () => {
    const off = ours.map(name => `-${name}-controller`).join(',')
    server = await startServerProcess(directory, [`--controllers=*,${off}`, '--authorization-mode=AlwaysAllow'])
    const flags = [
      `--kubeconfig=${directory}/kubeconfig`,
      `--service-account-private-key-file=${directory}/pki/sa.key`,
      `--root-ca-file=${directory}/pki/ca.crt`,
      '--use-service-account-credentials',
      '--leader-elect=false',
      '--secure-port=0'
    ]
    manager = spawn('kube-controller-manager', flags, { stdio: ['ignore', 'ignore', 'pipe'] })
    manager.stderr!.on('data', data => {
      log += data
    })
    await create('/api/v1/namespaces', { metadata: { name: 'work' } })
    await create('/api/v1/nodes', { metadata: { name: 'n' } })
  })
  after(async () => {
    if (manager && manager.exitCode === null) {
      const ended = new Promise(resolve => manager.once('exit', resolve))
      manager.kill('SIGTERM')
      await ended
    }
    await server?.kill('SIGTERM')
    rmSync(directory, { recursive: true })
  })

  const create = async (path: string, body: unknown) => {
    const answer = await server.request('POST', path, body)
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
  }
  const core = '/api/v1/namespaces/work'
  const of = (group: string) => `/apis/${group}/v1/namespaces/work`

  /** Repeats a request until the answer is as wanted, because controllers are asynchronous. */
  const until = async (path: string, wanted: (body: any, status: number) => boolean): Promise<any> => {
    const isWanted = ({ status, body }: { status: number; body: any }) => wanted(body, status)
    return (await eventually(`${path} is as wanted`, () => server.request('GET', path), isWanted, patienceMs)).body
  }
  const pods = (app: string, count: number) =>
    until(`${core}/pods?labelSelector=app%3D${app}`, body => body.items?.length === count)

  test('creates the Pods of deployments, sets, jobs and replication controllers', async () => {
    await create(`${of('apps')}/deployments`, { metadata: { name: 'd' }, spec: { replicas: 2, ...labels('d') } })
    await create(`${of('apps')}/statefulsets`, { metadata: { name: 's' }, spec: { serviceName: 's', ...labels('s') } })
    await create(`${of('apps')}/daemonsets`, { metadata: { name: 'ds' }, spec: labels('ds') })
    await create(`${of('batch')}/jobs`, { metadata: { name: 'j' }, spec: job })
    await create(`${of('batch')}/cronjobs`, {
      metadata: { name: 'c' },
      spec: { schedule: '0 0 1 1 *', jobTemplate: { spec: job } }
    })
    await create(`${core}/replicationcontrollers`, {
      metadata: { name: 'rc' },
      spec: { selector: { app: 'rc' }, template: template('rc', {}) }
    })
    for (const [app, count] of Object.entries({ d: 2, s: 1, ds: 1, rc: 1 })) await pods(app, count)
    await until(`${core}/pods?labelSelector=job-name%3Dj`, body => body.items.length === 2)
    await until(`${of('apps')}/deployments/d`, ({ metadata, status }) => status.observedGeneration === metadata.generation)
    await until(`${of('apps')}/replicasets`, body => body.items.length === 1)
  })

  test('gives namespaces their service account, and fills token Secrets with valid tokens', async () => {
    await until(`${core}/serviceaccounts/default`, (_, status) => status === 200)
    await create(`${core}/secrets`, {
      metadata: { name: 't', annotations: { 'kubernetes.io/service-account.name': 'default' } },
      type: 'kubernetes.io/service-account-token'
    })
    const { data } = await until(`${core}/secrets/t`, body => body.data?.token !== undefined)
    const token = Buffer.from(data.token, 'base64').toString()
    const review = await server.request('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token } })
    assert.equal(review.body.status.user?.username, 'system:serviceaccount:work:default')
  })

  test('counts quotas, and finds the Pods that a Service selects', async () => {
    await create(`${core}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard: { pods: '20' } } })
    await until(`${core}/resourcequotas/q`, body => Number(body.status?.used?.pods ?? 0) >= 7)
    await create(`${core}/services`, { metadata: { name: 'web' }, spec: { selector: { app: 'd' }, ports: [{ port: 80 }] } })
    const label = 'labelSelector=kubernetes.io%2Fservice-name%3Dweb'
    await until(`${of('discovery.k8s.io')}/endpointslices?${label}`, body => body.items?.length === 1)
  })

  test('collects the dependents of a deleted deployment, and removes namespaces', async () => {
    await server.request('DELETE', `${of('apps')}/deployments/d`)
    await pods('d', 0)
    await until(`${of('apps')}/replicasets`, body => body.items.length === 0)
    await server.request('DELETE', '/api/v1/namespaces/work')
    await until('/api/v1/namespaces/work', (_, status) => status === 404)
  })

  test('logs no error that would not occur with kube-apiserver', () => {
    // these concern the manager's own caches and files, and requests to terminating namespaces
    const usual = /read version: |manifest file is empty|being terminated|object has been modified|not found/
    const errors = log.split('\n').filter(line => /^E\d{4} /.test(line) && !usual.test(line))
    assert.deepEqual(errors, [])
  })
})
