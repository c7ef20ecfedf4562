import assert from 'node:assert/strict'
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, it } from 'node:test'
import { parse } from 'yaml'
import { connect } from '../client/connect/connect.js'
import { main } from '../testkit/command.js'

let directory: string
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-cli-'))
})
after(() => rm(directory, { recursive: true }))

interface Started {
  readonly child: ChildProcess
  readonly output: { stdout: string; stderr: string }
}

const startWith = (more: SpawnOptions, ...args: string[]): Started => {
  // A server that should refuse to start, but does not, must not block the tests forever.
  const options = { cwd: directory, timeout: 60_000, killSignal: 'SIGKILL', ...more } as const
  const child = spawn(process.execPath, [main, ...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) child[name]!.on('data', data => (output[name] += data))
  return { child, output }
}

const start = (...args: string[]): Started => startWith({}, ...args)

const run = async (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> => {
  const { child, output } = start(...args)
  const [code] = await once(child, 'close')
  return { code, ...output }
}

/** Starts a server and waits until it reports that it serves. */
const serve = async (...args: string[]) => {
  const { child, output } = start('serve', '--secure-port=0', ...args)
  const closed = once(child, 'close')
  while (!output.stdout.includes('kubectl get ns')) {
    await Promise.race([once(child.stdout!, 'data'), closed.then(() => assert.fail(`ended early: ${output.stderr}`))])
  }
  return {
    stdout: output.stdout,
    kubeconfig: /export KUBECONFIG=(.*)/.exec(output.stdout)![1]!,
    stderr: () => output.stderr,
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    /** Waits until the log has a text. */
    logged: async (text: string): Promise<void> => {
      while (!output.stderr.includes(text)) await once(child.stderr!, 'data')
    },
    /** Sends a signal and returns the exit code. */
    end: async (signal: NodeJS.Signals): Promise<number> => {
      child.kill(signal)
      return (await closed)[0]
    }
  }
}

const refuses = async (args: string[], line: RegExp): Promise<void> => {
  const { code, stdout, stderr } = await run(...args)
  assert.match(stderr, line)
  assert.equal(stderr.split('\n').length, 2, stderr)
  assert.deepEqual([code, stdout], [1, ''])
}

describe('binnacle', () => {
  it('shows its commands and versions', async () => {
    assert.match((await run('--help')).stdout, /^Binnacle is the Kubernetes API server[\s\S]*\n {2}serve {3}/)
    assert.match((await run('version')).stdout, /^binnacle \d+\.\d+\.\d+\S* \(Kubernetes 1\.\d+\.\d+\)\n$/)
    assert.match(JSON.parse((await run('version', '-o', 'json')).stdout).kubernetes, /^v1\./)
    assert.match((await run('serve', '--help')).stdout, /Secure serving flags:\n[\s\S]*--secure-port int/)
  })

  it('prints nothing else, on every version of Node', async () => {
    assert.equal((await run('version')).stderr, '')
  })

  it('reports mistakes in one line', async () => {
    await refuses(['srve'], /^binnacle: unknown command "srve"; did you mean serve\?\n$/)
    await refuses(['serve', '--secure-prot=1'], /^binnacle: unknown flag --secure-prot; did you mean --secure-port\?\n$/)
    await refuses(['kubeconfig', '--data-dir=none'], /^binnacle: none\/kubeconfig: no such file; has a server been started/)
    await refuses(
      ['serve', '--storage-backend=memory', '--secure-port=0', '--client-ca-file=none.crt'],
      /^binnacle: --client-ca-file .*none\.crt: no such file/
    )
  })

  it('refuses a port that is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    try {
      const { port } = taken.address() as AddressInfo
      await refuses(['serve', '--storage-backend=memory', `--secure-port=${port}`], /^binnacle: .*\bport \d+\b.*127\.0\.0\.1/)
    } finally {
      taken.close()
    }
  })
})

/** Kubeconfigs for others than the admin: the server knows them by these names. */
async function assertKubeconfigs(dataDir: string): Promise<void> {
  const whoAmI = async (...flags: string[]) => {
    const { stdout } = await run('kubeconfig', '--data-dir', dataDir, ...flags)
    const client = await connect({ kubeconfig: stdout })
    try {
      const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {} } as const
      const { username, groups } = (await client.of('authentication.k8s.io/v1', 'SelfSubjectReview').create(body)).status.userInfo
      return { username, groups }
    } finally {
      await client.close()
    }
  }
  assert.deepEqual(await whoAmI('--user=alice', '--group=devs', '--group=ops'), {
    username: 'alice',
    groups: ['devs', 'ops', 'system:authenticated']
  })
  const admin = await connect({ kubeconfig: join(dataDir, 'kubeconfig') })
  await admin.of('v1', 'ServiceAccount').create({ metadata: { name: 'builder', namespace: 'default' } })
  await admin.close()
  assert.equal((await whoAmI('--serviceaccount=default/builder')).username, 'system:serviceaccount:default:builder')
  const refused = (...flags: string[]) => ['kubeconfig', '--data-dir', dataDir, ...flags]
  await refuses(refused('--serviceaccount=default/nosuch'), /^binnacle: .*"nosuch" not found/)
  await refuses(refused('--serviceaccount=default'), /^binnacle: a ServiceAccount is named namespace\/name, not "default"/)
  await refuses(refused('--group=devs'), /^binnacle: --group needs --user/)
  await refuses(refused('--user=a', '--serviceaccount=b/c'), /^binnacle: --user and --serviceaccount exclude each other/)
}

describe('binnacle serve', () => {
  it('stores certificates and kubeconfig in the data folder, prints its path, and ends at SIGTERM', async () => {
    const dataDir = join(directory, 'data')
    const server = await serve(`--data-dir=${dataDir}`)
    try {
      const url = /https:\/\/127\.0\.0\.1:\d+/.exec(server.stdout)![0]
      assert.ok(server.stdout.includes(`Data: ${dataDir}\n`))
      assert.equal(server.kubeconfig, join(dataDir, 'kubeconfig'))
      assert.equal((await stat(server.kubeconfig)).mode & 0o777, 0o600)
      assert.equal((await stat(dataDir)).mode & 0o077, 0)
      const text = await readFile(server.kubeconfig, 'utf8')
      assert.equal(parse(text).clusters[0].cluster.server, url)
      assert.deepEqual(await run('kubeconfig', '--data-dir', dataDir), { code: 0, stdout: text, stderr: '' })
      assert.ok((await readdir(join(dataDir, 'pki'))).includes('ca.crt'))
      await assertKubeconfigs(dataDir)
      await refuses(['serve', '--secure-port=0', `--data-dir=${dataDir}`], /^binnacle: .*data/)
    } finally {
      assert.equal(await server.end('SIGTERM'), 0)
    }
  })

  it('logs requests as -v says, and reads its files again at SIGHUP', async () => {
    const server = await serve('--storage-backend=memory', '-v=3', '--logging-format=json')
    try {
      server.signal('SIGHUP')
      await server.logged('Read the configuration files and certificates again')
      const lines = server
        .stderr()
        .trim()
        .split('\n')
        .map(line => JSON.parse(line))
      assert.ok(lines.some(({ msg }) => msg.startsWith('Serving securely on 127.0.0.1:')))
      assert.ok(lines.some(({ msg }) => msg === 'FLAG: --logging-format="json"'))
    } finally {
      assert.equal(await server.end('SIGTERM'), 0)
    }
  })

  it('ends with the npm that started it, even if that is killed', async () => {
    const env = { ...process.env, npm_lifecycle_event: 'start' }
    const args = [main, 'serve', '--secure-port=0', '--storage-backend=memory']
    const code = `require('child_process').spawn(process.execPath, ${JSON.stringify(args)}, { stdio: 'inherit' }); setInterval(() => {}, 1000)`
    const npm = spawn(process.execPath, ['-e', code], { cwd: directory, env, stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    npm.stdout.on('data', data => (output += data))
    while (!output.includes('kubectl get ns')) await once(npm.stdout, 'data')
    // the server holds the other end of the pipe
    const ended = once(npm.stdout, 'end')
    npm.kill('SIGKILL')
    await ended
  })

  /** A server with a folder of its own for temporary files. */
  const startApart = async (): Promise<Started & { temporary: string }> => {
    const temporary = await mkdtemp(join(directory, 'tmp-'))
    const env = { ...process.env, TMPDIR: temporary }
    return { ...startWith({ env }, 'serve', '--secure-port=0', '--storage-backend=memory'), temporary }
  }
  const moments: { at: string; comes(server: Started & { temporary: string }): Promise<unknown> }[] = [
    {
      at: 'as soon as it serves',
      comes: async ({ child, output }) => {
        while (!output.stderr.includes('Serving securely')) await once(child.stderr!, 'data')
      }
    },
    {
      at: 'when the folder of its kubeconfig is made, and nothing is told',
      comes: async ({ temporary }) => {
        const watcher = watch(temporary)
        await once(watcher, 'change')
        watcher.close()
      }
    }
  ]
  for (const { at, comes } of moments)
    it(`stops at once when a signal comes ${at}`, { timeout: 60_000 }, async () => {
      const server = await startApart()
      const closed = once(server.child, 'close')
      await comes(server)
      server.child.kill('SIGTERM')
      assert.deepEqual(await closed, [0, null], server.output.stderr)
      assert.doesNotMatch(server.output.stderr, /Error/)
      assert.deepEqual(await readdir(server.temporary), [])
    })

  it('leaves nothing behind with the memory backend', async () => {
    const server = await serve('--storage-backend=memory')
    assert.match(server.stdout, /Data: in memory/)
    assert.ok((await stat(server.kubeconfig)).isFile())
    assert.equal(await server.end('SIGINT'), 0)
    await assert.rejects(stat(server.kubeconfig), { code: 'ENOENT' })
    assert.ok(!(await readdir(directory)).includes('.binnacle'))
  })

  it('writes the kubeconfig to the given path', async () => {
    const file = join(directory, 'out', 'admin.conf')
    const server = await serve('--storage-backend=memory', '--kubeconfig-out', file)
    assert.equal(server.kubeconfig, file)
    assert.equal(await server.end('SIGTERM'), 0)
    assert.ok((await stat(file)).isFile())
  })

  it('talks in lines of JSON with the program that started it, and ends with its input', async () => {
    const options = { cwd: directory, timeout: 20_000, killSignal: 'SIGKILL' } as const
    const flags = ['serve', '--stdio', '--test-api', '--storage-backend=memory', '--secure-port=0']
    const child = spawn(process.execPath, [main, ...flags], { ...options, stdio: ['pipe', 'pipe', 'ignore'] })
    const closed = once(child, 'close')
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const next = async () => JSON.parse((await lines.next()).value)
    const ask = async (id: number, method: string, path: string, body?: object) => {
      child.stdin.write(`${JSON.stringify({ id, method, path, body })}\n`)
      const answer = await next()
      assert.equal(answer.id, id)
      return answer
    }
    const { url, kubeconfig, pid } = await next()
    assert.equal(pid, child.pid)
    assert.equal(parse(kubeconfig).clusters[0].cluster.server, url)
    const { status, body } = await ask(1, 'PUT', '/testing/v1/servers/one')
    assert.deepEqual([status, body.url], [201, `${url}/servers/one`])
    await ask(2, 'PUT', '/servers/one/testing/v1/snapshots/empty')
    await ask(3, 'POST', '/servers/one/api/v1/namespaces', { metadata: { name: 'a' } })
    assert.equal((await ask(4, 'POST', '/servers/one/testing/v1/snapshots/empty/restore')).status, 200)
    assert.equal((await ask(5, 'GET', '/servers/one/api/v1/namespaces/a')).body.reason, 'NotFound')
    // as a terminal sends it to everything that runs in it
    child.kill('SIGINT')
    // the signal has arrived by the time of the second answer
    for (const id of [6, 7, 8]) assert.equal((await ask(id, 'GET', '/readyz')).body, 'ok')
    child.stdin.end()
    assert.deepEqual(await closed, [0, null])
    assert.deepEqual(await lines.next(), { done: true, value: undefined })
  })

  it('refuses to write two things to stdout', () =>
    refuses(
      ['serve', '--stdio', '--storage-backend=memory', '--secure-port=0', '--audit-log-path=-'],
      /^binnacle: --stdio and --audit-log-path=- would both write to stdout\n$/
    ))
})
