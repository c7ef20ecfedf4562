#!/usr/bin/env node
// Measures kube-apiserver with etcd and Binnacle side by side: the same workload (../shared/bench/bench.mjs) against each in turn, in
// several rounds, so that what else the machine does hits all of them. Prints the median of each figure and its ratio to
// kube-apiserver's as a Markdown table.
//
//   npm run bench -- --beside --kube-apiserver=FILE --etcd=FILE [--rounds=3] [--pods=2000] [--seconds=3] [--workers=2]
//
// The CPU time of kube-apiserver is that of its process and etcd's together, Binnacle's that of all its processes.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseOptions } from '../shared/options.mjs'
import { figures, median } from './figures.mjs'
import { withChildren } from './process.mjs'
import { headers, makeFolder, startServer, stop, token, tokensFile } from './server.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const workload = process.env.BENCH ?? path.join(root, '../shared/bench/bench.mjs')
const { values: options } = parseOptions({
  options: {
    'kube-apiserver': { type: 'string' },
    etcd: { type: 'string' },
    rounds: { type: 'number', default: 3 },
    pods: { type: 'number', default: 2000 },
    seconds: { type: 'number', default: 3 },
    workers: { type: 'string', default: '2' }
  }
})
for (const name of ['kube-apiserver', 'etcd']) {
  if (!fs.existsSync(options[name] ?? ''))
    throw new Error(`--${name}=${options[name] ?? ''}: no such program; it names the file to run`)
}
if (!fs.existsSync(workload)) throw new Error(`no workload at ${workload}; BENCH names another place`)

const contestants = [
  { name: 'kube-apiserver + etcd', start: startKubeApiserver },
  { name: 'Binnacle', start: (folder, servers) => startBinnacle(folder, servers, []) },
  {
    name: `Binnacle --workers=${options.workers}`,
    start: (folder, servers) => startBinnacle(folder, servers, [`--workers=${options.workers}`])
  }
]
const results = contestants.map(() => [])
for (let round = 0; round < Number(options.rounds); round++) {
  for (const [i, contestant] of contestants.entries()) results[i].push(await measure(contestant))
}
print()

/** Runs the workload once against a server of its own. */
async function measure({ name, start }) {
  const folder = makeFolder('beside')
  const servers = []
  try {
    const url = await start(folder, servers)
    await ready(url)
    const pids = servers.flatMap(({ pid }) => withChildren(pid))
    const args = [
      '--server',
      url,
      '--token',
      token,
      '--pid',
      pids.join(','),
      '--pods',
      options.pods,
      '--seconds',
      options.seconds
    ]
    process.stderr.write(`${name}\n`)
    return JSON.parse(
      execFileSync(process.execPath, [workload, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
    )
  } finally {
    for (const server of servers.reverse()) await server.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

async function startKubeApiserver(folder, servers) {
  const [client, peer, secure] = [await freePort(), await freePort(), await freePort()]
  const etcd = `http://127.0.0.1:${client}`
  execFileSync('openssl', ['genrsa', '-out', `${folder}/sa.key`, '2048'], { stdio: 'ignore' })
  const start = (program, flags) => {
    const child = spawn(program, flags, { stdio: 'ignore' })
    servers.push({ pid: child.pid, stop: () => stop(child) })
  }
  start(options.etcd, [
    `--data-dir=${folder}/etcd`,
    `--listen-client-urls=${etcd}`,
    `--advertise-client-urls=${etcd}`,
    `--listen-peer-urls=http://127.0.0.1:${peer}`
  ])
  start(options['kube-apiserver'], [
    `--cert-dir=${folder}/certs`,
    `--etcd-servers=${etcd}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${secure}`,
    `--service-account-key-file=${folder}/sa.key`,
    `--service-account-signing-key-file=${folder}/sa.key`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--token-auth-file=${tokensFile(folder)}`,
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--endpoint-reconciler-type=none'
  ])
  return `https://127.0.0.1:${secure}`
}

async function startBinnacle(folder, servers, flags) {
  const server = await startServer(folder, { flags })
  servers.push(server)
  return server.url
}

/** Waits for /readyz, for at most a minute. */
async function ready(url) {
  const curl = ['-sk', '-o', '/dev/null', '-w', '%{http_code}', '-H', `Authorization: ${headers.authorization}`, `${url}/readyz`]
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    if (spawnSync('curl', curl, { encoding: 'utf8' }).stdout === '200') return
    await new Promise(resolve => setTimeout(resolve, 200))
  }
  throw new Error(`${url} is not ready after a minute`)
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

function print() {
  console.log(`| | ${contestants.map(({ name }) => name).join(' | ')} |`)
  console.log(`| --- |${' ---: |'.repeat(contestants.length)}`)
  for (const { title, of, less } of figures) {
    const medians = results.map(runs => median(runs.map(of)))
    const cells = medians.map((value, i) => {
      const share = less ? medians[0] / value : value / medians[0]
      return i === 0 ? `${value}` : `${value} (${share.toFixed(1)} ×)`
    })
    console.log(`| ${title} | ${cells.join(' | ')} |`)
  }
}
