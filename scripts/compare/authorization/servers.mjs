/** Starts etcd, kube-apiserver and Binnacle on ports of their own. */
import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Server } from '../server.mjs'

const binnacle = fileURLToPath(new URL('../../../build/cli/main.js', import.meta.url))

const freePort = () =>
  new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

function run(command, args) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', data => (output += data))
  const ended = new Promise(resolve => child.on('exit', resolve))
  return {
    output: () => output,
    ended,
    async stop() {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
      await ended
      clearTimeout(timer)
    }
  }
}

async function until(what, check, running) {
  for (let i = 0; i < 600; i++) {
    if (await check().catch(() => false)) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error(`${what} does not answer:\n${running.output().slice(-3000)}`)
}

export async function startEtcd(command, directory) {
  const [port, peer] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const peers = `http://127.0.0.1:${peer}`
  const running = run(command, [
    ...['--data-dir', join(directory, 'etcd'), '--listen-client-urls', url, '--advertise-client-urls', url],
    ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers, '--initial-cluster', `default=${peers}`]
  ])
  await until('etcd', () => fetch(`${url}/health`).then(answer => answer.ok), running)
  return { url, stop: () => running.stop() }
}

let runs = 0

/** Returns the command line. With `shares`, both servers work on the etcd; otherwise Binnacle keeps its objects in memory. */
function commandLine(which, { apiserver, directory, etcd, flags, port, shares = false }) {
  const tokens = join(directory, 'tokens.csv')
  const key = join(directory, 'sa.key')
  if (!existsSync(key))
    writeFileSync(key, generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }))
  writeFileSync(
    tokens,
    [
      'admin-token,admin,admin-uid,system:masters',
      'alice-token,alice,alice-uid,"dev,ops"',
      'bob-token,bob,bob-uid',
      'eve-token,"e<v>e ""x""",,"dev"',
      'node-token,system:node:n1,n,system:nodes'
    ].join('\n')
  )
  const shared = [`--token-auth-file=${tokens}`, `--secure-port=${port}`, '--service-cluster-ip-range=10.0.0.0/24', ...flags]
  const folder = join(directory, `run-${runs++}`)
  mkdirSync(folder)
  if (which === 'target')
    return [
      process.execPath,
      [
        binnacle,
        'serve',
        ...(shares ? [`--etcd-servers=${etcd}`] : ['--storage-backend=memory']),
        `--data-dir=${folder}`,
        '--controllers=token-cleaner-controller',
        ...shared
      ]
    ]
  return [
    apiserver,
    [
      ...[`--etcd-servers=${etcd}`, `--etcd-prefix=/run-${runs}`, `--cert-dir=${folder}`, '--endpoint-reconciler-type=none'],
      ...[`--service-account-key-file=${key}`, `--service-account-signing-key-file=${key}`, '--bind-address=127.0.0.1'],
      ...['--service-account-issuer=https://kubernetes.default.svc', ...shared]
    ]
  ]
}

export async function startBoth({ scenario, ...given }) {
  const running = []
  const start = async which => {
    const port = await freePort()
    const child = run(...commandLine(which, { ...given, flags: scenario.flags, port }))
    running.push(child)
    const server = new Server(`https://127.0.0.1:${port}`, 'admin-token')
    let why = ''
    const isReady = async () => {
      const { status, body } = await server.send({ path: '/readyz?verbose' })
      why = body.toString()
      return status === 200
    }
    await until(which, isReady, { output: () => `${why}${child.output()}` })
    for (const object of scenario.objects ?? []) await server.send(object)
    return { send: ({ as, ...request }) => server.send({ ...request, headers: headersOf(as, request.headers) }) }
  }
  const [reference, target] = await Promise.all([start('reference'), start('target')])
  return { reference, target, stop: () => Promise.all(running.map(child => child.stop())) }
}

const headersOf = (as, headers) => ({ authorization: as === undefined ? null : `Bearer ${as}-token`, ...headers })

/** Starts a server that must refuse its flags, and returns why it does. */
export async function whyNot(which, given) {
  const child = run(...commandLine(which, { ...given, port: await freePort() }))
  const timer = setTimeout(() => child.stop(), 30_000)
  await child.ended
  clearTimeout(timer)
  const output = child.output()
  // of several lines
  const bare = /"command failed" err=<\n(.*?)\n >/s.exec(output)?.[1]
  const quoted = /"command failed" err=("(?:[^"\\]|\\.)*")/.exec(output)?.[1]
  const text = bare ?? (quoted ? unquoted(quoted) : (/^panic: (.*)$/m.exec(output)?.[0] ?? output))
  return text
    .trim()
    .replace(/^binnacle( serve)?: /, '')
    .replaceAll(/\s*\n\s*/g, ' ')
}

function unquoted(text) {
  return JSON.parse(text.replaceAll(/\\x([0-9a-f]{2})/g, '\\u00$1'))
}
