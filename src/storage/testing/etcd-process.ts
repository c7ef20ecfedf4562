/** Runs a private etcd for a test. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Undefined when etcd is installed; otherwise the reason why tests that need it are skipped. */
export const withoutEtcd: string | undefined = (() => {
  try {
    execFileSync('etcd', ['--version'], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'no etcd binary on this machine: skipped'
  }
})()

export interface EtcdProcess {
  /** `http://127.0.0.1:…` */
  readonly url: string
  /** Ends the process at once, as a crash would; the data stay. */
  kill(): Promise<void>
  /** Sends a signal such as SIGSTOP. */
  signal(signal: NodeJS.Signals): void
  /** Starts the process again on the same port and data. */
  restart(): Promise<void>
  /** Ends the process and removes its data. */
  remove(): Promise<void>
}

export interface EtcdFlags {
  readonly flags?: readonly string[]
  readonly scheme?: 'http' | 'https'
  /** Its place in a cluster; alone by default. */
  readonly member?: EtcdMember
}

export interface EtcdMember {
  readonly name: string
  readonly peerPort: number
  /** Where the other members reach it. */
  readonly peerUrl: string
  /** The names of all members with their peer URLs, as --initial-cluster has them. */
  readonly cluster: string
}

export async function startEtcd({ flags = [], scheme = 'http', member }: EtcdFlags = {}): Promise<EtcdProcess> {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-etcd-'))
  const [client, freePort] = await freePorts(2)
  const url = `${scheme}://127.0.0.1:${client}`
  const { name, peerPort, peerUrl, cluster } = member ?? alone(freePort!)
  const args = [
    `--data-dir=${directory}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    `--name=${name}`,
    `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=${cluster}`,
    '--heartbeat-interval=20',
    '--election-timeout=200',
    // the contract allows values larger than etcd's default
    '--max-request-bytes=8388608',
    '--logger=zap',
    ...flags
  ]
  let child: ChildProcess
  const start = () =>
    new Promise<void>((resolve, reject) => {
      child = spawn('etcd', args, { stdio: ['ignore', 'ignore', 'pipe'] })
      let log = ''
      child.stderr!.on('data', data => {
        if (log === '#') return
        log += data
        if (!log.includes('serving client traffic')) return
        log = '#'
        resolve()
      })
      child.once('exit', () => reject(new Error(`etcd ended: ${log}`)))
    })
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }
  await start()
  return {
    url,
    kill,
    signal: signal => void child.kill(signal),
    restart: start,
    async remove() {
      await kill()
      await rm(directory, { recursive: true, force: true })
    }
  }
}

function alone(peerPort: number): EtcdMember {
  const peerUrl = `http://127.0.0.1:${peerPort}`
  return { name: 'default', peerPort, peerUrl, cluster: `default=${peerUrl}` }
}

/** Finds free ports. All are held at the same time, so that they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer()
      await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
      return server
    })
  )
  const ports = servers.map(server => (server.address() as { port: number }).port)
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))))
  return ports
}
