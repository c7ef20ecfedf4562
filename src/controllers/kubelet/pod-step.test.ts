import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Container, Pod, PodStatus } from '../../apimachinery/api/generated/core-v1.js'
import { timestamp } from '../../util/time.js'
import { annotationDomain, behaviorsOf } from './behavior.js'
import { type NodeSide, type PodStep, stepOf } from './pod-step.js'

const begin = Date.UTC(2030, 0, 1)

/** A Pod on a Node whose clock the test moves. */
class Life {
  pod: Pod
  now = begin
  programSaysReady = false
  readonly said: string[] = []
  readonly #node: NodeSide

  constructor(spec: Partial<Pod['spec']> = {}, annotations: Record<string, string> = {}, owner = 'ReplicaSet') {
    const prefixed = Object.entries(annotations).map(([key, value]) => [
      key.includes('/') ? key : `${annotationDomain}/${key}`,
      value
    ])
    this.pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'web',
        namespace: 'default',
        uid: 'u1',
        generation: 1,
        annotations: Object.fromEntries(prefixed),
        ownerReferences: [{ apiVersion: 'v1', kind: owner, name: 'x', uid: 'o1', controller: true }]
      },
      spec: { containers: [container('web')], restartPolicy: 'Always', nodeName: 'node-0', ...spec },
      status: { phase: 'Pending', qosClass: 'BestEffort' }
    }
    let ids = 0
    const images = new Set<string>()
    this.#node = {
      nodeIP: '172.16.0.2',
      podIP: () => '10.244.0.1',
      behaviorOf: behaviorsOf(({ metadata }) =>
        metadata.annotations?.program ? { isReady: this.programSaysReady, logs: undefined } : undefined
      ),
      newContainerId: () => `id${++ids}`,
      pull: image => images.has(image) || !images.add(image),
      times: new Map()
    }
  }

  /** Lets time pass, steps when something falls due, and returns the last step. */
  after(milliseconds: number): PodStep {
    const end = this.now + milliseconds
    let step = this.#step()
    while (step.wakeAt !== undefined && step.wakeAt <= end) {
      this.now = Math.max(this.now, step.wakeAt)
      step = this.#step()
    }
    this.now = end
    return this.#step()
  }

  #step(): PodStep {
    const step = stepOf(this.pod, this.#node, this.now)
    if (step.status) this.pod = { ...this.pod, status: step.status }
    for (const { reason, container: about } of step.events) this.said.push(about ? `${about.spec.name} ${reason}` : reason)
    assert.equal(stepOf(this.pod, this.#node, this.now).status, undefined, 'a second look changes nothing')
    return step
  }

  delete(graceSeconds = 30): void {
    const metadata = { ...this.pod.metadata, deletionTimestamp: timestamp(this.now + graceSeconds * 1000) }
    this.pod = { ...this.pod, metadata: { ...metadata, deletionGracePeriodSeconds: graceSeconds } }
  }

  get status(): PodStatus {
    return this.pod.status
  }

  condition(type: string): string {
    const found = this.status.conditions?.find(condition => condition.type === type)
    return [found?.status, found?.reason, found?.message].filter(Boolean).join(' ')
  }

  state(index = 0, of: 'containerStatuses' | 'initContainerStatuses' = 'containerStatuses') {
    const { state, restartCount, ready } = this.status[of]![index]!
    const [name] = Object.keys(state)
    const reason = state.waiting?.reason ?? state.terminated?.reason
    return [name, reason, `${restartCount} restarts`, ready && 'ready'].filter(Boolean).join(', ')
  }
}

const container = (name: string, more: Partial<Container> = {}): Container =>
  ({ name, image: 'nginx', imagePullPolicy: 'IfNotPresent', ...more }) as Container

describe('a Pod on a simulated Node', () => {
  test('runs and is ready at once', () => {
    const life = new Life()
    life.after(0)
    assert.equal(life.status.phase, 'Running')
    assert.equal(life.state(), 'running, 0 restarts, ready')
    for (const type of ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'])
      assert.equal(life.condition(type), 'True')
    assert.deepEqual(life.said, ['web Pulling', 'web Pulled', 'web Created', 'web Started'])
    assert.equal(life.status.containerStatuses![0]!.image, 'docker.io/library/nginx:latest')
  })

  test('starts and becomes ready when its annotations say', () => {
    const life = new Life({}, { 'starts-after': '2s', 'ready-after': '3s' })
    life.after(1999)
    assert.equal(life.status.phase, 'Pending')
    assert.equal(life.state(), 'waiting, ContainerCreating, 0 restarts')
    life.after(1)
    assert.equal(life.state(), 'running, 0 restarts')
    assert.equal(life.condition('Ready'), 'False ContainersNotReady containers with unready status: [web]')
    life.after(3000)
    assert.equal(life.condition('Ready'), 'True')
  })

  test('of a Job succeeds after a second', () => {
    const life = new Life({ restartPolicy: 'Never' }, {}, 'Job')
    life.after(999)
    assert.equal(life.status.phase, 'Running')
    life.after(1)
    assert.equal(life.status.phase, 'Succeeded')
    assert.equal(life.condition('Ready'), 'False PodCompleted')
    assert.equal(life.state(), 'terminated, Completed, 0 restarts')
  })

  test('that fails is over with the policy Never, and starts again with OnFailure', () => {
    const annotations = { 'exits-after': '5s', 'exit-code': '3' }
    const over = new Life({ restartPolicy: 'Never' }, annotations)
    over.after(5000)
    assert.equal(over.status.phase, 'Failed')
    assert.equal(over.condition('ContainersReady'), 'False PodFailed')
    assert.equal(over.status.containerStatuses![0]!.state.terminated!.exitCode, 3)
    const again = new Life({ restartPolicy: 'OnFailure' }, annotations)
    again.after(5000)
    assert.equal(again.status.phase, 'Running')
    assert.equal(again.state(), 'running, 1 restarts, ready')
  })

  test('that crashes in a loop waits longer each time', () => {
    const life = new Life({}, { 'exits-after': '1s', 'exit-code': '1' })
    const restarts: number[] = []
    for (let second = 0, count = 0; second < 400; second++) {
      life.after(1000)
      const { restartCount } = life.status.containerStatuses![0]!
      if (restartCount > count) restarts.push(second + 1)
      count = restartCount
    }
    // at once, then after 10, 20, 40, 80, 160 s from each end
    assert.deepEqual(restarts, [1, 12, 33, 74, 155, 316])
    assert.equal(life.state(), 'waiting, CrashLoopBackOff, 6 restarts')
    assert.match(
      life.status.containerStatuses![0]!.state.waiting!.message!,
      /^back-off 5m0s restarting failed container=web pod=web_default\(u1\)$/
    )
    assert.equal(life.status.phase, 'Running')
  })

  test('runs init containers one after the other, and sidecars from their turn on', () => {
    const sidecar = container('proxy', { restartPolicy: 'Always' })
    const initContainers = [container('first'), sidecar, container('second')]
    const life = new Life(
      { initContainers, restartPolicy: 'Never' },
      {
        [`first.${annotationDomain}/exits-after`]: '2s',
        [`second.${annotationDomain}/exits-after`]: '3s',
        [`web.${annotationDomain}/exits-after`]: '4s'
      }
    )
    life.after(0)
    assert.equal(life.status.phase, 'Pending')
    assert.equal(
      life.condition('Initialized'),
      'False ContainersNotInitialized containers with incomplete status: [first proxy second]'
    )
    assert.equal(life.state(), 'waiting, PodInitializing, 0 restarts')
    life.after(2000)
    assert.equal(life.state(1, 'initContainerStatuses'), 'running, 0 restarts, ready')
    assert.equal(life.state(2, 'initContainerStatuses'), 'running, 0 restarts')
    life.after(3000)
    assert.equal(life.state(), 'running, 0 restarts, ready')
    life.after(4000)
    assert.equal(life.status.phase, 'Succeeded')
    assert.equal(life.state(1, 'initContainerStatuses'), 'terminated, Completed, 0 restarts')
  })

  test('waits for an image that cannot be pulled', () => {
    const life = new Life({}, { 'pull-error': 'not found' })
    life.after(60_000)
    assert.equal(life.state(), 'waiting, ImagePullBackOff, 0 restarts')
    assert.equal(life.status.phase, 'Pending')
  })

  test('is not ready while its probe fails', () => {
    const life = new Life({}, { ready: 'false' })
    life.after(60_000)
    assert.equal(life.state(), 'running, 0 restarts')
    life.pod = { ...life.pod, metadata: { ...life.pod.metadata, annotations: {} } }
    life.after(0)
    assert.equal(life.state(), 'running, 0 restarts, ready')
    life.pod = { ...life.pod, metadata: { ...life.pod.metadata, annotations: { program: 'says so' } } }
    life.after(0)
    assert.equal(life.state(), 'running, 0 restarts')
  })

  test('is as ready as the program says, which its probe finds out', () => {
    const probe = { httpGet: { port: 80 }, periodSeconds: 3 }
    const life = new Life({ containers: [container('web', { readinessProbe: probe })] })
    life.pod.metadata.annotations = { program: 'says so' }
    life.after(10_000)
    assert.equal(life.state(), 'running, 0 restarts')
    life.programSaysReady = true
    assert.equal(life.after(0).wakeAt, life.now + 3000)
    assert.equal(life.state(), 'running, 0 restarts, ready')
  })

  test('of a command that fails starts again, later each time', () => {
    const life = new Life({ containers: [container('web', { args: ['sh', '-c', 'echo no; exit 3'] })] })
    life.after(0)
    assert.equal(life.state(), 'waiting, CrashLoopBackOff, 1 restarts')
    assert.equal(life.status.containerStatuses![0]!.lastState.terminated!.exitCode, 3)
  })

  test('keeps unready while a readiness gate is', () => {
    const life = new Life({ readinessGates: [{ conditionType: 'example.com/open' }] })
    life.after(0)
    const missing = 'corresponding condition of pod readiness gate "example.com/open" does not exist.'
    assert.equal(life.condition('Ready'), `False ReadinessGatesNotReady ${missing}`)
    life.status.conditions = [
      ...life.status.conditions!,
      { type: 'example.com/open', status: 'True', lastProbeTime: null, lastTransitionTime: null }
    ]
    life.after(0)
    assert.equal(life.condition('Ready'), 'True')
    assert.equal(life.condition('example.com/open'), 'True')
  })

  test('ends when its deadline has passed', () => {
    const life = new Life({ activeDeadlineSeconds: 10 })
    life.after(9999)
    assert.equal(life.status.phase, 'Running')
    life.after(1)
    assert.equal(life.status.phase, 'Failed')
    assert.equal(life.status.reason, 'DeadlineExceeded')
    assert.equal(life.after(60_000).status, undefined)
  })

  test('that is deleted stops within its grace period', () => {
    const quick = new Life()
    quick.after(0)
    quick.delete()
    assert.equal(quick.after(0).isGone, true)
    assert.equal(quick.status.phase, 'Failed')
    const slow = new Life({}, { 'stops-after': '20s' })
    slow.after(0)
    slow.delete()
    assert.equal(slow.after(19_999).isGone, false)
    assert.equal(slow.after(1).isGone, true)
    assert.equal(slow.status.containerStatuses![0]!.state.terminated!.exitCode, 143)
    const deaf = new Life({}, { 'stops-after': '1h' })
    deaf.after(0)
    deaf.delete(5)
    assert.equal(deaf.after(4999).isGone, false)
    assert.equal(deaf.after(1).isGone, true)
    assert.equal(deaf.status.containerStatuses![0]!.state.terminated!.exitCode, 137)
    assert.deepEqual(deaf.said.filter(event => event === 'web Killing').length, 1)
  })

  test('follows a change of resources, in place or by a new start', () => {
    const sized = (cpu: string, memory: string) =>
      container('web', {
        resources: { requests: { cpu, memory } },
        resizePolicy: [{ resourceName: 'memory', restartPolicy: 'RestartContainer' }]
      })
    const life = new Life({ containers: [sized('1', '1Gi')] })
    life.after(0)
    life.pod = { ...life.pod, spec: { ...life.pod.spec, containers: [sized('2', '1Gi')] } }
    life.after(0)
    assert.equal(life.state(), 'running, 0 restarts, ready')
    assert.deepEqual(life.status.containerStatuses![0]!.allocatedResources, { cpu: '2', memory: '1Gi' })
    life.pod = { ...life.pod, spec: { ...life.pod.spec, containers: [sized('2', '2Gi')] } }
    life.after(0)
    assert.equal(life.state(), 'running, 1 restarts, ready')
    assert.deepEqual(life.status.containerStatuses![0]!.resources, { requests: { cpu: '2', memory: '2Gi' } })
    assert.equal(life.said.filter(event => event === 'ResizeCompleted').length, 2)
  })

  test('runs what kubectl debug has added, which counts for nothing', () => {
    const life = new Life({}, { [`debugger.${annotationDomain}/exits-after`]: '5s' })
    life.after(0)
    life.pod = { ...life.pod, spec: { ...life.pod.spec, ephemeralContainers: [container('debugger') as never] } }
    life.after(0)
    assert.ok(life.status.ephemeralContainerStatuses![0]!.state.running)
    life.after(5000)
    assert.equal(life.status.ephemeralContainerStatuses![0]!.state.terminated?.exitCode, 0)
    assert.equal(life.status.phase, 'Running')
    assert.equal(life.condition('Ready'), 'True')
  })

  test('restarts by the rules of a container for its exit codes', () => {
    const rule = { action: 'Restart', exitCodes: { operator: 'In', values: [42] } }
    const spec = {
      restartPolicy: 'Never',
      containers: [container('web', { restartPolicy: 'Never', restartPolicyRules: [rule] })]
    }
    const again = new Life(spec, { 'exits-after': '1s', 'exit-code': '42' })
    again.after(1000)
    assert.equal(again.state(), 'running, 1 restarts, ready')
    const over = new Life(spec, { 'exits-after': '1s', 'exit-code': '41' })
    over.after(1000)
    assert.equal(over.status.phase, 'Failed')
  })
})
