import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Node, Pod } from '../../apimachinery/api/generated/core-v1.js'
import { eventually } from '../../testkit/eventually.js'
import { simulatedCluster } from '../workloads/testing/simulated.js'

const cluster = simulatedCluster({ simulate: { nodes: 2 }, seed: 'stages' }, async () => {
  await cluster.client.of('apiextensions.k8s.io/v1', 'CustomResourceDefinition').create({
    metadata: { name: 'stages.kwok.x-k8s.io' },
    spec: {
      group: 'kwok.x-k8s.io',
      names: { plural: 'stages', kind: 'Stage', singular: 'stage', listKind: 'StageList' },
      scope: 'Cluster',
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
        }
      ]
    }
  })
  await cluster.settle()
})

const stages = () => cluster.client.untyped('kwok.x-k8s.io/v1alpha1', 'Stage')
const stage = async (name: string, spec: object) => {
  await stages().create({ metadata: { name }, spec } as never)
  await cluster.settle()
}
const pods = () => cluster.client.of('v1', 'Pod')
const pod = async (name: string, more: object = {}) => {
  await pods().create({
    metadata: { name, ...more },
    spec: { nodeName: 'node-0', terminationGracePeriodSeconds: 0, containers: [{ name: 'c', image: 'i' }] }
  })
  await cluster.settle()
}
const phaseOf = async (name: string) => (await pods().find({ metadata: { name } }))?.status.phase
const forPods = { apiGroup: 'v1', kind: 'Pod' }
const inPhase = (phase: string) => ({ key: '.status.phase', operator: 'In', values: [phase] })
const ready = (phase: string) => `
  {{ $now := Now }}
  phase: ${phase}
  podIP: {{ PodIPWith .spec.nodeName (or .spec.hostNetwork false) .metadata.uid .metadata.name .metadata.namespace | Quote }}
  hostIP: {{ NodeIPWith .spec.nodeName | Quote }}
  conditions:
  - type: Ready
    status: "True"
    lastTransitionTime: {{ $now | Quote }}
  containerStatuses:
  {{ range .spec.containers }}
  - name: {{ .name | Quote }}
    image: {{ .image | Quote }}
    imageID: ""
    restartCount: 0
    ready: true
    state: {running: {startedAt: {{ $now | Quote }}}}
  {{ end }}`

describe('Stages of kwok', () => {
  test('take the Pods over, after their delays, one after the other', async () => {
    await pod('before')
    assert.equal(await phaseOf('before'), 'Running')
    await stage('start', {
      resourceRef: forPods,
      selector: { matchExpressions: [inPhase('Pending'), { key: '.metadata.deletionTimestamp', operator: 'DoesNotExist' }] },
      delay: { durationMilliseconds: 5000, durationFrom: { expressionFrom: '.metadata.annotations["delay"]' } },
      next: { event: { type: 'Normal', reason: 'Begun', message: 'it runs' }, statusTemplate: ready('Running') }
    })
    await stage('finish', {
      resourceRef: forPods,
      selector: { matchLabels: { ends: 'yes' }, matchExpressions: [inPhase('Running')] },
      delay: { durationMilliseconds: 2000 },
      next: { statusTemplate: 'phase: Succeeded' }
    })
    await pod('web')
    await pod('job', { labels: { ends: 'yes' }, annotations: { delay: '1s' } })
    assert.deepEqual([await phaseOf('web'), await phaseOf('job')], ['Pending', 'Pending'])
    await cluster.pass(1000)
    assert.deepEqual([await phaseOf('web'), await phaseOf('job')], ['Pending', 'Running'])
    await cluster.pass(2000)
    assert.deepEqual([await phaseOf('web'), await phaseOf('job')], ['Pending', 'Succeeded'])
    await cluster.pass(2000)
    const { status, metadata } = await pods().get('web')
    assert.equal(status.phase, 'Running')
    assert.match(status.podIP!, /^10\./)
    assert.equal(status.hostIP, '172.16.0.2')
    assert.equal(status.containerStatuses![0]!.ready, true)
    assert.deepEqual(await cluster.events({ kind: 'Pod', metadata } as Pod), ['Begun: it runs'])
  })

  test('delete, and change finalizers', async () => {
    await stage('remove', {
      resourceRef: forPods,
      selector: { matchExpressions: [{ key: '.metadata.deletionTimestamp', operator: 'Exists' }] },
      steps: [{ finalizers: { remove: [{ value: 'example.com/held' }] } }, { delete: true }]
    })
    await pod('held', { finalizers: ['example.com/held'] })
    await pods().delete('held', { gracePeriodSeconds: 30 })
    await cluster.pass(1000)
    assert.equal(await phaseOf('held'), undefined)
  })

  test('are chosen by weight', async () => {
    const outcome = (phase: string, weight: string) =>
      stage(`outcome-${phase.toLowerCase()}`, {
        resourceRef: forPods,
        selector: { matchExpressions: [{ jq: { key: '.metadata.labels.dice', operator: 'Exists' } }, inPhase('Running')] },
        weight: 1,
        weightFrom: { expressionFrom: `.metadata.labels.${weight}` },
        next: { patches: [{ subresource: 'status', root: 'status', template: `phase: ${phase}`, type: 'merge' }] }
      })
    await outcome('Succeeded', 'well')
    await outcome('Failed', 'badly')
    await pod('fails', { labels: { dice: '1', well: '0' } })
    await pod('succeeds', { labels: { dice: '1', badly: '0' } })
    await cluster.pass(6000)
    assert.deepEqual([await phaseOf('fails'), await phaseOf('succeeds')], ['Failed', 'Succeeded'])
  })

  test('are chosen anew when others match', async () => {
    const running = (name: string, more: object, delay: number, phase: string) =>
      stage(name, {
        resourceRef: forPods,
        selector: { matchExpressions: [inPhase('Running')], ...more },
        delay: { durationMilliseconds: delay },
        next: { statusTemplate: `phase: ${phase}` }
      })
    await running('chaos', { matchLabels: { chaos: 'yes' } }, 1000, 'Failed')
    await running('patience', { matchLabels: { chaotic: 'yes' } }, 3_600_000, 'Succeeded')
    await pod('restless', { labels: { chaotic: 'yes' } })
    await cluster.pass(6000)
    await stages().patch('chaos', { spec: { weight: 10 } } as object)
    await pods().patch('restless', { metadata: { labels: { chaos: 'yes' } } })
    await cluster.settle()
    await cluster.pass(1000)
    assert.equal(await phaseOf('restless'), 'Failed')
  })

  test('say what of them is not understood, and what cannot be applied', async () => {
    await stage('odd', { resourceRef: forPods, selector: {}, next: { statusTemplate: 'a: b\n{{ Frob }}' } })
    const odd = { kind: 'Stage', metadata: { name: 'odd' } }
    assert.deepEqual(await cluster.events(odd), ['NotUnderstood: spec.next.statusTemplate: line 2: function "Frob" is not known'])
    await stages().delete('odd')
    await stage('cel', { resourceRef: forPods, selector: { matchExpressions: [{ cel: { expression: 'true' } }] }, next: {} })
    assert.deepEqual(await cluster.events({ kind: 'Stage', metadata: { name: 'cel' } }), [
      'NotUnderstood: spec.selector.matchExpressions[0].cel is not understood'
    ])
    await stage('wrong', {
      resourceRef: forPods,
      selector: { matchLabels: { wrong: 'yes' } },
      next: { statusTemplate: 'phase: {{ index .none 0 }}' }
    })
    await pod('wrong', { labels: { wrong: 'yes' } })
    await pods().patch('wrong', { status: { phase: 'Failed' } }, { type: 'merge' })
    await cluster.pass(10_000)
    const [event] = await cluster.events({ kind: 'Stage', metadata: { name: 'wrong' } })
    assert.equal(event, 'Failed: Pod default/wrong: line 1: index: index of untyped nil')
  })

  test('of Nodes report for their kubelets', async () => {
    await stage('broken', {
      resourceRef: { kind: 'Node' },
      selector: {
        matchLabels: { broken: 'yes' },
        matchExpressions: [
          { key: '.status.conditions.[] | select(.type == "Ready") | .status', operator: 'In', values: ['True'] }
        ]
      },
      next: {
        statusTemplate: `
          conditions:
          {{ range NodeConditions }}
          {{ if eq .type "Ready" }}
          - {type: Ready, status: "False", reason: Broken, message: it is, lastHeartbeatTime: {{ Now | Quote }}}
          {{ end }}
          {{ end }}`
      }
    })
    const node = await cluster.client.of('v1', 'Node').patch('node-1', { metadata: { labels: { broken: 'yes' } } })
    assert.ok(node)
    await cluster.pass(400_000, 10_000)
    const readyOf = ({ status }: Node) => status.conditions!.find(({ type }) => type === 'Ready')
    assert.equal(readyOf(await cluster.client.of('v1', 'Node').get('node-1'))?.reason, 'Broken')
    assert.equal(readyOf(await cluster.client.of('v1', 'Node').get('node-0'))?.status, 'True')
    await stages().delete('broken')
    await cluster.pass(10_000)
    assert.equal(readyOf(await cluster.client.of('v1', 'Node').get('node-1'))?.reason, 'KubeletReady')
  })

  test('of other kinds act on all of their objects, and not more often than once in a second', async () => {
    await stage('count', {
      resourceRef: { apiGroup: 'v1', kind: 'ConfigMap' },
      selector: { matchLabels: { counts: 'yes' } },
      next: { patches: [{ root: 'data', template: 'times: {{ add 1 (or .data.times 0) | quote }}' }] }
    })
    const maps = cluster.client.of('v1', 'ConfigMap')
    await maps.create({ metadata: { name: 'counter', labels: { counts: 'yes' } } })
    await eventually(
      'the first time',
      () => maps.get('counter'),
      ({ data }) => data?.times === '1'
    )
    await cluster.pass(3000)
    assert.equal((await maps.get('counter')).data?.times, '4')
  })

  test('leave the Pods to the kubelets when they are gone', async () => {
    await cluster.client.of('apiextensions.k8s.io/v1', 'CustomResourceDefinition').delete('stages.kwok.x-k8s.io')
    await cluster.settle()
    await cluster.pass(5000)
    await pod('after')
    assert.equal(await phaseOf('after'), 'Running')
  })
})
