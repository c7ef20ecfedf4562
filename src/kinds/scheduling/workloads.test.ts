/** Workloads, PodGroups and CompositePodGroups in a server whose gates are on, and in one with GenericWorkload alone. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { send } from '../../testkit/send.js'
import { silentLogger } from '../../util/logger.js'

const runtimeConfig = { 'scheduling.k8s.io/v1alpha3': true, 'scheduling.k8s.io/v1beta1': true }
const group = '/apis/scheduling.k8s.io/v1alpha3/namespaces/default'
const workloads = `${group}/workloads`
const groups = `${group}/podgroups`
const composites = `${group}/compositepodgroups`

const start = async (featureGates: Record<string, boolean>) => {
  const server = createServer({ log: silentLogger, featureGates, runtimeConfig })
  await server.start()
  return server
}

let server: BinnacleServer

const ask = (method: string, url: string, body?: object, headers: Record<string, string> = {}, to = server) =>
  send(to, method, url, body, { headers })

/** The causes of a refusal, or its message; '' when there is none. */
async function problem(...request: Parameters<typeof ask>): Promise<string> {
  const { status, body } = await ask(...request)
  if (status < 400) return ''
  const causes = body.details?.causes?.map((cause: any) => `${cause.field}: ${cause.message}`).join('; ')
  return causes ?? body.message.replace(/^.*? is forbidden: /, '')
}

const gang = { gang: { minCount: 2 } }
const basic = { basic: {} }
const template = { name: 't', schedulingPolicy: gang }
const aWorkload = (name: string, spec: object = {}) => ({ metadata: { name }, spec: { podGroupTemplates: [template], ...spec } })
const aGroup = (name: string, spec: object = {}) => ({ metadata: { name }, spec: { schedulingPolicy: basic, ...spec } })
const dryRun = (path: string) => `${path}?dryRun=All`

before(async () => {
  server = await start({
    GenericWorkload: true,
    CompositePodGroup: true,
    DRAWorkloadResourceClaims: true,
    PodGroupPreemptionPolicy: true,
    TopologyAwareWorkloadScheduling: true
  })
  assert.equal(await problem('POST', workloads, aWorkload('w')), '')
})
after(() => server.stop())

describe('a Workload', () => {
  const refused = (spec: object) => problem('POST', dryRun(workloads), { metadata: { name: 'x' }, spec })
  const composite = (name: string, rest: object = { podGroupTemplates: [{ ...template, name: `${name}-child` }] }) => ({
    name,
    schedulingPolicy: basic,
    ...rest
  })

  it('is the same in both versions', async () => {
    const { body } = await ask('GET', `${workloads.replace('v1alpha3', 'v1beta1')}/w`)
    assert.equal(body.apiVersion, 'scheduling.k8s.io/v1beta1')
    assert.deepEqual(body.spec, { podGroupTemplates: [{ ...template, schedulingConstraints: null }] })
  })

  it('has templates with one policy each', async () => {
    const at = 'spec.podGroupTemplates[0].schedulingPolicy'
    const policy = (schedulingPolicy: object) => refused({ podGroupTemplates: [{ name: 'a', schedulingPolicy }] })
    assert.equal(await policy({}), `${at}: Invalid value: "": must specify one of: \`basic\`, \`gang\``)
    assert.equal(
      await policy({ ...basic, ...gang }),
      `${at}: Invalid value: "{basic, gang}": must specify exactly one of: \`basic\`, \`gang\``
    )
    assert.equal(await policy({ gang: {} }), `${at}.gang.minCount: Required value`)
  })

  it('has templates of one sort, whose names are unique in the tree', async () => {
    assert.match(
      await refused({}),
      /^spec: Invalid value: "": must specify one of: `podGroupTemplates`, `compositePodGroupTemplates`$/
    )
    assert.match(
      await refused({ podGroupTemplates: [template], compositePodGroupTemplates: [composite('c')] }),
      /^spec: Invalid value: "\{podGroupTemplates, compositePodGroupTemplates\}": must specify exactly one of/
    )
    const at = 'spec.compositePodGroupTemplates'
    const twice = composite('c', { podGroupTemplates: [{ ...template, name: 'd' }] })
    assert.equal(
      await refused({ compositePodGroupTemplates: [twice, composite('d')] }),
      `${at}[0].podGroupTemplates[0].name: Duplicate value: "d"`
    )
    assert.equal(
      await refused({ compositePodGroupTemplates: [composite('c', { compositePodGroupTemplates: [composite('c')] })] }),
      `${at}[0].compositePodGroupTemplates[0].name: Duplicate value: "c"`
    )
  })

  it('is a tree of four levels with one priority', async () => {
    const at = 'spec.compositePodGroupTemplates[0]'
    const tree = (levels: number): object =>
      composite(`c${levels}`, levels === 1 ? undefined : { compositePodGroupTemplates: [tree(levels - 1)] })
    assert.equal(await refused({ compositePodGroupTemplates: [tree(3)] }), '')
    assert.match(await refused({ compositePodGroupTemplates: [tree(4)] }), /: maximum template hierarchy depth is 4$/)
    assert.equal(
      await refused({ compositePodGroupTemplates: [composite('c', {})] }),
      `${at}: Invalid value: "c": must have at least one child PodGroupTemplate or CompositePodGroupTemplate`
    )
    assert.equal(
      await refused({ compositePodGroupTemplates: [{ ...composite('c'), priority: 1 }] }),
      'spec: Invalid value: null: all priority and priorityClassName values must be identical, detected multiple values'
    )
    assert.equal(
      await refused({ podGroupTemplates: [template, { ...template, name: 'u', priorityClassName: 'p' }] }),
      'spec: Invalid value: null: detected multiple priority configurations'
    )
  })

  it('keeps its templates, and needs its resourceVersion', async () => {
    assert.match(
      await problem('PATCH', `${workloads}/w`, { spec: { podGroupTemplates: [{ ...template, name: 'u' }] } }),
      /^spec\.podGroupTemplates/
    )
    assert.equal(
      await problem('PATCH', `${workloads}/w`, { spec: { controllerRef: { kind: 'Job', name: 'j' } } }),
      'spec.controllerRef: Invalid value: null: field is immutable'
    )
    assert.equal(await problem('PATCH', `${workloads}/w`, { metadata: { labels: { a: 'b' } } }), '')
    assert.match(
      await problem('PUT', `${workloads}/w`, aWorkload('w')),
      /metadata\.resourceVersion: .*must be specified for an update/
    )
  })
})

describe('a PodGroup', () => {
  const ref = { workloadRef: { workloadName: 'none', templateName: 't' } }
  const refused = (spec: object) => problem('POST', dryRun(groups), aGroup('x', spec))

  it('gets a finalizer, a disruption mode, a priority and a preemption policy', async () => {
    const { body } = await ask('POST', groups, { ...aGroup('a', ref), status: { conditions: [] } })
    assert.deepEqual(body.metadata.finalizers, ['scheduling.k8s.io/podgroup-protection'])
    const given = { disruptionMode: { single: {} }, priority: 0, preemptionPolicy: 'PreemptLowerPriority' }
    assert.deepEqual(body.spec, { ...ref, schedulingPolicy: basic, ...given })
    assert.deepEqual(body.status, {})
    assert.equal(
      await problem('POST', dryRun(groups), aGroup('x', { priorityClassName: 'system-node-critical' })),
      'spec.priority: Invalid value: 2000001000: must be less than or equal to 1000000000'
    )
  })

  it('has the priority and the preemption policy of its class', async () => {
    const classes = '/apis/scheduling.k8s.io/v1/priorityclasses'
    await ask('POST', classes, { metadata: { name: 'calm' }, value: 7, preemptionPolicy: 'Never' })
    const calm = { priorityClassName: 'calm' }
    assert.equal(await refused({ ...calm, priority: 7, preemptionPolicy: 'Never' }), '')
    assert.equal(
      await refused(calm),
      'the string value of PreemptionPolicy (PreemptLowerPriority) must not be provided in pod group spec; priority admission controller computed Never from the given PriorityClass name'
    )
    assert.equal(await refused({ priorityClassName: 'none' }), 'no PriorityClass with name none was found')
    assert.equal(
      await refused({ priority: 5 }),
      'priority set in the pod group (5) must match the priority computed (0) based on the priority class set in the spec'
    )
  })

  it('names the Workload of its parent', async () => {
    const parent = { parentCompositePodGroupName: 'c' }
    assert.equal(await refused(parent), 'spec.workloadRef: Required value: must be set when parentCompositePodGroupName is set')
    assert.equal(await refused({ ...parent, ...ref }), '')
  })

  it('reports an error in its metadata once', async () => {
    const { body } = await ask('POST', groups, { ...aGroup('x'), metadata: { name: 'x', ownerReferences: [{}, {}] } })
    assert.deepEqual(
      body.details.causes.map(({ field }: any) => field.replace('metadata.ownerReferences[0].', '')),
      ['apiVersion', 'kind', 'name', 'uid']
    )
  })

  it('stays as it is but for its status', async () => {
    assert.equal(
      await problem('POST', groups, aGroup('s', { resourceClaims: [{ name: 'c', resourceClaimTemplateName: 'r' }] })),
      ''
    )
    const changed = { disruptionMode: { single: null, all: {} }, resourceClaims: null }
    assert.equal(
      await problem('PATCH', `${groups}/s`, { spec: changed }),
      ['resourceClaims', 'disruptionMode'].map(field => `spec.${field}: Invalid value: null: field is immutable`).join('; ')
    )
    const status = (resourceClaimStatuses: object[]) =>
      problem('PATCH', `${groups}/s/status`, { status: { resourceClaimStatuses } })
    assert.equal(
      await status([{ name: 'd' }]),
      'status.resourceClaimStatuses[0].name: Invalid value: "d": must match the name of an entry in `spec.resourceClaims`'
    )
    assert.match(
      await status([{ name: 'c', resourceClaimName: 'A' }]),
      /^status\.resourceClaimStatuses\[0\]\.resourceClaimName: Invalid/
    )
    assert.equal(await status([{ name: 'c', resourceClaimName: 'a' }]), '')
  })

  it('is a row of a Table, except as a status', async () => {
    const condition = { status: 'True', reason: 'R', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
    const row = async () => (await ask('GET', `${groups}/row`, undefined, { accept })).body.rows[0].cells.slice(0, 4)
    const set = (...types: string[]) =>
      ask('PATCH', `${groups}/row/status`, { status: { conditions: types.map(type => ({ type, ...condition })) } })
    await ask('POST', groups, aGroup('row', { schedulingPolicy: gang, ...ref }))
    assert.deepEqual(await row(), ['row', 'Gang', 'none', 'Pending'])
    await set('PodGroupInitiallyScheduled')
    assert.deepEqual(await row(), ['row', 'Gang', 'none', 'Scheduled'])
    await set('PodGroupInitiallyScheduled', 'DisruptionTarget')
    assert.deepEqual(await row(), ['row', 'Gang', 'none', 'R'])
    assert.equal((await ask('GET', `${groups}/row/status`, undefined, { accept })).status, 406)
  })
})

describe('a CompositePodGroup', () => {
  const spec = { workloadRef: { workloadName: 'w', templateName: 't' }, schedulingPolicy: basic }

  it('gets a disruption mode, a priority and a preemption policy, and no status', async () => {
    const { body } = await ask('POST', composites, { metadata: { name: 'c' }, spec, status: { conditions: [] } })
    const given = { disruptionMode: { single: {} }, priority: 0, preemptionPolicy: 'PreemptLowerPriority' }
    assert.deepEqual(body.spec, { ...spec, ...given })
    assert.deepEqual(body.status, {})
    assert.equal(
      await problem('POST', dryRun(composites), { metadata: { name: 'd' }, spec: { ...spec, priority: 3 } }),
      'priority set in the composite pod group (3) must match the priority computed (0) based on the priority class set in the spec'
    )
    assert.match(
      await problem('PATCH', `${composites}/c/status`, { status: { conditions: [{ type: 'x', status: 'odd' }] } }),
      /status\.conditions\[0\]\.status: Unsupported value/
    )
  })
})

describe('a Pod of a PodGroup', () => {
  it('names the group', async () => {
    const pod = (schedulingGroup: object) => ({
      metadata: { name: 'p' },
      spec: { schedulingGroup, containers: [{ name: 'c', image: 'i' }], automountServiceAccountToken: false }
    })
    const refused = (group: object) => problem('POST', dryRun('/api/v1/namespaces/default/pods'), pod(group))
    await ask('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } })
    assert.match(
      await refused({ podGroupName: 'A' }),
      /^spec\.schedulingGroup\.podGroupName: Invalid value: "A": a lowercase RFC 1123/
    )
    assert.equal(await refused({ podGroupName: 'a' }), '')
  })
})

describe('without the gates of its fields', () => {
  it('groups and templates lose them', async () => {
    const other = await start({ GenericWorkload: true, PodGroupPreemptionPolicy: false, TopologyAwareWorkloadScheduling: false })
    try {
      const gated = {
        preemptionPolicy: 'Never',
        schedulingConstraints: { topology: [{ key: 'a' }] },
        resourceClaims: [{ name: 'c' }]
      }
      const { body } = await ask('POST', groups, aGroup('g', { ...gated, parentCompositePodGroupName: 'p' }), {}, other)
      assert.deepEqual(body.spec, { schedulingPolicy: basic, disruptionMode: { single: {} }, priority: 0 })
      const templates = { podGroupTemplates: [{ ...template, ...gated }], compositePodGroupTemplates: [{ name: 'c' }] }
      const { body: made } = await ask('POST', workloads, aWorkload('g', templates), {}, other)
      assert.deepEqual(made.spec, { podGroupTemplates: [{ ...template, schedulingConstraints: null }] })
      assert.equal((await ask('GET', composites, undefined, {}, other)).status, 404)
    } finally {
      await other.stop()
    }
  })
})
