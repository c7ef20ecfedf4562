import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PersistentVolume, PersistentVolumeClaim } from '../../../apimachinery/api/generated/core-v1.js'
import { podInfoOf } from '../pod-info.js'
import { aNode, aPod, clusterOf, scoresBy, verdicts } from '../testing/cluster.js'
import { interPodAffinity } from './inter-pod-affinity.js'
import { nodeAffinity } from './node-affinity.js'
import { nodePorts } from './node-ports.js'
import { nodeResourcesBalancedAllocation } from './node-resources-balanced-allocation.js'
import { nodeResourcesFit } from './node-resources-fit.js'
import { nodeUnschedulable } from './node-unschedulable.js'
import { nodeVolumeLimits } from './node-volume-limits.js'
import { podTopologySpread } from './pod-topology-spread.js'
import { taintToleration } from './taint-toleration.js'
import { volumeBinding } from './volume-binding.js'
import { volumeRestrictions } from './volume-restrictions.js'
import { volumeZone } from './volume-zone.js'

const zone = 'topology.kubernetes.io/zone'
const inZone = (name: string, value: string) => aNode(name, { labels: { [zone]: value } })

describe('NodeUnschedulable', () => {
  test('keeps Pods off cordoned Nodes, unless they tolerate it', () => {
    const cluster = clusterOf([aNode('a', { spec: { unschedulable: true } }), aNode('b')])
    const tolerations = [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }]
    assert.deepEqual(verdicts(nodeUnschedulable, aPod('p'), cluster), { a: '! node(s) were unschedulable', b: undefined })
    assert.deepEqual(verdicts(nodeUnschedulable, aPod('p', { spec: { tolerations } }), cluster), { a: undefined, b: undefined })
  })

  test('tries again when a Node is uncordoned', () => {
    const cluster = clusterOf([])
    const [cordoned, open] = [aNode('a', { spec: { unschedulable: true } }), aNode('a')]
    const helps = (node: typeof open, old: typeof open) =>
      nodeUnschedulable.mayHelp({ on: 'node', node, old }, podInfoOf(aPod('p')), cluster)
    assert.ok(helps(open, cordoned))
    assert.ok(!helps(cordoned, open))
    assert.ok(!helps(open, open))
  })
})

describe('TaintToleration', () => {
  const tainted = (name: string, effect: string) => aNode(name, { spec: { taints: [{ key: 'k', value: 'v', effect }] } })

  test('keeps Pods off Nodes whose taints they do not tolerate', () => {
    const cluster = clusterOf([tainted('a', 'NoSchedule'), tainted('b', 'NoExecute'), tainted('c', 'PreferNoSchedule')])
    const reason = '! node(s) had untolerated taint(s)'
    assert.deepEqual(verdicts(taintToleration, aPod('p'), cluster), { a: reason, b: reason, c: undefined })
    const tolerating = (toleration: object) =>
      verdicts(taintToleration, aPod('p', { spec: { tolerations: [toleration] } }), cluster)
    assert.deepEqual(tolerating({ key: 'k', value: 'v' }), { a: undefined, b: undefined, c: undefined })
    assert.deepEqual(tolerating({ key: 'k', value: 'w' }), { a: reason, b: reason, c: undefined })
    assert.deepEqual(tolerating({ operator: 'Exists', effect: 'NoExecute' }), { a: reason, b: undefined, c: undefined })
  })

  test('prefers Nodes without taints that advise against', () => {
    const cluster = clusterOf([tainted('a', 'PreferNoSchedule'), aNode('b')])
    assert.deepEqual(scoresBy(taintToleration, aPod('p'), cluster), { a: 0, b: 100 })
  })
})

describe('NodeAffinity', () => {
  const reason = "! node(s) didn't match Pod's node affinity/selector"
  const required = (...nodeSelectorTerms: object[]) =>
    aPod('p', {
      spec: { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } } as never
    })
  const expressions = (operator: string, ...values: string[]) => ({ matchExpressions: [{ key: 'size', operator, values }] })
  const cluster = clusterOf([aNode('a', { labels: { size: '3' } }), aNode('b', { labels: { size: '7' } }), aNode('c')])

  test('holds Pods to their nodeSelector', () => {
    const pod = aPod('p', { spec: { nodeSelector: { size: '3' } } })
    assert.deepEqual(verdicts(nodeAffinity, pod, cluster), { a: undefined, b: reason, c: reason })
  })

  test('knows all operators, and terms are alternatives', () => {
    assert.deepEqual(verdicts(nodeAffinity, required(expressions('Gt', '3')), cluster), { a: reason, b: undefined, c: reason })
    assert.deepEqual(verdicts(nodeAffinity, required(expressions('Lt', '7')), cluster), { a: undefined, b: reason, c: reason })
    assert.deepEqual(verdicts(nodeAffinity, required(expressions('DoesNotExist')), cluster), {
      a: reason,
      b: reason,
      c: undefined
    })
    assert.deepEqual(verdicts(nodeAffinity, required(expressions('In', '3'), expressions('NotIn', '7')), cluster), {
      a: undefined,
      b: reason,
      c: undefined
    })
    assert.deepEqual(verdicts(nodeAffinity, required({}), cluster), { a: reason, b: reason, c: reason })
  })

  test('leaves only the Nodes that are named', () => {
    const named = (...values: string[]) => ({ matchFields: [{ key: 'metadata.name', operator: 'In', values }] })
    const check = nodeAffinity.check!(podInfoOf(required(named('a'), named('c'))), cluster)
    assert.deepEqual(check && 'only' in check && [...check.only!], ['a', 'c'])
    const both = { matchFields: [...named('a').matchFields, ...named('c').matchFields] }
    assert.deepEqual(nodeAffinity.check!(podInfoOf(required(both)), cluster), {
      reasons: ['pod affinity terms conflict'],
      isFinal: true
    })
  })

  test('prefers Nodes by the weight of the terms that they match', () => {
    const preferred = [
      { weight: 10, preference: expressions('In', '3') },
      { weight: 30, preference: expressions('Exists') }
    ]
    const pod = aPod('p', {
      spec: { affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } } } as never
    })
    assert.deepEqual(scoresBy(nodeAffinity, pod, cluster), { a: 100, b: 75, c: 0 })
  })
})

describe('NodePorts', () => {
  const withPort = (name: string, hostPort: number, more: object = {}, on?: string) =>
    aPod(name, {
      ...(on ? { on } : {}),
      spec: { containers: [{ name: 'c', ports: [{ containerPort: 80, hostPort, ...more }] }] } as never
    })
  const reason = "node(s) didn't have free ports for the requested pod ports"

  test('keeps apart what listens on the same port and address', () => {
    const cluster = clusterOf([aNode('a')], [withPort('q', 80, { hostIP: '10.0.0.1' }, 'a')])
    assert.deepEqual(verdicts(nodePorts, withPort('p', 80), cluster), { a: reason })
    assert.deepEqual(verdicts(nodePorts, withPort('p', 80, { hostIP: '10.0.0.1' }), cluster), { a: reason })
    assert.deepEqual(verdicts(nodePorts, withPort('p', 80, { hostIP: '10.0.0.2' }), cluster), { a: undefined })
    assert.deepEqual(verdicts(nodePorts, withPort('p', 80, { protocol: 'UDP' }), cluster), { a: undefined })
    cluster.remove('uid of q')
    assert.deepEqual(verdicts(nodePorts, withPort('p', 80), cluster), { a: undefined })
  })

  test('tries again when a Pod with the port goes', () => {
    const helps = (old: ReturnType<typeof withPort>) =>
      nodePorts.mayHelp({ on: 'pod', pod: undefined, old: podInfoOf(old) }, podInfoOf(withPort('p', 80)), clusterOf([]))
    assert.ok(helps(withPort('q', 80)))
    assert.ok(!helps(withPort('q', 81)))
  })
})

describe('NodeResourcesFit', () => {
  test('counts what containers, sidecars, init containers and the runtime request', () => {
    const cpu = (amount: string) => ({ resources: { requests: { cpu: amount } } })
    const pod = aPod('p', {
      spec: {
        containers: [{ name: 'c', ...cpu('1') }],
        initContainers: [
          { name: 's', restartPolicy: 'Always', ...cpu('500m') },
          { name: 'i', ...cpu('2') }
        ],
        overhead: { cpu: '250m' }
      } as never
    })
    assert.equal(podInfoOf(pod).requests.amounts.get('cpu'), 2750)
    const own = aPod('q', { requests: { cpu: '1' }, spec: { resources: { requests: { cpu: '3' } } } })
    assert.equal(podInfoOf(own).requests.amounts.get('cpu'), 3000)
  })

  test('says what a Node lacks, and whether it could ever have enough', () => {
    const cluster = clusterOf(
      [aNode('a'), aNode('b', { allocatable: { cpu: '2', 'example.com/gpu': '1' } }), aNode('c', { allocatable: { pods: '1' } })],
      [aPod('q', { on: 'a', requests: { cpu: '2', memory: '6Gi' } }), aPod('r', { on: 'c' })]
    )
    assert.deepEqual(verdicts(nodeResourcesFit, aPod('p', { requests: { cpu: '3', memory: '4Gi' } }), cluster), {
      a: 'Insufficient cpu, Insufficient memory',
      b: '! Insufficient cpu',
      c: 'Too many pods'
    })
    assert.deepEqual(verdicts(nodeResourcesFit, aPod('p', { requests: { 'example.com/gpu': '1' } }), cluster), {
      a: '! Insufficient example.com/gpu',
      b: undefined,
      c: '! Too many pods, Insufficient example.com/gpu'
    })
  })

  test('prefers Nodes of which little is requested; a container without requests counts as a small one', () => {
    const cluster = clusterOf(
      [aNode('a', { allocatable: { cpu: '1', memory: '1000Mi' } }), aNode('b', { allocatable: { cpu: '1', memory: '1000Mi' } })],
      [aPod('q', { on: 'b' })]
    )
    assert.deepEqual(scoresBy(nodeResourcesFit, aPod('p', { requests: { cpu: '500m', memory: '500Mi' } }), cluster), {
      a: 50,
      b: 35
    })
    assert.deepEqual(scoresBy(nodeResourcesFit, aPod('p'), cluster), { a: 85, b: 70 })
  })

  test('tries again only when there is more of what the Pod requests', () => {
    const pod = podInfoOf(aPod('p', { requests: { cpu: '6' } }))
    const cluster = clusterOf([])
    const grown = (allocatable: Record<string, string>) =>
      nodeResourcesFit.mayHelp({ on: 'node', node: aNode('a', { allocatable }), old: aNode('a') }, pod, cluster)
    assert.ok(grown({ cpu: '8' }))
    assert.ok(!grown({ cpu: '5' }))
    assert.ok(!grown({ memory: '16Gi' }))
    assert.ok(nodeResourcesFit.mayHelp({ on: 'pod', pod: undefined, old: pod }, pod, cluster))
    assert.ok(!nodeResourcesFit.mayHelp({ on: 'pod', pod, old: undefined }, pod, cluster))
  })
})

describe('NodeResourcesBalancedAllocation', () => {
  test('prefers Nodes that the Pod brings into balance', () => {
    const cluster = clusterOf(
      [aNode('a'), aNode('b'), aNode('c')],
      [aPod('q', { on: 'a', requests: { cpu: '2' } }), aPod('r', { on: 'b', requests: { memory: '4Gi' } })]
    )
    const pod = aPod('p', { requests: { memory: '4Gi' } })
    assert.deepEqual(scoresBy(nodeResourcesBalancedAllocation, pod, cluster), { a: 87, b: 62, c: 62 })
    assert.equal(scoresBy(nodeResourcesBalancedAllocation, aPod('p'), cluster), undefined)
  })
})

describe('PodTopologySpread', () => {
  const spread = (more: object = {}) => ({
    labels: { app: 'web' },
    spec: {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: zone,
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: { app: 'web' } },
          ...more
        }
      ]
    }
  })
  const web = (name: string, on: string, more: object = {}) => aPod(name, { labels: { app: 'web' }, on, ...more })
  const reason = "node(s) didn't match pod topology spread constraints"
  const nodes = [inZone('a', 'x'), inZone('b', 'x'), inZone('c', 'y')]

  test('keeps zones within the skew, and wants the label', () => {
    const cluster = clusterOf([...nodes, aNode('d')], [web('1', 'a'), web('2', 'b'), web('3', 'c')])
    assert.deepEqual(verdicts(podTopologySpread, aPod('p', spread()), cluster), {
      a: reason,
      b: reason,
      c: undefined,
      d: `! ${reason} (missing required label)`
    })
    assert.deepEqual(verdicts(podTopologySpread, aPod('p', spread({ maxSkew: 2 })), clusterOf(nodes, [web('1', 'a')])), {
      a: undefined,
      b: undefined,
      c: undefined
    })
  })

  test('does not count Pods that are being deleted, nor those of other namespaces', () => {
    const cluster = clusterOf(nodes, [web('1', 'a', { terminating: true }), web('2', 'b', { namespace: 'other' })])
    assert.deepEqual(verdicts(podTopologySpread, aPod('p', spread()), cluster), { a: undefined, b: undefined, c: undefined })
  })

  test('takes too few domains for an empty one', () => {
    const cluster = clusterOf(nodes, [web('1', 'a'), web('2', 'c')])
    const minDomains = 3
    assert.deepEqual(verdicts(podTopologySpread, aPod('p', spread({ minDomains })), cluster), { a: reason, b: reason, c: reason })
  })

  test('counts tainted Nodes unless told otherwise, and those that the Pod does not ask for only then', () => {
    const taints = [{ key: 'k', effect: 'NoSchedule' }]
    const cluster = clusterOf([inZone('a', 'x'), aNode('b', { labels: { [zone]: 'y' }, spec: { taints } })], [web('1', 'a')])
    assert.deepEqual(verdicts(podTopologySpread, aPod('p', spread()), cluster), { a: reason, b: undefined })
    assert.equal(
      (verdicts(podTopologySpread, aPod('p', spread({ nodeTaintsPolicy: 'Honor' })), cluster) as { a?: string }).a,
      undefined
    )
    const selective = (nodeAffinityPolicy: string) => {
      const draft = spread({ nodeAffinityPolicy })
      const nodeSelector = { [zone]: 'x' }
      return verdicts(podTopologySpread, aPod('p', { ...draft, spec: { ...draft.spec, nodeSelector } }), cluster) as {
        a?: string
      }
    }
    assert.equal(selective('Honor').a, undefined)
    assert.equal(selective('Ignore').a, reason)
  })

  test('counts only Pods with the same values of matchLabelKeys', () => {
    const draft = spread({ matchLabelKeys: ['version'] })
    const pod = aPod('p', { ...draft, labels: { app: 'web', version: '2' } })
    const before = web('1', 'a', { labels: { app: 'web', version: '1' } })
    assert.deepEqual(verdicts(podTopologySpread, pod, clusterOf(nodes, [before])), { a: undefined, b: undefined, c: undefined })
  })

  test('prefers domains with few Pods of the Services and the controller, without constraints', () => {
    const cluster = clusterOf([aNode('a'), aNode('b'), aNode('c')], [web('1', 'a'), web('2', 'a'), web('3', 'b')], {
      spread: { matchLabels: { app: 'web' } }
    })
    const pod = aPod('p', { labels: { app: 'web' } })
    const scores = scoresBy(podTopologySpread, pod, cluster)!
    assert.ok(scores.c! > scores.b! && scores.b! > scores.a!, JSON.stringify(scores))
    assert.equal(scoresBy(podTopologySpread, pod, clusterOf([aNode('a')])), undefined)
  })

  test('ignores Nodes without the label where the Pod has constraints', () => {
    const cluster = clusterOf([...nodes, aNode('d')], [web('1', 'a'), web('2', 'a')])
    const scores = scoresBy(podTopologySpread, aPod('p', spread({ whenUnsatisfiable: 'ScheduleAnyway' })), cluster)
    assert.deepEqual(scores, { a: 0, c: 100, d: 0, b: 0 })
  })
})

describe('InterPodAffinity', () => {
  const term = (app: string, more: object = {}) => ({
    topologyKey: zone,
    labelSelector: { matchLabels: { app } },
    ...more
  })
  const pod = (kind: 'podAffinity' | 'podAntiAffinity', terms: object[], more: object = {}) =>
    aPod('p', {
      ...more,
      spec: { affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: terms } } } as never
    })
  const nodes = [inZone('a', 'x'), inZone('b', 'x'), inZone('c', 'y'), aNode('d')]
  const db = aPod('db', { labels: { app: 'db' }, on: 'a' })
  const far = "! node(s) didn't match pod affinity rules"
  const near = "node(s) didn't match pod anti-affinity rules"

  test('wants others near', () => {
    const cluster = clusterOf(nodes, [db])
    assert.deepEqual(verdicts(interPodAffinity, pod('podAffinity', [term('db')]), cluster), {
      a: undefined,
      b: undefined,
      c: far,
      d: far
    })
  })

  test('the first of a group needs no other, but a Node with the label', () => {
    const first = pod('podAffinity', [term('web')], { labels: { app: 'web' } })
    assert.deepEqual(verdicts(interPodAffinity, first, clusterOf(nodes, [db])), {
      a: undefined,
      b: undefined,
      c: undefined,
      d: far
    })
  })

  test('wants others away', () => {
    const cluster = clusterOf(nodes, [db])
    assert.deepEqual(verdicts(interPodAffinity, pod('podAntiAffinity', [term('db')]), cluster), {
      a: near,
      b: near,
      c: undefined,
      d: undefined
    })
  })

  test('respects those that want it away', () => {
    const shy = aPod('shy', {
      on: 'c',
      spec: { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term('web')] } } } as never
    })
    const cluster = clusterOf(nodes, [shy])
    const reason = "node(s) didn't satisfy existing pods anti-affinity rules"
    assert.deepEqual(verdicts(interPodAffinity, aPod('p', { labels: { app: 'web' } }), cluster), {
      a: undefined,
      b: undefined,
      c: reason,
      d: undefined
    })
    assert.deepEqual(verdicts(interPodAffinity, aPod('p', { labels: { app: 'web' }, namespace: 'other' }), cluster), {
      a: undefined,
      b: undefined,
      c: undefined,
      d: undefined
    })
  })

  test('looks into the namespaces that a term names or selects', () => {
    const namespaces = { default: {}, blue: { colour: 'blue' } }
    const cluster = clusterOf(nodes, [aPod('db', { labels: { app: 'db' }, on: 'a', namespace: 'blue' })], { namespaces })
    const on = (more: object) =>
      (verdicts(interPodAffinity, pod('podAntiAffinity', [term('db', more)]), cluster) as { a?: string }).a
    assert.equal(on({}), undefined)
    assert.equal(on({ namespaces: ['blue'] }), near)
    assert.equal(on({ namespaceSelector: { matchLabels: { colour: 'blue' } } }), near)
    assert.equal(on({ namespaceSelector: {} }), near)
    assert.equal(on({ namespaceSelector: { matchLabels: { colour: 'red' } } }), undefined)
  })

  test('prefers neighbours by the weights of both sides', () => {
    const preferred = (weight: number) => [{ weight, podAffinityTerm: term('db') }]
    const cluster = clusterOf(nodes, [db])
    const drawn = aPod('p', {
      spec: { affinity: { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred(5) } } } as never
    })
    assert.deepEqual(scoresBy(interPodAffinity, drawn, cluster), { a: 100, c: 0, d: 0, b: 100 })
    const repelled = aPod('p', {
      spec: { affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred(5) } } } as never
    })
    assert.deepEqual(scoresBy(interPodAffinity, repelled, cluster), { a: 0, c: 100, d: 100, b: 0 })
    assert.equal(scoresBy(interPodAffinity, aPod('p'), cluster), undefined)
  })
})

const claim = (name: string, more: object = {}): PersistentVolumeClaim => {
  const { spec, annotations, status = { phase: 'Pending' }, ...metadata } = more as Record<string, object>
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'default', uid: `uid of ${name}`, annotations, ...metadata },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
    status
  } as never
}
const bound = (name: string, volumeName: string, spec: object = {}) =>
  claim(name, {
    spec: { volumeName, ...spec },
    annotations: { 'pv.kubernetes.io/bind-completed': 'yes' },
    status: { phase: 'Bound' }
  })
const volume = (name: string, storage: string, more: object = {}): PersistentVolume => {
  const { spec, labels, status = { phase: 'Available' } } = more as Record<string, object>
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, labels },
    spec: { capacity: { storage }, accessModes: ['ReadWriteOnce'], storageClassName: 'local', ...spec },
    status
  } as never
}
const onlyOn = (name: string) => ({
  nodeAffinity: {
    required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [name] }] }] }
  }
})
const using = (...names: string[]) => ({
  spec: { volumes: names.map(claimName => ({ name: claimName, persistentVolumeClaim: { claimName } })) }
})
const storageClass = (name: string, provisioner: string, volumeBindingMode = 'WaitForFirstConsumer') =>
  ({ metadata: { name }, provisioner, volumeBindingMode }) as never

describe('VolumeBinding', () => {
  const plugin = volumeBinding({} as never)
  const nodes = [aNode('a'), aNode('b')]
  const general = (pod: object, objects: object) => verdicts(plugin, aPod('p', pod), clusterOf(nodes, [], objects))
  const final = (reason: string) => ({ reasons: [reason], isFinal: true })

  test('wants claims that are there and bound', () => {
    assert.deepEqual(general(using('data'), {}), final('persistentvolumeclaim "data" not found'))
    const lost = claim('data', { spec: { volumeName: 'v' }, status: { phase: 'Lost' } })
    assert.deepEqual(
      general(using('data'), { claims: [lost] }),
      final('persistentvolumeclaim "data" bound to non-existent persistentvolume "v"')
    )
    assert.deepEqual(
      general(using('data'), { claims: [claim('data')] }),
      final('pod has unbound immediate PersistentVolumeClaims')
    )
    const ephemeral = { spec: { volumes: [{ name: 'tmp', ephemeral: {} }] } }
    assert.deepEqual(
      general(ephemeral, {}),
      final('waiting for ephemeral volume controller to create the persistentvolumeclaim "p-tmp"')
    )
    assert.deepEqual(
      general(ephemeral, { claims: [claim('p-tmp')] }),
      final('PVC default/p-tmp was not created for pod default/p (pod is not owner)')
    )
  })

  test('goes where bound volumes can be reached', () => {
    const objects = { claims: [bound('data', 'v')], volumes: [volume('v', '1Gi', { spec: onlyOn('b') })] }
    assert.deepEqual(general(using('data'), objects), {
      a: "! node(s) didn't match PersistentVolume's node affinity",
      b: undefined
    })
    assert.deepEqual(general(using('data'), { claims: [bound('data', 'v')] }), {
      a: '! node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)',
      b: '! node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)'
    })
  })

  test('goes where there is a volume for each waiting claim', () => {
    const waiting = (name: string, more: object = {}) => claim(name, { spec: { storageClassName: 'local', ...more } })
    const classes = [storageClass('local', 'kubernetes.io/no-provisioner')]
    const unbindable = "! node(s) didn't find available persistent volumes to bind"
    const volumes = [volume('va', '1Gi', { spec: onlyOn('a') }), volume('vb', '5Gi', { spec: onlyOn('b') })]
    assert.deepEqual(general(using('one'), { classes, volumes, claims: [waiting('one')] }), { a: undefined, b: undefined })
    const big = { resources: { requests: { storage: '2Gi' } } }
    assert.deepEqual(general(using('one'), { classes, volumes, claims: [waiting('one', big)] }), { a: unbindable, b: undefined })
    const two = { classes, volumes, claims: [waiting('one'), waiting('two')] }
    assert.deepEqual(general(using('one', 'two'), two), { a: unbindable, b: unbindable })
    const taken = volumes.map(one => ({ ...one, spec: { ...one.spec, claimRef: { namespace: 'default', name: 'other' } } }))
    assert.deepEqual(general(using('one'), { classes, volumes: taken, claims: [waiting('one')] }), {
      a: unbindable,
      b: unbindable
    })
  })

  test('goes where a volume can be made, and stays where one is being made', () => {
    const classes = [storageClass('fast', 'csi.example.com')]
    const waiting = (annotations: object) => claim('data', { spec: { storageClassName: 'fast' }, annotations })
    assert.deepEqual(general(using('data'), { classes, claims: [waiting({})] }), { a: undefined, b: undefined })
    const chosen = waiting({ 'volume.kubernetes.io/selected-node': 'b' })
    assert.deepEqual(general(using('data'), { classes, claims: [chosen] }), {
      a: "! node(s) didn't find available persistent volumes to bind",
      b: undefined
    })
  })
})

describe('VolumeZone', () => {
  test('keeps Pods in the zones of their volumes', () => {
    const nodes = [inZone('a', 'x'), inZone('b', 'y'), aNode('c')]
    const volumes = [volume('v', '1Gi', { labels: { 'failure-domain.beta.kubernetes.io/zone': 'y__z' } })]
    const cluster = clusterOf(nodes, [], { volumes, claims: [bound('data', 'v')] })
    assert.deepEqual(verdicts(volumeZone, aPod('p', using('data')), cluster), {
      a: '! node(s) had no available volume zone',
      b: undefined,
      c: undefined
    })
  })
})

describe('VolumeRestrictions', () => {
  test('lets only one Pod use a ReadWriteOncePod claim', () => {
    const claims = [bound('data', 'v', { accessModes: ['ReadWriteOncePod'] })]
    const reason =
      'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod'
    const cluster = clusterOf([aNode('a'), aNode('b')], [aPod('q', { on: 'a', ...using('data') })], { claims })
    assert.deepEqual(verdicts(volumeRestrictions, aPod('p', using('data')), cluster), { a: reason, b: reason })
    cluster.remove('uid of q')
    assert.deepEqual(verdicts(volumeRestrictions, aPod('p', using('data')), cluster), { a: undefined, b: undefined })
  })

  test('keeps apart what writes to one disk', () => {
    const disk = (readOnly: boolean) => ({ spec: { volumes: [{ name: 'd', gcePersistentDisk: { pdName: 'disk', readOnly } }] } })
    const cluster = clusterOf([aNode('a'), aNode('b')], [aPod('q', { on: 'a', ...disk(true) })])
    assert.deepEqual(verdicts(volumeRestrictions, aPod('p', disk(false)), cluster), {
      a: 'node(s) had no available disk',
      b: undefined
    })
    assert.deepEqual(verdicts(volumeRestrictions, aPod('p', disk(true)), cluster), { a: undefined, b: undefined })
  })
})

describe('NodeVolumeLimits', () => {
  test('keeps within what a driver can attach to a Node', () => {
    const csi = (volumeHandle: string) => ({ spec: { csi: { driver: 'csi.example.com', volumeHandle } } })
    const csiNodes = [
      { metadata: { name: 'a' }, spec: { drivers: [{ name: 'csi.example.com', allocatable: { count: 1 } }] } }
    ] as never
    const objects = {
      csiNodes,
      claims: [bound('one', 'v1'), bound('two', 'v2')],
      volumes: [volume('v1', '1Gi', csi('1')), volume('v2', '1Gi', csi('2'))]
    }
    const cluster = clusterOf([aNode('a'), aNode('b')], [aPod('q', { on: 'a', ...using('one') })], objects)
    assert.deepEqual(verdicts(nodeVolumeLimits, aPod('p', using('two')), cluster), {
      a: 'node(s) exceed max volume count',
      b: undefined
    })
    assert.deepEqual(verdicts(nodeVolumeLimits, aPod('p', using('one')), cluster), { a: undefined, b: undefined })
  })
})
