/** The runs of chaos: which faults happen, on which store. */
import { type EtcdCluster, startEtcdCluster } from '../../../storage/testing/etcd-cluster.js'
import { FaultProxy } from '../../../storage/testing/fault-proxy.js'
import { random } from '../../random.js'
import { type ChaosResult, runChaos } from './run.js'
import { KillableServer, running } from './servers.js'

export interface RoundOptions {
  readonly seed: number
  /** How many faults; each kind once by default. */
  readonly faults?: number
  readonly onFault?: (name: string) => void
  /** Processes of each server; 1. */
  readonly workers?: number
}

/** A fault lasts until so many requests have been answered during it, and as long as members take to elect a leader. */
const answersDuringFault = 60
const faultMs = 1500

const elapsed = (milliseconds: number) => new Promise<void>(resolve => setTimeout(resolve, milliseconds))

type Progress = (answers: number) => Promise<void>

interface Fault {
  readonly name: string
  begin(): Promise<void> | void
  end(): Promise<void> | void
}

async function happen(fault: Fault, progress: Progress): Promise<void> {
  await fault.begin()
  await Promise.all([elapsed(faultMs), progress(answersDuringFault)])
  await fault.end()
  await progress(answersDuringFault)
}

/** Three servers on an etcd of three members; every server reaches every member through a proxy of its own. */
export async function chaosOnEtcd({ seed, faults, onFault, workers = 1 }: RoundOptions): Promise<ChaosResult> {
  const size = 3
  const etcd = await startEtcdCluster(size)
  const proxies = await Promise.all(
    Array.from({ length: size }, () =>
      Promise.all(etcd.members.map(({ url }) => FaultProxy.start(() => Number(new URL(url).port))))
    )
  )
  const servers = proxies.map(
    own =>
      new KillableServer([
        `--workers=${workers}`,
        '--storage-backend=etcd3',
        `--etcd-servers=${own.map(({ url }) => url).join(',')}`
      ])
  )
  try {
    await Promise.all(servers.map(server => server.start()))
    const next = random(seed)
    return await runChaos({
      seed,
      servers: () => running(servers),
      async faults(progress) {
        const kinds = etcdFaults(servers, etcd, proxies)
        const offset = next(size)
        for (let i = 0; i < (faults ?? kinds.length); i++) {
          // what is hit changes from fault to fault; the leader is hit as often as the others
          const leader = (await etcd.leader()) ?? 0
          const victim = next(2) === 0 ? leader : (offset + i) % size
          const fault = kinds[i % kinds.length]!(victim)
          onFault?.(fault.name)
          await happen(fault, progress)
        }
      }
    })
  } finally {
    await Promise.all(servers.map(server => server.remove()))
    await etcd.remove()
    for (const proxy of proxies.flat()) proxy.close()
  }
}

/** What is killed, stalls and is cut off takes turns, so that a few faults show each. */
function etcdFaults(
  servers: readonly KillableServer[],
  etcd: EtcdCluster,
  proxies: readonly (readonly FaultProxy[])[]
): ((victim: number) => Fault)[] {
  return [
    i => ({ name: `server ${i} is killed`, begin: () => servers[i]!.kill(), end: () => servers[i]!.start() }),
    i => ({
      name: `member ${i} stalls`,
      begin: () => etcd.members[i]!.signal('SIGSTOP'),
      end: () => etcd.members[i]!.signal('SIGCONT')
    }),
    i => ({ name: `member ${i} is cut off from the others`, begin: () => etcd.isolate(i), end: () => etcd.heal() }),
    i => ({ name: `member ${i} is killed`, begin: () => etcd.members[i]!.kill(), end: () => etcd.members[i]!.restart() }),
    i => ({
      name: `server ${i} stalls`,
      begin: () => servers[i]!.signal('SIGSTOP'),
      end: () => servers[i]!.signal('SIGCONT')
    }),
    i => ({
      name: `server ${i} is cut off from member ${i}`,
      begin: () => proxies[i]![i]!.hold(),
      end: () => proxies[i]![i]!.pass()
    }),
    i => ({
      name: `server ${i} is cut off from etcd`,
      begin: () => proxies[i]!.forEach(proxy => void proxy.hold()),
      end: () => proxies[i]!.forEach(proxy => void proxy.pass())
    })
  ]
}

/** One server on its data folder, which is killed or stalls; with several processes, one of these as well. */
export async function chaosOnDisk({ seed, faults = 4, onFault, workers = 1 }: RoundOptions): Promise<ChaosResult> {
  const server = new KillableServer(['--storage-backend=lmdb', `--workers=${workers}`])
  try {
    await server.start()
    return await runChaos({
      seed,
      servers: () => running([server]),
      async faults(progress) {
        for (let i = 0; i < faults; i++) {
          const stalls = i % 4 === 3
          const hitsWorker = workers > 1 && i % 4 > 0
          onFault?.(`${hitsWorker ? 'a worker' : 'the server'} ${stalls ? 'stalls' : 'is killed'}`)
          if (hitsWorker) {
            server.signalWorker(stalls ? 'SIGSTOP' : 'SIGKILL')
            await elapsed(faultMs)
            if (stalls) server.signalWorker('SIGCONT')
          } else if (stalls) {
            server.signal('SIGSTOP')
            await elapsed(faultMs)
            server.signal('SIGCONT')
          } else {
            await server.kill()
            await server.start()
          }
          await progress(3 * answersDuringFault)
        }
      }
    })
  } finally {
    await server.remove()
  }
}
