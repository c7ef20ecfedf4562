/** What DRA's gates add, in a server that has them on, and in one that has not. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { admin, send } from '../../testkit/send.js'
import { silentLogger } from '../../util/logger.js'

const group = '/apis/resource.k8s.io'
const gates = [
  'DRADerivedAttributes',
  'DRADeviceCompatibilityGroups',
  'DRAFractionalCapacityRange',
  'DRAListTypeAttributes',
  'DRANodeAllocatableResources',
  'DRAOptionalNodeOperations',
  'DRAPartitionableDevicesType',
  'DRAResourcePoolStatus'
]
const start = async (isOn: boolean) => {
  const server = createServer({
    log: silentLogger,
    featureGates: Object.fromEntries(gates.map(gate => [gate, isOn])),
    runtimeConfig: { 'api/all': true }
  })
  await server.start()
  return server
}

let server: BinnacleServer
let plain: BinnacleServer
before(async () => {
  ;[server, plain] = [await start(true), await start(false)]
})
after(async () => {
  await server.stop()
  await plain.stop()
})

const post = (url: string, spec: object, to = server) =>
  send(to, 'POST', `${group}/${url}?dryRun=All`, { metadata: { name: 'x' }, spec }, { user: admin })

/** The causes of a refusal; '' when there is none. */
async function problem(url: string, spec: object): Promise<string> {
  const { status, body } = await post(url, spec)
  if (status < 400) return ''
  return body.details?.causes?.map((cause: any) => `${cause.field}: ${cause.message}`).join('; ') ?? body.message
}

const claims = 'v1/namespaces/default/resourceclaims'
const claim = (derivedAttributes: object[], constraints: object[] = [{ matchAttribute: 'a.b/c' }]) => ({
  devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c', derivedAttributes } }], constraints }
})
const slices = 'v1/resourceslices'
const slice = (rest: object, ...devices: object[]) => ({
  driver: 'd.example.com',
  pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
  allNodes: true,
  devices: devices.map((device, i) => ({ name: `d${i}`, ...device })),
  ...rest
})
const part = { consumesCounters: [{ counterSet: 's', counters: { a: { value: '1' } } }] }

describe('without their gates', () => {
  it('the fields are dropped', async () => {
    const { body } = await post(claims, claim([{ name: 'a.b/c', expression: '1' }]), plain)
    assert.equal(body.spec.devices.requests[0].exactly.derivedAttributes, undefined)
    const [consumption] = part.consumesCounters
    const device = {
      consumesCounters: [{ ...consumption, compatibilityGroups: ['g'] }],
      nodeAllocatableResources: { cpu: { mapping: { deviceMultiplier: '1' } } }
    }
    const given = slice({ partitionTypeAttribute: 'a.b/c', skipNodeOperations: ['*'] }, device)
    const { body: made } = await post(slices, given, plain)
    assert.deepEqual(made.spec, slice({}, part))
    const request = { driver: 'd.example.com', defaultPartitionTypeAttribute: 'a.b/c' }
    assert.deepEqual((await post('v1alpha3/resourcepoolstatusrequests', request, plain)).body.spec, {
      driver: 'd.example.com',
      limit: 100
    })
  })
})

describe('a derived attribute', () => {
  const attribute = (expression: string, name = 'a.b/c') => ({ name, expression })
  const at = 'spec.devices.requests[0].exactly.derivedAttributes[0]'

  it('is compared by a constraint of its request', async () => {
    assert.equal(await problem(claims, claim([attribute('device.driver')])), '')
    const why = `${at}.name: Invalid value: "a.b/c": must be referenced by at least one matchAttribute or distinctAttribute constraint targeting this request`
    assert.equal(await problem(claims, claim([attribute('device.driver')], [{ matchAttribute: 'a.b/d' }])), why)
    const alternatives = (...constraints: object[]) => {
      const firstAvailable = [{ name: 's', deviceClassName: 'c', derivedAttributes: [attribute('1')] }]
      return problem(claims, { devices: { requests: [{ name: 'r', firstAvailable }], constraints } })
    }
    for (const name of ['r', 'r/s']) assert.equal(await alternatives({ distinctAttribute: 'a.b/c', requests: [name] }), '')
  })

  for (const [expression, type] of [
    ['device', 'kubernetes.DRADevice'],
    ['1.5', 'double'],
    ['[[1]]', 'list(list(int))']
  ] as const)
    it(`is a scalar or a list of scalars, not ${type}`, async () =>
      assert.equal(
        await problem(claims, claim([attribute(expression)])),
        `${at}.expression: Invalid value: "${expression}": must evaluate to a primitive scalar (string, integer, boolean, semver) or a list of these scalars, not ${type}`
      ))

  it('has the paths of the version of the request', async () => {
    const requests = [{ name: 'r', deviceClassName: 'c', derivedAttributes: [{ name: '', expression: '1' }] }]
    assert.equal(
      await problem('v1beta1/namespaces/default/resourceclaims', { devices: { requests } }),
      'spec.devices.requests[0].derivedAttributes[0].name: Required value'
    )
  })
})

describe('a slice', () => {
  it('has the type of its partitions as text', async () => {
    const of = (attributes: object) =>
      problem(slices, slice({ partitionTypeAttribute: 'd.example.com/t' }, { ...part, attributes }, {}))
    assert.equal(await of({ t: { string: 'x' } }), '')
    assert.equal(await of({ 'd.example.com/t': { string: 'x' } }), '')
    assert.match(await of({}), /^spec\.devices\[0\]\.attributes\[d\.example\.com\/t\]: Required value: device consumes counters/)
    assert.match(await of({ t: { int: 1 } }), /\[d\.example\.com\/t\]: Invalid value: \{.*\}: must be a string value because/)
    assert.match(
      await problem(slices, slice({ partitionTypeAttribute: 'a.b/c' }, {})),
      /may only be set on a slice which declares/
    )
  })

  it('skips the preparation of devices only with its end', async () => {
    const skip = (...skipNodeOperations: string[]) => problem(slices, slice({ skipNodeOperations }, {}))
    assert.match(
      await skip('NodePrepareResources'),
      /^spec\.skipNodeOperations: Invalid value: \["NodePrepareResources"\]: NodePrepare/
    )
    assert.equal(await skip('NodePrepareResources', 'NodeUnprepareResources'), '')
    assert.equal(await skip('NodePrepareResources', '*'), '')
  })

  it("stands for a node's own resources", async () => {
    const of = (nodeAllocatableResources: object) =>
      problem(slices, slice({}, { capacity: { m: { value: '1' } }, nodeAllocatableResources }))
    const at = 'spec.devices[0].nodeAllocatableResources'
    assert.equal(await of({ memory: { mapping: { capacityKey: 'm', capacityMultiplier: '1' }, overhead: { perPod: '0' } } }), '')
    assert.equal(
      await of({ 'a.b/c': { mapping: { deviceMultiplier: '1' } } }),
      `${at}[a.b/c]: Invalid value: "a.b/c": must be a node allocatable resource name`
    )
    assert.equal(await of({ cpu: {} }), `${at}[cpu]: Required value: at least one of mapping or overhead must be set`)
    assert.equal(
      await of({ 'hugepages-2Mi': { mapping: { capacityKey: 'x' }, overhead: { perContainer: '-1' } } }),
      `${at}[hugepages-2Mi].mapping.capacityKey: Not found: "x"; ${at}[hugepages-2Mi].mapping.capacityMultiplier: Required value: capacityMultiplier is required when capacityKey is set; ` +
        `${at}[hugepages-2Mi].overhead.perContainer: Invalid value: "-1": must be non-negative`
    )
  })

  for (const [range, standard, expected] of [
    [{ min: '1500m', max: '4500m', step: '500m' }, '2', ''],
    [
      { min: '1500m', max: '4400m', step: '500m' },
      '2',
      'step: Invalid value: "4400m": value is not a multiple of a given step (500m) from (1500m)'
    ],
    [{ min: '1u', max: '4', step: '1' }, '2', 'min: Invalid value: "1u": value cannot be represented as a milli value'],
    [{ min: '1', max: '4', step: '0' }, '2', 'step: Invalid value: "0": must be greater than zero'],
    [{ min: '-1', max: '4', step: '1' }, '2', 'min: Invalid value: "-1": must be greater than or equal to 0'],
    [{ min: '3', max: '4', step: '1' }, '2', 'default: Invalid value: "2": default is less than min: 3']
  ] as const)
    it(`shares capacity in steps of ${range.step} from ${range.min} to ${range.max}: ${expected || 'yes'}`, async () => {
      const m = { value: '10', requestPolicy: { default: standard, validRange: range } }
      const found = await problem(slices, slice({}, { allowMultipleAllocations: true, capacity: { m } }))
      const first = found.split('; ')[0]!.replace('spec.devices[0].capacity[m].requestPolicy.validRange.', '')
      assert.equal(first, expected)
    })
})

describe('a DeviceTaintRule', () => {
  it('is replaced without its resourceVersion only in versions before v1', async () => {
    const rule = { metadata: { name: 'r' }, spec: { taint: { key: 'k', effect: 'None' } } }
    const url = (version: string) => `${group}/${version}/devicetaintrules`
    await send(server, 'POST', url('v1'), rule, { user: admin })
    const put = async (version: string) => (await send(server, 'PUT', `${url(version)}/r`, rule, { user: admin })).status
    assert.deepEqual([await put('v1'), await put('v1beta2')], [422, 200])
    const { body } = await send(server, 'DELETE', `${url('v1')}/r`, undefined, { user: admin })
    assert.equal(body.kind, 'Status')
  })
})
