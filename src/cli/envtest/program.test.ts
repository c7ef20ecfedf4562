/** The programs as envtest uses them: started with its flags by a process that may be killed at any time. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get as getHttp } from 'node:http'
import { get as getHttps } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createServer as createBinnacle } from '../../index.js'
import { main } from '../../testkit/command.js'
import { eventually } from '../../testkit/eventually.js'
import { silentLogger } from '../../util/logger.js'

const skip = process.platform === 'win32' && 'the scripts of this test are for a POSIX shell'
let directory: string
let folder: string
const children = new Set<ChildProcess>()

before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'binnacle-envtest-'))
  const { stdout } = await run(process.execPath, [main, 'envtest', directory])
  folder = stdout.trimEnd()
})
after(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(directory, { recursive: true })
})

function start(command: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  children.add(child)
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', data => (output[name] += data))
  return { child, output }
}

async function run(command: string, args: string[]) {
  const { child, output } = start(command, args)
  const [code] = await once(child, 'close')
  return { code, ...output }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

interface Answer {
  readonly status: number
  readonly body: string
}

function ask(url: string): Promise<Answer | undefined> {
  return new Promise(resolve => {
    const get = url.startsWith('https') ? getHttps : getHttp
    const request = get(
      url,
      { rejectUnauthorized: false, headers: url.includes('/api/') ? { authorization: 'Bearer admin' } : {} },
      response => {
        let body = ''
        response.on('data', data => (body += data))
        response.on('end', () => resolve({ status: response.statusCode!, body }))
      }
    )
    request.on('error', () => resolve(undefined))
  })
}

const until = (url: string, holds?: (answer: Answer) => boolean) =>
  eventually(
    `${url} ${holds ? 'answers as wanted' : 'answers no more'}`,
    () => ask(url),
    answer => (holds ? answer && holds(answer) : !answer)
  )

const isOk = ({ status }: Answer) => status === 200
const flags = (port: number) => [
  '--bind-address=127.0.0.1',
  `--secure-port=${port}`,
  '--etcd-servers=http://127.0.0.1:1',
  '--allow-privileged=true',
  '--disable-admission-plugins=ServiceAccount'
]

describe('binnacle envtest', { skip, timeout: 120_000 }, () => {
  it('prints the folder, and nothing else', async () => {
    const { code, stdout, stderr } = await run(process.execPath, [main, 'envtest', directory])
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /^\/.*\/k8s\/1\.\d+\.\d+-\w+-\w+\n$/)
  })

  it('has an etcd that is healthy and says what it is', async () => {
    const port = await freePort()
    const { child } = start(join(folder, 'etcd'), ['--data-dir=nowhere', `--listen-client-urls=http://127.0.0.1:${port}`])
    await until(`http://127.0.0.1:${port}/health`, ({ body }) => body === '{"health":"true"}')
    assert.match((await ask(`http://127.0.0.1:${port}/v3/kv/range`))!.body, /binnacle envtest has no etcd/)
    child.kill('SIGTERM')
    await once(child, 'close')
  })

  it('has a kube-apiserver without controllers, unless the environment asks for some', async () => {
    const tokens = join(directory, 'tokens.csv')
    writeFileSync(tokens, 'admin,admin,1,"system:masters"\n')
    const created = async (env: NodeJS.ProcessEnv) => {
      const port = await freePort()
      const { child } = start(join(folder, 'kube-apiserver'), [...flags(port), `--token-auth-file=${tokens}`], env)
      await until(`https://127.0.0.1:${port}/readyz`, isOk)
      const url = `https://127.0.0.1:${port}/api/v1/namespaces/default/serviceaccounts`
      return { child, url }
    }
    const without = await created({})
    const withAll = await created({ BINNACLE_ENVTEST_CONTROLLERS: '*' })
    await until(withAll.url, ({ body }) => JSON.parse(body).items.length === 1)
    assert.equal(JSON.parse((await ask(without.url))!.body).items.length, 0)
    for (const { child } of [without, withAll]) child.kill('SIGTERM')
    await Promise.all([without, withAll].map(({ child }) => once(child, 'close')))
  })

  it('has a simulated cluster, where the environment asks for one', async () => {
    const tokens = join(directory, 'tokens.csv')
    writeFileSync(tokens, 'admin,admin,1,"system:masters"\n')
    const port = await freePort()
    const env = { BINNACLE_ENVTEST_SIMULATE: 'true' }
    const { child } = start(join(folder, 'kube-apiserver'), [...flags(port), `--token-auth-file=${tokens}`], env)
    await until(`https://127.0.0.1:${port}/api/v1/nodes`, ({ body }) => JSON.parse(body).items?.length === 3)
    child.kill('SIGTERM')
    await once(child, 'close')
  })

  it('starts from a snapshot that the environment names, with the certificates of the test', async () => {
    const seeded = createBinnacle({ listen: false, log: silentLogger })
    await seeded.start()
    await seeded
      .client()
      .of('v1', 'ConfigMap')
      .create({ metadata: { name: 'seeded' } })
    const snapshot = await seeded.snapshot()
    await snapshot.save(join(directory, 'seeded'))
    await seeded.stop()
    const tokens = join(directory, 'tokens.csv')
    writeFileSync(tokens, 'admin,admin,1,"system:masters"\n')
    const port = await freePort()
    const env = { BINNACLE_ENVTEST_SNAPSHOT: join(directory, 'seeded') }
    const { child } = start(join(folder, 'kube-apiserver'), [...flags(port), `--token-auth-file=${tokens}`], env)
    await until(`https://127.0.0.1:${port}/api/v1/namespaces/default/configmaps/seeded`, isOk)
    child.kill('SIGTERM')
    await once(child, 'close')
  })

  it('ends with the process that started it', async () => {
    const [etcd, server] = [await freePort(), await freePort()]
    const script = `const { spawn } = require('node:child_process')
      spawn(${JSON.stringify(join(folder, 'etcd'))}, ['--listen-client-urls=http://127.0.0.1:${etcd}'], { stdio: 'ignore', detached: true })
      spawn(${JSON.stringify(join(folder, 'kube-apiserver'))}, ${JSON.stringify(flags(server))}, { stdio: 'ignore', detached: true })
      setInterval(() => {}, 1000)`
    const { child } = start(process.execPath, ['-e', script])
    const urls = [`http://127.0.0.1:${etcd}/health`, `https://127.0.0.1:${server}/readyz`]
    for (const url of urls) await until(url, isOk)
    child.kill('SIGKILL')
    for (const url of urls) await until(url)
  })

  it("prints to the test's output why it does not start", async () => {
    const asEnvtestDoes = (stdio: string) => `const { spawnSync } = require('node:child_process')
      spawnSync(${JSON.stringify(join(folder, 'kube-apiserver'))}, ['--audit-log-pth=x'], { stdio: ['ignore', 'ignore', ${stdio}] })`
    const line = 'kube-apiserver: unknown flag --audit-log-pth; did you mean --audit-log-path?\n'
    assert.equal((await run(process.execPath, ['-e', asEnvtestDoes("'inherit'")])).stderr, line)
    // a pipe of Node is a socket, which no other process can open; a file stands for the pipe of "go test"
    if (process.platform !== 'linux') return
    const file = join(directory, 'output')
    const descriptor = openSync(file, 'w')
    await once(spawn(process.execPath, ['-e', asEnvtestDoes("'ignore'")], { stdio: ['ignore', 'ignore', descriptor] }), 'close')
    closeSync(descriptor)
    assert.equal(readFileSync(file, 'utf8'), line)
  })
})
