import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Pod } from '../../apimachinery/api/generated/core-v1.js'
import { SeededRandomness } from '../../util/seeded-randomness.js'
import type { Cluster } from './cluster.js'
import { nodesToFind } from './find-nodes.js'
import { noteOf } from './fit-error.js'
import { isRejection } from './plugin.js'
import { podInfoOf } from './pod-info.js'
import { SchedulingCycle } from './scheduling-cycle.js'
import { aNode, aPod, clusterOf, decisionOn, messageFor, plugins } from './testing/cluster.js'

const nodes = [aNode('a'), aNode('b'), aNode('c')]
const unhelpful = 'preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.'

describe('what is said of a Pod that fits nowhere', () => {
  // as kube-scheduler 1.37.2 says it of the same Pods
  test('counts the reasons of all Nodes', () => {
    const cluster = clusterOf(nodes)
    assert.equal(
      messageFor(aPod('p', { requests: { cpu: '1000' } }), cluster),
      `0/3 nodes are available: 3 Insufficient cpu. ${unhelpful}`
    )
    assert.equal(
      messageFor(aPod('p', { spec: { nodeSelector: { a: 'b' } } }), cluster),
      `0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. ${unhelpful}`
    )
    const taints = [{ key: 'k', effect: 'NoSchedule' }]
    const mixed = clusterOf([aNode('a', { spec: { taints } }), aNode('b', { spec: { unschedulable: true } }), aNode('c')])
    assert.equal(
      messageFor(aPod('p', { requests: { cpu: '5' } }), mixed),
      `0/3 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable. ${unhelpful}`
    )
  })

  test('tells of Nodes that are not asked about', () => {
    const named = (...names: string[]) => ({
      matchFields: names.map(name => ({ key: 'metadata.name', operator: 'In', values: [name] }))
    })
    const affine = (term: object) =>
      aPod('p', {
        spec: {
          affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } } }
        } as never
      })
    const cluster = clusterOf(nodes)
    assert.equal(
      messageFor(affine(named('nope')), cluster),
      `0/3 nodes are available: 3 node(s) didn't satisfy plugin(s) [NodeAffinity]. ${unhelpful}`
    )
    assert.equal(
      messageFor(affine({ ...named('a'), matchExpressions: [{ key: 'x', operator: 'Exists' }] }), cluster),
      `0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 2 node(s) didn't satisfy plugin(s) [NodeAffinity]. ${unhelpful}`
    )
    assert.equal(messageFor(affine(named('a', 'b')), cluster), '0/3 nodes are available: pod affinity terms conflict. not found')
  })

  test('names the claim that keeps it from all Nodes', () => {
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'nope' } }]
    assert.equal(
      messageFor(aPod('p', { spec: { volumes } }), clusterOf(nodes)),
      '0/3 nodes are available: persistentvolumeclaim "nope" not found. not found'
    )
  })

  test('says that there are no Nodes', () => {
    assert.equal(messageFor(aPod('p'), clusterOf([])), 'no nodes available to schedule pods')
  })

  test('says whom it preempts, or why nobody', () => {
    const low = (name: string, on: string) => aPod(name, { on, requests: { cpu: '4' } })
    const cluster = clusterOf(nodes, [low('1', 'a'), low('2', 'b'), low('3', 'c')])
    const high = (more: object = {}) => aPod('p', { requests: { cpu: '1' }, spec: { priority: 10, ...more } })
    assert.match(
      messageFor(high(), cluster),
      /^0\/3 nodes are available: 3 Insufficient cpu\. preemption: found a potential placement for pod on node [abc], preempting 1 victims$/
    )
    assert.equal(
      messageFor(high({ preemptionPolicy: 'Never' }), cluster),
      '0/3 nodes are available: 3 Insufficient cpu. preemption: not eligible due to preemptionPolicy=Never.'
    )
    assert.equal(
      messageFor(high({ priority: 0 }), cluster),
      '0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.'
    )
  })

  test('is cut for an Event', () => {
    assert.equal(noteOf('x'.repeat(1024)).length, 1024)
    assert.equal(noteOf('x'.repeat(1025)), `${'x'.repeat(1020)} ...`)
  })
})

describe('the choice of a Node', () => {
  test('prefers the one with the most room', () => {
    const cluster = clusterOf(nodes, [
      aPod('1', { on: 'a', requests: { cpu: '1' } }),
      aPod('2', { on: 'c', requests: { cpu: '1' } })
    ])
    assert.equal(messageFor(aPod('p', { requests: { cpu: '1' } }), cluster), 'on b')
  })

  test('is by chance among equals, and the same for a seed', () => {
    const chosen = (seed: string) => decisionOn(aPod('p'), clusterOf(nodes), seed) as { node: { name: string } }
    const names = new Set(Array.from({ length: 20 }, (_, i) => chosen(`${i}`).node.name))
    assert.deepEqual([...names].sort(), ['a', 'b', 'c'])
    assert.equal(chosen('1').node.name, chosen('1').node.name)
  })

  test('is among a part of the Nodes of a large cluster, from another one on each time', () => {
    assert.deepEqual([99, 100, 500, 5000, 10_000].map(nodesToFind), [99, 100, 230, 500, 500])
  })

  test('goes to the Node that a Pod waits for, and leaves its room to it', () => {
    const full = clusterOf(nodes.slice(0, 1))
    const waiting = aPod('w', { requests: { cpu: '3' }, spec: { priority: 5 }, status: { nominatedNodeName: 'a' } })
    full.nominations.set(podInfoOf(waiting), 'a')
    assert.match(messageFor(aPod('p', { requests: { cpu: '2' } }), full), /^0\/1 nodes are available: 1 Insufficient cpu/)
    assert.equal(messageFor(aPod('p', { requests: { cpu: '2' }, spec: { priority: 6 } }), full), 'on a')
    assert.equal(messageFor(waiting, full), 'on a')
  })
})

describe('preemption', () => {
  const victim = (name: string, on: string, cpu: string, priority: number, more: object = {}) =>
    aPod(name, { on, requests: { cpu }, spec: { priority }, ...more })
  const preemptor = (cpu: string) => aPod('p', { requests: { cpu }, spec: { priority: 100 } })
  const chosen = (cluster: Cluster, cpu: string) => {
    const decision = decisionOn(preemptor(cpu), cluster)
    if ('node' in decision || !decision.candidate) return undefined
    const { node, victims } = decision.candidate
    return `${node.name}: ${victims.map(({ pod }) => pod.metadata.name).join(' ')}`
  }

  test('spares whom it can, the most important first', () => {
    const cluster = clusterOf([aNode('a')], [victim('low', 'a', '2', 1), victim('mid', 'a', '1', 2), victim('high', 'a', '1', 3)])
    assert.equal(chosen(cluster, '2'), 'a: low')
    assert.equal(chosen(cluster, '3'), 'a: mid low')
    assert.equal(cluster.node('a')!.pods.size, 3)
    assert.equal(cluster.node('a')!.requested.get('cpu'), 4000)
  })

  test('prefers the Node whose victims are missed least', () => {
    const cluster = clusterOf(nodes, [
      victim('a1', 'a', '4', 5),
      victim('b1', 'b', '2', 4),
      victim('b2', 'b', '2', 4),
      victim('c1', 'c', '4', 4)
    ])
    assert.equal(chosen(cluster, '4'), 'c: c1')
  })

  test('prefers victims that have not run for long', () => {
    const startTime = (hour: string) => ({ status: { startTime: `2025-12-31T${hour}:00:00Z` } })
    const cluster = clusterOf(nodes.slice(0, 2), [
      victim('old', 'a', '4', 1, startTime('01')),
      victim('young', 'b', '4', 1, startTime('02'))
    ])
    assert.equal(chosen(cluster, '4'), 'b: young')
  })

  test('violates budgets only when there is no other way', () => {
    const labels = { app: 'web' }
    const budget = (disruptionsAllowed: number) => ({
      metadata: { name: 'web', namespace: 'default' },
      spec: { selector: { matchLabels: labels } },
      status: { disruptionsAllowed, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 }
    })
    const pods = [victim('web', 'a', '4', 1, { labels }), victim('other', 'b', '4', 5)]
    const on = (some: readonly Pod[], allowed: number) =>
      chosen(clusterOf(nodes.slice(0, 2), some, { budgets: [budget(allowed)] as never }), '4')
    assert.equal(on(pods, 0), 'b: other')
    assert.equal(on(pods, 1), 'a: web')
    assert.equal(on([pods[0]!, victim('vital', 'b', '4', 200)], 0), 'a: web')
  })

  test('does not help against what other Pods have no part in', () => {
    const cluster = clusterOf([aNode('a'), aNode('b', { spec: { unschedulable: true } })], [victim('low', 'a', '1', 1)])
    assert.equal(
      messageFor(preemptor('5'), cluster),
      '0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.'
    )
  })

  test('waits while victims are still there', () => {
    const conditions = [{ type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' }]
    const dying = victim('low', 'a', '4', 1, { terminating: true, status: { conditions } })
    const pod = aPod('p', { requests: { cpu: '2' }, spec: { priority: 100 }, status: { nominatedNodeName: 'a' } })
    assert.match(
      messageFor(pod, clusterOf([aNode('a')], [dying])),
      /preemption: not eligible due to a terminating pod on the nominated node\.$/
    )
  })

  test('makes room in domains and among neighbours', () => {
    const labels = { app: 'web' }
    const topologySpreadConstraints = [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: labels }
      }
    ]
    const cluster = clusterOf(nodes.slice(0, 2), [victim('1', 'a', '1', 1, { labels }), victim('2', 'b', '4', 200)])
    const pod = aPod('p', { labels, requests: { cpu: '1' }, spec: { priority: 100, topologySpreadConstraints } })
    const decision = decisionOn(pod, cluster)
    assert.deepEqual('node' in decision ? [] : decision.candidate?.victims.map(one => one.key), ['default/1'])
    // the search leaves no trace
    assert.equal(cluster.node('a')!.shapes.size, 1)
  })
})

describe('random clusters', () => {
  const random = new SeededRandomness('clusters')
  const below = (count: number) => Math.floor(random.fraction() * count)
  const oneOf = <T>(...values: T[]): T => values[below(values.length)]!
  const maybe = <T>(value: T): T | undefined => (below(3) === 0 ? value : undefined)
  const zone = 'topology.kubernetes.io/zone'

  const randomNode = (i: number) =>
    aNode(`n${i}`, {
      labels: { [zone]: oneOf('x', 'y'), disk: oneOf('ssd', 'hdd') },
      allocatable: { cpu: oneOf('2', '4'), pods: oneOf('3', '10') },
      spec: {
        unschedulable: below(8) === 0,
        taints: maybe([{ key: 'k', value: oneOf('1', '2'), effect: oneOf('NoSchedule', 'PreferNoSchedule') }])
      }
    })
  const randomTerm = () => ({
    topologyKey: oneOf(zone, 'kubernetes.io/hostname'),
    labelSelector: { matchLabels: { app: oneOf('a', 'b', 'c') } }
  })
  const terms = () => maybe({ requiredDuringSchedulingIgnoredDuringExecution: [randomTerm()] })
  const randomPod = (i: number) =>
    aPod(`p${i}`, {
      labels: { app: oneOf('a', 'b', 'c') },
      requests: { cpu: oneOf('100m', '500m', '1'), memory: oneOf('100Mi', '1Gi') },
      spec: {
        priority: below(3),
        nodeSelector: maybe({ disk: 'ssd' }),
        tolerations: maybe([{ key: 'k', operator: 'Exists' }]),
        affinity: maybe({ podAffinity: terms(), podAntiAffinity: terms() }),
        topologySpreadConstraints: maybe([
          { maxSkew: oneOf(1, 2), whenUnsatisfiable: oneOf('DoNotSchedule', 'ScheduleAnyway'), ...randomTerm() }
        ])
      } as never
    })

  /** The plugins that reject the Node, asked of a snapshot that is made anew. */
  function rejectingPlugins(pod: Pod, name: string, fresh: Cluster): string[] {
    return plugins
      .filter(plugin => {
        const check = plugin.check?.(podInfoOf(pod), fresh)
        return check && (isRejection(check) || check.filter(fresh.node(name)!))
      })
      .map(plugin => plugin.name)
  }

  test('no Pod is on a Node that a filter rejects, and none waits that would fit', () => {
    let placed = 0
    let waiting = 0
    for (let round = 0; round < 40; round++) {
      const some = Array.from({ length: 2 + below(6) }, (_, i) => randomNode(i))
      const cluster = clusterOf(some)
      const there: Pod[] = []
      const cycle = new SchedulingCycle()
      for (let i = 0; i < 25; i++) {
        const pod = randomPod(i)
        const decision = cycle.decide(podInfoOf(pod), { plugins, cluster, randomness: random, now: 0 })
        const fresh = clusterOf(some, there)
        if ('node' in decision) {
          placed++
          assert.deepEqual(rejectingPlugins(pod, decision.node.name, fresh), [], `${round}/${i} on ${decision.node.name}`)
          const bound = { ...pod, spec: { ...pod.spec, nodeName: decision.node.name } }
          there.push(bound)
          cluster.assume(podInfoOf(bound))
        } else {
          waiting++
          const fitting = some.filter(({ metadata }) => rejectingPlugins(pod, metadata.name!, fresh).length === 0)
          assert.deepEqual(fitting, [], `${round}/${i} waits`)
          if (!decision.candidate) continue
          // without its victims, it fits
          const { node, victims } = decision.candidate
          const gone = new Set(victims.map(({ uid }) => uid))
          const left = clusterOf(
            some,
            there.filter(({ metadata }) => !gone.has(metadata.uid!))
          )
          assert.deepEqual(rejectingPlugins(pod, node.name, left), [])
          // and with any one of them, it does not
          for (const { pod: victim, uid } of victims) {
            const some1 = clusterOf(
              some,
              there.filter(({ metadata }) => metadata.uid === uid || !gone.has(metadata.uid!))
            )
            assert.notDeepEqual(rejectingPlugins(pod, node.name, some1), [], `${victim.metadata.name} need not go`)
          }
        }
        if (below(5) === 0 && there.length > 0) {
          const [leaving] = there.splice(below(there.length), 1)
          cluster.remove(leaving!.metadata.uid!)
        }
      }
    }
    assert.ok(placed > 300 && waiting > 100, `${placed} placed, ${waiting} waiting`)
  })
})
