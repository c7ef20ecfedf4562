/**
 * What is done to the cluster and to the operator, in order. After each step, both operators must reach the same state, for which `main.mjs` waits. A step returns what
 * both must show beside that.
 */
import { setTimeout as pause } from 'node:timers/promises'

const seatsOf = (round, index) => ((round * 1000 + index) % 997) + 1

/** Runs `work` for each, eight at a time. */
export async function each(list, work) {
  const rest = [...list]
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let next = rest.shift(); next !== undefined; next = rest.shift()) await work(next)
    })
  )
}

/** Gives each course other seats. */
const change = ({ courses, names }, round) =>
  each([...names.entries()], ([index, name]) => courses.patch(name, { spec: { seats: seatsOf(round, index) } }))

export const steps = {
  async 'courses are made'({ courses, names }) {
    await each([...names.entries()], ([index, name]) =>
      courses.create({ metadata: { name }, spec: { seats: seatsOf(0, index) } })
    )
  },
  async 'rooms are deleted and changed'({ rooms, names }) {
    await each([...names.entries()], ([index, name]) =>
      index % 2 ? rooms.delete(`room-${name}`) : rooms.patch(`room-${name}`, { data: { seats: 'none', more: 'x' } })
    )
  },
  async 'another writer changes the same courses'({ courses, names }) {
    const writer = async round => {
      for (const [index, name] of names.entries()) {
        await courses.patch(name, { metadata: { annotations: { note: `${round}-${index}` } } })
        await courses.subresource('status').patch(name, { status: { seats: -1 } })
      }
    }
    await Promise.all([writer(1), change({ courses, names }, 1), writer(2)])
    await change({ courses, names }, 2)
  },
  async 'connections are reset ten times'(cluster) {
    const cuts = (async () => {
      for (let cut = 0; cut < 10; cut++) {
        cluster.proxy.cut()
        await pause(100)
      }
    })()
    await Promise.all([change(cluster, 3), cuts])
  },
  async 'the server is out of reach for three seconds'(cluster) {
    await cluster.proxy.down()
    await change(cluster, 4)
    await pause(3000)
    await cluster.proxy.up()
  },
  async 'the server starts again'(cluster) {
    if (!cluster.restart) return 'skipped: no --restart'
    const restarted = cluster.restart()
    await pause(200)
    await restarted
    await change(cluster, 5)
  },
  async 'connections become silent'(cluster) {
    cluster.proxy.freeze()
    await change(cluster, 6)
  },
  async 'the leader is killed'(cluster) {
    const leader = await cluster.leader()
    await leader.signal('SIGKILL')
    await change(cluster, 7)
  },
  async 'the leader is asked to stop'(cluster) {
    const leader = await cluster.leader()
    const outcome = await leader.signal('SIGTERM')
    await change(cluster, 8)
    return outcome
  },
  async 'the Lease is taken by somebody else'(cluster) {
    const leader = await cluster.leader()
    await cluster.leases.patch('courses', { spec: { holderIdentity: 'somebody', renewTime: null, leaseDurationSeconds: 3600 } })
    const outcome = await leader.ended
    await cluster.leases.delete('courses')
    await change(cluster, 9)
    return outcome
  },
  async 'courses are deleted'({ courses, names }) {
    await each(names, name => courses.delete(name))
    names.length = 0
  }
}

/** What there is, without what differs between any two runs. */
export async function state({ courses, rooms, events }) {
  // courses first: what they tell has been done to the others before
  const all = await courses.list()
  const [maps, log] = await Promise.all([rooms.list(), events.list()])
  const owners = ({ ownerReferences = [] }) => ownerReferences.map(({ uid, ...rest }) => rest)
  return {
    courses: all.items.map(({ metadata, spec, status: { seats, conditions = [] } = {} }) => ({
      name: metadata.name,
      finalizers: metadata.finalizers,
      spec,
      seats,
      conditions: conditions.map(({ lastTransitionTime, observedGeneration, ...rest }) => rest),
      isCurrent: conditions.every(({ observedGeneration }) => observedGeneration === metadata.generation)
    })),
    rooms: maps.items
      .filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt')
      .map(({ metadata, data }) => ({ name: metadata.name, owners: owners(metadata), data })),
    events: [
      ...new Set(
        log.items.map(({ type, reason, message, involvedObject }) => [type, reason, message, involvedObject.kind].join(' '))
      )
    ].sort()
  }
}

/** Whether the operator has done all that it is for. */
export function isDone({ courses, rooms }, { names }) {
  const byName = new Map(rooms.map(room => [room.name, room]))
  if (courses.length !== names.length) return false
  return courses.every(course => {
    const room = byName.get(`room-${course.name}`)
    const isRoom = room?.data.seats === String(course.spec.seats) && room.owners.length === 1
    return isRoom && course.seats === course.spec.seats && course.isCurrent && course.conditions.length === 1
  })
}
