import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FeatureGates } from '../../apimachinery/features/feature-gates.js'
import { RowClock } from '../../apimachinery/formats/table.js'
import { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import type { StatusSubresource } from '../../registry/subresource.js'
import { deviceTaintRule } from './device-taint-rule.js'
import { validateParameters } from './opaque-configuration.js'
import { resourceClaim } from './resource-claim.js'
import { resourcePoolStatusRequest } from './resource-pool-status-request.js'
import { resourceSlice } from './resource-slice.js'

const context: any = new RowClock(Date.parse('2024-01-02T03:04:05Z'))

function problems(validate: ((object: any, ...rest: any[]) => void) | undefined, object: any, old?: any): string[] {
  const errors = new FieldErrors()
  if (old) validate!(object, old, errors, context)
  else validate!(object, errors, context)
  return errors.list.map(e => `${e.field}: ${e.message}`)
}

/** The context of a service account with the permissions for which `allows` returns true. */
const writer = (allows: (question: string) => boolean, extra = {}): any => ({
  namespace: 'ns',
  request: { name: 'c', verb: 'update' },
  user: { name: 'system:serviceaccount:ns:driver', groups: [], extra },
  services: {
    features: new FeatureGates(),
    authorizer: {
      authorize: (a: any) => ({ allowed: allows([a.verb, a.subresource, a.namespace, a.name].join(' ')), reason: '' })
    }
  }
})

async function statusProblems(object: any, old: any, context = writer(() => true)): Promise<string[]> {
  const errors = new FieldErrors()
  const { validateUpdate } = resourceClaim.subresources!.status as StatusSubresource<any>
  await validateUpdate!(object, old, errors, context)
  return errors.list.map(e => `${e.field}: ${e.message}`)
}

const claim = (requests: any[], status: any = {}): any => ({ metadata: { name: 'c' }, spec: { devices: { requests } }, status })

const slice = (spec: any) => ({
  metadata: {},
  spec: { driver: 'd', pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, ...spec }
})

describe('resource.k8s.io', () => {
  it('takes only objects as parameters of a driver, also beside large numbers', () => {
    const found = (parameters: unknown) => {
      const errors = new FieldErrors()
      validateParameters(parameters, Path.of('p'), errors)
      return errors.list.map(e => e.message)
    }
    assert.deepEqual(found({ a: 2n ** 53n }), [])
    assert.deepEqual(found(2n ** 53n), ['Invalid value: "<value omitted>": must be a valid JSON object'])
    assert.match(found({ a: 'x'.repeat(10_240) })[0]!, /^Too long/)
  })

  it('requests one device by default', () => {
    const object = claim([
      { name: 'a', exactly: { deviceClassName: 'c' } },
      { name: 'b', firstAvailable: [{ name: 's', allocationMode: 'All' }] }
    ])
    resourceClaim.strategy!.default!(object, context)
    const [a, b] = object.spec.devices.requests
    assert.deepEqual(a.exactly, { deviceClassName: 'c', allocationMode: 'ExactCount', count: 1 })
    assert.deepEqual(b.firstAvailable, [{ name: 's', allocationMode: 'All' }])
  })

  it('tolerates equal values by default, where devices are requested and where they are allocated', () => {
    const object = claim([
      { name: 'a', exactly: { deviceClassName: 'c', tolerations: [{ key: 'a' }] } },
      { name: 'b', firstAvailable: [{ name: 's', tolerations: [{}, { operator: 'Exists' }] }] }
    ])
    object.status = { allocation: { devices: { results: [{ tolerations: [{ key: 'b' }] }] } } }
    resourceClaim.strategy!.default!(object, context)
    const [a, b] = object.spec.devices.requests
    assert.deepEqual(a.exactly.tolerations, [{ key: 'a', operator: 'Equal' }])
    assert.deepEqual(b.firstAvailable[0].tolerations, [{ operator: 'Equal' }, { operator: 'Exists' }])
    assert.deepEqual(object.status.allocation.devices.results[0].tolerations, [{ key: 'b', operator: 'Equal' }])
  })

  it('reports duplicate names after errors in single requests', () => {
    const exactly = { deviceClassName: 'c', allocationMode: 'ExactCount', count: 1 }
    const object = claim([
      { name: 'x', exactly },
      { name: 'x', exactly },
      { name: 'y', exactly: { ...exactly, deviceClassName: '' } }
    ])
    assert.deepEqual(problems(resourceClaim.strategy?.validateCreate, object), [
      'spec.devices.requests[2].exactly.deviceClassName: Required value',
      'spec.devices.requests[1]: Duplicate value: "x"'
    ])
  })

  it('converts requests between the flat form of v1beta1 and the stored one', () => {
    const { toStorage, fromStorage } = resourceClaim.versions.find(v => v.name === 'v1beta1')!
    const flat = claim([
      { name: 'a', deviceClassName: 'c', count: 2 },
      { name: 'b', deviceClassName: '', firstAvailable: [{ name: 's', deviceClassName: 'd' }] }
    ])
    const stored = toStorage!(flat)
    assert.deepEqual(stored.spec.devices.requests, [
      { name: 'a', exactly: { deviceClassName: 'c', count: 2 } },
      { name: 'b', firstAvailable: [{ name: 's', deviceClassName: 'd' }] }
    ])
    assert.deepEqual(fromStorage!(stored), flat)
    // what has no default is not shown as zero
    const odd = claim([{ name: 'a', deviceClassName: '', allocationMode: 'x' }])
    assert.deepEqual(fromStorage!(toStorage!(odd)), odd)
    // without any field it is neither
    assert.deepEqual(toStorage!(claim([{ name: 'a', deviceClassName: '' }])).spec.devices.requests, [{ name: 'a' }])
  })

  it('has no defaults for a request of v1beta1 without a class', () => {
    const { toStorage } = resourceClaim.versions.find(v => v.name === 'v1beta1')!
    const checked = (request: object) => {
      const stored = toStorage!(claim([{ name: 'a', deviceClassName: '', ...request }]))
      resourceClaim.strategy!.default!(stored, context)
      return problems(resourceClaim.strategy?.validateCreate, stored)
    }
    const at = 'spec.devices.requests[0].exactly'
    const missing = `${at}.deviceClassName: Required value`
    assert.deepEqual(checked({ count: 2 }), [
      missing,
      `${at}.allocationMode: Unsupported value: "": supported values: "All", "ExactCount"`
    ])
    assert.deepEqual(checked({ allocationMode: 'ExactCount' }), [
      missing,
      `${at}.count: Invalid value: 0: must be greater than zero`
    ])
  })

  it('converts devices between v1beta1 and the stored form', () => {
    const { toStorage, fromStorage } = resourceSlice.versions.find(v => v.name === 'v1beta1')!
    const old = {
      metadata: {},
      spec: {
        driver: 'd',
        devices: [
          { name: 'x', basic: { allNodes: true } },
          { name: 'y', basic: {} }
        ]
      }
    }
    const stored = toStorage!(old)
    assert.deepEqual(stored.spec.devices, [{ name: 'x', allNodes: true }, { name: 'y' }])
    assert.deepEqual(fromStorage!(stored), old)
  })

  const result = { request: 'a', driver: 'd.example.com', pool: 'p', device: 'x' }
  const allocation = { devices: { results: [result] } }
  const status = typeof resourceClaim.subresources?.status === 'object' ? resourceClaim.subresources?.status : {}
  const requests = [{ name: 'a', exactly: { deviceClassName: 'c' } }]

  it('refuses changes of an allocation, but not its removal', async () => {
    const allocated = claim(requests, { allocation })
    const other = claim(requests, { allocation: { devices: { results: [{ ...result, device: 'y' }] } } })
    assert.match(
      (await statusProblems(other, allocated))[0]!,
      /^status\.allocation: Invalid value: \{"Devices":.*: field is immutable$/
    )
    assert.deepEqual(await statusProblems(claim(requests), allocated), [])
    assert.deepEqual(
      await statusProblems(claim(requests, { reservedFor: [{ resource: 'pods', name: 'p', uid: 'u' }] }), allocated),
      ['status.reservedFor: Forbidden: may not be specified when `allocated` is not set']
    )
  })

  it('lets only drivers write the status of their devices, and only schedulers the allocation', async () => {
    const node = { key: 'metadata.name', operator: 'In', values: ['n1'] }
    const allocated = claim(requests, {
      allocation: { ...allocation, nodeSelector: { nodeSelectorTerms: [{ matchFields: [node] }] } }
    })
    const spoken = { ...allocated, status: { ...allocated.status, devices: [result] } }
    const as = (extra: object, allowed: string) => writer(question => question === allowed, extra)
    const onNode = { 'authentication.kubernetes.io/node-name': ['n1'] }
    assert.deepEqual(await statusProblems(spoken, allocated, as(onNode, 'associated-node:update driver ns d.example.com')), [])
    assert.deepEqual(await statusProblems(spoken, allocated, as({}, 'arbitrary-node:update driver ns d.example.com')), [])
    assert.match(
      (await statusProblems(spoken, allocated, as({}, 'associated-node:update driver ns d.example.com')))[0]!,
      /^status\.devices: Forbidden: .* verb="\[arbitrary-node:update\]" permission: .*cannot arbitrary-node:update resource "resourceclaims\/driver"/
    )
    assert.deepEqual(await statusProblems(claim(requests), allocated, as({}, 'update binding  ')), [])
  })

  it('drops the status of released devices', () => {
    const devices = [{ driver: 'd.example.com', pool: 'p', device: 'x' }]
    const released = claim(requests, { devices })
    status.prepareForUpdate!(released, claim(requests, { allocation, devices }), context)
    assert.deepEqual(released.status, {})
  })

  it('has exactly one field for the nodes of a slice', () => {
    const why = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required'
    assert.deepEqual(problems(resourceSlice.strategy?.validateCreate, slice({ allNodes: true })), [])
    assert.deepEqual(problems(resourceSlice.strategy?.validateCreate, slice({})), [`spec: Required value: ${why}`])
    assert.deepEqual(problems(resourceSlice.strategy?.validateCreate, slice({ allNodes: true, nodeName: 'n' })), [
      `spec: Invalid value: "{\`nodeName\`, \`allNodes\`}": ${why}, but multiple fields are set`
    ])
  })

  it('validates the request policy of shared devices', () => {
    const device = (requestPolicy: any, allowMultipleAllocations = true) =>
      problems(
        resourceSlice.strategy?.validateCreate,
        slice({
          allNodes: true,
          devices: [{ name: 'd', allowMultipleAllocations, capacity: { memory: { value: '10Gi', requestPolicy } } }]
        })
      ).map(e => e.replace('spec.devices[0].capacity[memory].requestPolicy', '$'))
    assert.deepEqual(device({ default: '2Gi', validRange: { min: '1Gi', max: '4Gi', step: '1Gi' } }), [])
    assert.deepEqual(device({ default: '1Gi' }, false), ['$: Forbidden: allowMultipleAllocations must be true'])
    assert.deepEqual(device({ default: '3Gi', validValues: ['2Gi', '1Gi'] }), [
      '$.validValues[1]: Invalid value: "1Gi": values must be sorted in ascending order',
      '$.validValues: Invalid value: "3Gi": default value is not valid according to the requestPolicy'
    ])
    assert.deepEqual(device({ default: null, validRange: { min: '1Gi' } }), [
      '$.default: Required value: required when validRange is defined'
    ])
    assert.deepEqual(device({ default: '3Gi', validRange: { min: '1Gi', step: '4Gi' } }), [
      '$.validRange.step: Invalid value: "3Gi": value is not a multiple of a given step (4Gi) from (1Gi)'
    ])
  })

  it('sets the time of new taints', () => {
    const slice: any = { metadata: {}, spec: { devices: [{ name: 'x', taints: [{ key: 'k', effect: 'NoSchedule' }] }] } }
    resourceSlice.strategy!.default!(slice, context)
    assert.equal(slice.spec.devices[0].taints[0].timeAdded, '2024-01-02T03:04:05Z')
  })

  describe('a selector of devices', () => {
    const found = (expression: string) =>
      problems(
        resourceClaim.strategy?.validateCreate,
        claim([
          {
            name: 'a',
            exactly: { deviceClassName: 'c', allocationMode: 'ExactCount', count: 1, selectors: [{ cel: { expression } }] }
          }
        ])
      )
    const at = 'spec.devices.requests[0].exactly.selectors[0].cel.expression'

    it('may use driver, attributes and capacity, and bind variables', () => {
      assert.deepEqual(found("device.driver == 'd' && device.capacity['d'].memory.isGreaterThan(quantity('1Gi'))"), [])
      assert.deepEqual(found("cel.bind(d, device.attributes['d'], d.size > 3 && d.model == 'x')"), [])
      assert.deepEqual(found("device.attributes['d'].isFast"), [])
    })

    it('must evaluate to a bool', () => {
      assert.deepEqual(found('1'), [`${at}: Invalid value: "1": must evaluate to bool or the unknown type, not int`])
      assert.match(found('device.nothing')[0]!, /compilation failed: .*undefined field 'nothing'/)
    })

    it('has a cost limit', () => {
      const all =
        'device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, device.attributes.all(d, a != b && c != d))))'
      assert.deepEqual(found(all), [`${at}: Forbidden: too complex, exceeds cost limit`])
    })
  })

  it('answers a request for the status of pools once', () => {
    const { validateUpdate } = resourcePoolStatusRequest.subresources!.status as StatusSubresource<any>
    const request = (status?: object) => ({ metadata: { name: 'r' }, spec: { driver: 'd' }, ...(status && { status }) })
    assert.deepEqual(problems(validateUpdate, request({ poolCount: 1 }), request()), [])
    assert.deepEqual(problems(validateUpdate, request({ poolCount: 2 }), request({ poolCount: 1 })), [
      'status: Invalid value: {"PoolCount":2,"Pools":null,"Conditions":null}: field is immutable'
    ])
    const columns = Object.fromEntries(resourcePoolStatusRequest.table!.columns!.map(({ name, value }) => [name, value]))
    const row = (object: any) => ['Total', 'Errors', 'Pools', 'Status', 'Completed'].map(name => columns[name]!(object, context))
    assert.deepEqual(row(request()), ['-', '-', 0, 'Pending', '<none>'])
    const complete = { type: 'Complete', status: 'True', lastTransitionTime: '2024-01-02T03:04:00Z' }
    const pools = [{ totalDevices: 2 }, { totalDevices: 3, validationError: 'x' }]
    assert.deepEqual(row(request({ poolCount: 3, pools, conditions: [complete] })), ['5', '1', 3, 'Complete (2/3 pools)', '5s'])
    assert.deepEqual(row(request({ poolCount: 2, pools, conditions: [{ ...complete, type: 'Failed' }] })), [
      '-',
      '-',
      2,
      'Failed',
      '<none>'
    ])
  })

  it('validates the conditions of a taint rule', () => {
    const { validateUpdate } = deviceTaintRule.subresources!.status as StatusSubresource<any>
    const good = { type: 'T', status: 'True', reason: 'R', message: '', lastTransitionTime: '2024-01-02T03:04:05Z' }
    const conditions = Array.from({ length: 9 }, (_, i) => ({ ...good, type: `T${i}` }))
    assert.deepEqual(problems(validateUpdate, { status: { conditions } }, {}), [
      'status.conditions: Too many: 9: must have at most 8 items'
    ])
    const [first] = problems(validateUpdate, { status: { conditions: [{ ...good, type: '' }] } }, {})
    assert.match(first!, /^status\.conditions\[0\]\.type: /)
  })
})
