import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RowClock } from '../../../apimachinery/formats/table.js'
import { decode } from '../../../apimachinery/schema/decode.js'
import { loadSchema } from '../../../apimachinery/schema/load.js'
import { FieldErrors } from '../../../apimachinery/validation/field.js'
import { defaultPullPolicy } from '../container/image-name.js'
import { podColumns } from './columns.js'
import { pod } from './pod.js'
import { qosClass } from './qos.js'

const context: any = { now: 0, subresource: '' }

function make(spec: object, rest: object = {}): any {
  const { object } = decode(loadSchema().type('core.v1.Pod'), {
    metadata: { name: 'p', namespace: 'n' },
    spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
    ...rest
  })
  pod.strategy!.default!(object, context)
  return object
}

function problems(run: (errors: FieldErrors) => void): string[] {
  const errors = new FieldErrors()
  run(errors)
  return errors.list.map(e => `${e.field}: ${e.message}`)
}

const invalid = (spec: object) => problems(errors => pod.strategy!.validate!(make(spec), errors, context))
const refused = (before: object, after: object, subresource = '') =>
  problems(errors => pod.strategy!.validateUpdate!(make(after), make(before), errors, { ...context, subresource }))

test('images without a tag, or with latest, are always pulled', () => {
  const policies = {
    i: 'Always',
    'i:latest': 'Always',
    'i:1': 'IfNotPresent',
    'r.example.com:5000/a/b': 'Always',
    [`i@sha256:${'a'.repeat(64)}`]: 'IfNotPresent'
  }
  for (const [image, policy] of Object.entries(policies)) assert.equal(defaultPullPolicy(image), policy, image)
})

test("a limit without a request is requested, and a port on the host network is the host's", () => {
  const { spec } = make({
    hostNetwork: true,
    containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '1' } }, ports: [{ containerPort: 80 }] }]
  })
  assert.deepEqual(spec.containers[0].resources, { limits: { cpu: '1' }, requests: { cpu: '1' } })
  assert.deepEqual(spec.containers[0].ports, [{ containerPort: 80, protocol: 'TCP', hostPort: 80 }])
})

test('serviceAccount is an alias of serviceAccountName', () => {
  assert.equal(make({ serviceAccount: 'old' }).spec.serviceAccountName, 'old')
  assert.equal(make({ serviceAccount: 'old', serviceAccountName: 'new' }).spec.serviceAccount, 'new')
})

test('quality of service follows from requests and limits', () => {
  const qos = (resources: object) => qosClass(make({ containers: [{ name: 'c', image: 'i', resources }] }).spec)
  assert.equal(qos({}), 'BestEffort')
  assert.equal(qos({ requests: { cpu: '1' } }), 'Burstable')
  assert.equal(qos({ limits: { cpu: '1', memory: '1Gi' } }), 'Guaranteed')
  assert.equal(qos({ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m' } }), 'Burstable')
  assert.equal(qos({ requests: { cpu: '0', 'example.com/x': '1' }, limits: { 'example.com/x': '1' } }), 'BestEffort')
})

test('quality of service is that of the Pod where it has resources of its own, and else what all containers have', () => {
  const all = { limits: { cpu: '1', memory: '1Gi' } }
  const qos = (own: object | undefined, ...containers: object[]) => {
    const [first, ...more] = containers.map((resources, i) => ({ name: `c${i}`, image: 'i', resources }))
    return qosClass(make({ containers: [first], initContainers: more, ...(own ? { resources: own } : {}) }).spec)
  }
  assert.equal(qos({}, all, all), 'Guaranteed')
  assert.equal(qos({ limits: {} }, {}, { limits: { cpu: '3' } }), 'Burstable')
  assert.equal(qos({ requests: { cpu: '1' } }, all), 'Burstable')
  assert.equal(qos({ requests: all.limits, ...all }, {}), 'Guaranteed')
  assert.equal(qos(undefined, all, {}), 'Burstable')
  assert.equal(qos(undefined, {}, {}), 'BestEffort')
})

test('errors have the texts of kube-apiserver', () => {
  assert.deepEqual(invalid({}), [])
  assert.deepEqual(invalid({ containers: [] }), ['spec.containers: Required value'])
  assert.deepEqual(invalid({ volumes: [{ name: 'v', emptyDir: {}, hostPath: { path: '/' } }] }), [
    'spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type'
  ])
  assert.deepEqual(invalid({ containers: [{ name: 'c', image: 'i', volumeMounts: [{ name: 'x', mountPath: '/x' }] }] }), [
    'spec.containers[0].volumeMounts[0].name: Not found: "x"'
  ])
  assert.deepEqual(invalid({ tolerations: [{ key: 'k', tolerationSeconds: 1 }] }), [
    'spec.tolerations[0].effect: Invalid value: "": effect must be \'NoExecute\' when `tolerationSeconds` is set'
  ])
  assert.deepEqual(
    invalid({ containers: [{ name: 'c', image: 'i', livenessProbe: { exec: { command: ['x'] }, tcpSocket: { port: 1 } } }] }),
    ['spec.containers[0].livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type']
  )
})

test('a running Pod has only few mutable fields', () => {
  const gated = { schedulingGates: [{ name: 'example.com/a' }], nodeSelector: { a: 'b' } }
  assert.deepEqual(refused({}, { containers: [{ name: 'c', image: 'other' }] }), [])
  assert.deepEqual(refused({}, { tolerations: [{ key: 'x', operator: 'Exists' }] }), [])
  assert.deepEqual(refused({ activeDeadlineSeconds: 5 }, { activeDeadlineSeconds: 6 }), [
    'spec.activeDeadlineSeconds: Invalid value: 6: must be less than or equal to previous value'
  ])
  assert.match(
    refused({}, { hostname: 'h' })[0]!,
    /^spec: Forbidden: pod updates may not change fields other than .*\n- "Hostname": "",\n\+ "Hostname": "h",\n.*$/s
  )
  const long = { securityContext: { runAsUser: 9223372036854775807n } }
  assert.match(refused({}, long).at(-1)!, /\n\+ {1,2}"RunAsUser": 9223372036854775807,\n/)
  assert.deepEqual(refused(gated, { ...gated, nodeSelector: { a: 'b', c: 'd' } }), [])
  assert.match(refused(gated, { ...gated, nodeSelector: { a: 'z' } })[0]!, /only additions to spec.nodeSelector are allowed/)
})

test('a Pod has one of two policies for SELinux', () => {
  const spec = (seLinuxChangePolicy: string) => ({ securityContext: { seLinuxChangePolicy } })
  assert.deepEqual(invalid(spec('MountOption')), [])
  const kept = (policy: string) =>
    problems(errors => pod.strategy!.validate!(make(spec(policy)), errors, context, make(spec('Recursive'))))
  assert.deepEqual(kept('MountOption'), [])
  assert.deepEqual(kept('x'), [
    'spec.securityContext.seLinuxChangePolicy: Unsupported value: "x": supported values: "MountOption", "Recursive"'
  ])
})

test('requests default to limits of any name', () => {
  const limits = JSON.parse('{"__proto__":"1"}')
  const [container] = make({ containers: [{ name: 'c', image: 'i', resources: { limits } }] }).spec.containers
  assert.deepEqual(Object.keys(container!.resources!.requests!), ['__proto__'])
})

test('a resize may not change the quality of service', () => {
  const sized = (requests: object) => ({ containers: [{ name: 'c', image: 'i', resources: { requests } }] })
  assert.deepEqual(refused(sized({ cpu: '1' }), sized({ cpu: '2' }), 'resize'), [])
  assert.deepEqual(refused(sized({ cpu: '1' }), sized({}), 'resize'), [
    'spec: Invalid value: "": Pod QOS Class may not change as a result of resizing',
    'spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed'
  ])
})

test('Pods without a node and finished Pods have no grace period, and a negative period means one second', () => {
  const grace = (spec: object, requested?: number, phase = 'Running') =>
    pod.deletion!.gracePeriod!(make(spec, { status: { phase } }), requested)
  assert.equal(grace({}), 0)
  assert.equal(grace({ nodeName: 'n' }), 30)
  assert.equal(grace({ nodeName: 'n' }, -5), 1)
  assert.equal(grace({ nodeName: 'n' }, 7), 7)
  assert.equal(grace({ nodeName: 'n' }, 7, 'Succeeded'), 0)
})

test('the Status column has the reason why a Pod does not run', () => {
  const column = podColumns.find(c => c.name === 'Status')!
  const status = (state: object, spec: object = {}) =>
    column.value(make(spec, { status: { phase: 'Pending', ...state } }), new RowClock(0))
  const container = (state: object, more: object = {}) => ({
    name: 'c',
    image: 'i',
    imageID: '',
    ready: false,
    restartCount: 0,
    state,
    lastState: {},
    ...more
  })
  assert.equal(status({}), 'Pending')
  assert.equal(status({ reason: 'Evicted' }), 'Evicted')
  assert.equal(status({ containerStatuses: [container({ waiting: { reason: 'CrashLoopBackOff' } })] }), 'CrashLoopBackOff')
  assert.equal(status({ containerStatuses: [container({ terminated: { exitCode: 3 } })] }), 'ExitCode:3')
  assert.equal(
    status(
      { initContainerStatuses: [container({ waiting: { reason: 'PodInitializing' } })] },
      {
        initContainers: [
          { name: 'c', image: 'i' },
          { name: 'd', image: 'i' }
        ]
      }
    ),
    'Init:0/2'
  )
})
