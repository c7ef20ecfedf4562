/** Runs a private etcd cluster whose members can be cut off from each other. */
import { type EtcdProcess, freePorts, startEtcd } from './etcd-process.js'
import { FaultProxy } from './fault-proxy.js'

export interface EtcdCluster {
  readonly members: readonly EtcdProcess[]
  /** Holds everything between this member and the others; its clients still reach it. */
  isolate(index: number): void
  /** Ends `isolate`. */
  heal(): void
  /** The index of the leader; undefined while no member that answers knows one. */
  leader(): Promise<number | undefined>
  remove(): Promise<void>
}

/** A member says in its requests to others who it is. */
const senderOf = (data: Buffer): string | undefined => /x-server-from: ([0-9a-f]+)/i.exec(data.toString('latin1'))?.[1]

export async function startEtcdCluster(size: number): Promise<EtcdCluster> {
  const ports = await freePorts(size)
  const proxies = await Promise.all(ports.map(port => FaultProxy.start(() => port, senderOf)))
  const cluster = proxies.map(({ url }, i) => `m${i}=${url}`).join(',')
  const members = await Promise.all(
    ports.map((peerPort, i) =>
      startEtcd({
        member: { name: `m${i}`, peerPort, peerUrl: proxies[i]!.url, cluster },
        // the machine may be busy: an election must not come of that
        flags: ['--heartbeat-interval=50', '--election-timeout=500']
      })
    )
  )
  const ids = await memberIds(members[0]!.url, size)
  return {
    members,
    isolate(index) {
      for (const [i, proxy] of proxies.entries()) {
        if (i === index) proxy.hold()
        else proxy.holdFrom([ids[index]!])
      }
    },
    heal() {
      for (const proxy of proxies) proxy.pass()
    },
    async leader() {
      const leaders = await Promise.all(members.map(({ url }) => leaderAccordingTo(url)))
      const found = leaders.find(leader => leader !== undefined)
      return found === undefined ? undefined : ids.indexOf(found)
    },
    async remove() {
      await Promise.all(members.map(member => member.remove()))
      for (const proxy of proxies) proxy.close()
    }
  }
}

async function post(url: string, timeoutMs: number): Promise<any> {
  const answer = await fetch(url, { method: 'POST', body: '{}', signal: AbortSignal.timeout(timeoutMs) })
  return answer.json()
}

/** The ids of the members in hexadecimal, in the order of their names. */
async function memberIds(url: string, size: number): Promise<string[]> {
  const { members } = await post(`${url}/v3/cluster/member/list`, 10_000)
  return Array.from({ length: size }, (_, i) => hexadecimal(members.find(({ name }: { name: string }) => name === `m${i}`).ID))
}

async function leaderAccordingTo(url: string): Promise<string | undefined> {
  try {
    const { leader } = await post(`${url}/v3/maintenance/status`, 500)
    return leader === undefined || leader === '0' ? undefined : hexadecimal(leader)
  } catch {
    return undefined
  }
}

const hexadecimal = (id: string): string => BigInt(id).toString(16)
