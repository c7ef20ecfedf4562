/** Workloads and PodGroups in a server whose gates are on, and in one with GenericWorkload alone. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { send } from '../../testkit/send.js'
import { silentLogger } from '../../util/logger.js'

const runtimeConfig = { 'scheduling.k8s.io/v1alpha3': true }
const group = '/apis/scheduling.k8s.io/v1alpha3/namespaces/default'
const workloads = `${group}/workloads`
const groups = `${group}/podgroups`
const jobs = '/apis/batch/v1/namespaces/default/jobs'

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
    GangScheduling: true,
    DRAWorkloadResourceClaims: true,
    TopologyAwareWorkloadScheduling: true
  })
  assert.equal(await problem('POST', workloads, aWorkload('w')), '')
})
after(() => server.stop())

describe('a Workload', () => {
  it('has templates with one policy each', async () => {
    const refused = async (podGroupTemplates: object[], spec: object = {}) =>
      problem('POST', dryRun(workloads), aWorkload('x', { podGroupTemplates, ...spec }))
    const at = 'spec.podGroupTemplates'
    assert.equal(await refused([]), `${at}: Required value`)
    assert.equal(await refused(Array(9).fill(template)), `${at}: Too many: 9: must have at most 8 items`)
    assert.equal(
      await refused([{ name: 'a', schedulingPolicy: {} }]),
      `${at}[0].schedulingPolicy: Invalid value: "": must specify one of: \`basic\`, \`gang\``
    )
    assert.equal(
      await refused([{ name: 'a', schedulingPolicy: { ...basic, ...gang } }]),
      `${at}[0].schedulingPolicy: Invalid value: "{basic, gang}": must specify exactly one of: \`basic\`, \`gang\``
    )
    assert.equal(
      await refused([{ name: 'a', schedulingPolicy: { gang: {} } }]),
      `${at}[0].schedulingPolicy.gang.minCount: Required value`
    )
    assert.equal(
      await refused([{ name: 'a', schedulingPolicy: { gang: { minCount: -1 } } }]),
      `${at}[0].schedulingPolicy.gang.minCount: Invalid value: -1: must be greater than or equal to 1`
    )
    assert.match(
      await refused([{ schedulingPolicy: basic }, template, template]),
      /\[2\]: Duplicate value.*\[0\]\.name: Required value/
    )
    assert.equal(
      await refused([template], { controllerRef: { kind: '', name: 'a/b' } }),
      'spec.controllerRef.kind: Required value; spec.controllerRef.name: Invalid value: "a/b": may not contain \'/\''
    )
  })

  it('stays as it is', async () => {
    assert.equal(
      await problem('PATCH', `${workloads}/w`, { spec: { podGroupTemplates: [{ ...template, name: 'u' }] } }),
      'spec.podGroupTemplates: Invalid value: null: field is immutable'
    )
    assert.equal(
      await problem('PATCH', `${workloads}/w`, { spec: { controllerRef: { kind: 'Job', name: 'j' } } }),
      'spec.controllerRef: Invalid value: null: field is immutable'
    )
    assert.equal(await problem('PATCH', `${workloads}/w`, { metadata: { labels: { a: 'b' } } }), '')
  })
})

describe('a PodGroup', () => {
  const ref = (workloadName: string, podGroupTemplateName: string) => ({
    podGroupTemplateRef: { workload: { workloadName, podGroupTemplateName } }
  })
  const refused = (spec: object) => problem('POST', dryRun(groups), aGroup('x', spec))

  it('gets a finalizer, a disruption mode and a priority', async () => {
    const { body } = await ask('POST', groups, { ...aGroup('a', ref('w', 't')), status: { conditions: [] } })
    assert.deepEqual(body.metadata.finalizers, ['scheduling.k8s.io/podgroup-protection'])
    assert.deepEqual(body.spec, { ...ref('w', 't'), schedulingPolicy: basic, disruptionMode: 'Pod', priority: 0 })
    assert.deepEqual(body.status, {})
    assert.equal(
      await problem('POST', dryRun(groups), aGroup('x', { priorityClassName: 'system-node-critical' })),
      'spec.priority: Invalid value: 2000001000: must be less than or equal to 1000000000'
    )
  })

  it('needs the template of the Workload that it names', async () => {
    assert.equal(await refused(ref('none', 't')), 'PodGroup rejected: Workload "none" not found')
    assert.equal(await refused(ref('w', 'u')), 'PodGroup rejected: PodGroupTemplate "u" not found in Workload "w"')
    assert.equal(
      await refused({ podGroupTemplateRef: {} }),
      'spec.podGroupTemplateRef: Invalid value: "": must specify one of: `workload`'
    )
    assert.equal(
      await problem('POST', workloads, { ...aWorkload('going'), metadata: { name: 'going', finalizers: ['a/b'] } }),
      ''
    )
    await ask('DELETE', `${workloads}/going`)
    assert.equal(await refused(ref('going', 't')), 'PodGroup rejected: Workload "going" is being deleted')
  })

  it('is validated', async () => {
    const claim = { name: 'c', resourceClaimName: 'r' }
    assert.equal(
      await refused({ schedulingConstraints: { topology: [{ key: 'a' }, { key: 'b' }] } }),
      'spec.schedulingConstraints.topology: Too many: 2: must have at most 1 item'
    )
    assert.equal(
      await refused({ schedulingConstraints: { topology: [{}] } }),
      'spec.schedulingConstraints.topology[0].key: Required value'
    )
    assert.match(
      await refused({ resourceClaims: [claim, { name: 'c' }] }),
      /^spec\.resourceClaims\[1\]: Duplicate value: \{"name":"c"\}; spec\.resourceClaims\[1\]: Invalid value: "": must specify one of: `resourceClaimName`, `resourceClaimTemplateName`$/
    )
    assert.equal(
      await refused({ resourceClaims: Array.from({ length: 5 }, (_, i) => ({ ...claim, name: `c${i}` })) }),
      'spec.resourceClaims: Too many: 5: must have at most 4 items'
    )
    assert.equal(
      await refused({ disruptionMode: 'All' }),
      'spec.disruptionMode: Unsupported value: "All": supported values: "Pod", "PodGroup"'
    )
    assert.equal(await refused({ priorityClassName: 'none' }), 'no PriorityClass with name none was found')
    assert.equal(
      await refused({ priority: 5 }),
      'priority set in the pod group (5) must match the priority computed (0) based on the priority class set in the spec'
    )
  })

  it('reports an error in its metadata once', async () => {
    const { body } = await ask('POST', groups, { ...aGroup('x'), metadata: { name: 'x', ownerReferences: [{}, {}] } })
    assert.deepEqual(
      body.details.causes.map(({ field }: any) => field.replace('metadata.ownerReferences.', '')),
      ['apiVersion', 'kind', 'name', 'uid']
    )
  })

  it('stays as it is but for its status', async () => {
    assert.equal(
      await problem('POST', groups, aGroup('s', { resourceClaims: [{ name: 'c', resourceClaimTemplateName: 'r' }] })),
      ''
    )
    const changed = { schedulingPolicy: { basic: null, gang: { minCount: 1 } }, disruptionMode: 'PodGroup', resourceClaims: null }
    assert.equal(
      await problem('PATCH', `${groups}/s`, { spec: changed }),
      ['schedulingPolicy', 'resourceClaims', 'disruptionMode']
        .map(field => `spec.${field}: Invalid value: null: field is immutable`)
        .join('; ')
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
    await ask('POST', groups, aGroup('row', { schedulingPolicy: gang, ...ref('w', 't') }))
    assert.deepEqual(await row(), ['row', 'Gang', 'w', 'Pending'])
    await set('PodGroupScheduled')
    assert.deepEqual(await row(), ['row', 'Gang', 'w', 'Scheduled'])
    await set('PodGroupScheduled', 'DisruptionTarget')
    assert.deepEqual(await row(), ['row', 'Gang', 'w', 'R'])
    assert.equal((await ask('GET', `${groups}/row/status`, undefined, { accept })).status, 406)
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
    assert.equal(await refused({}), 'spec.schedulingGroup.podGroupName: Invalid value: null: must specify one of: `podGroupName`')
    assert.match(
      await refused({ podGroupName: 'A' }),
      /^spec\.schedulingGroup\.podGroupName: Invalid value: "A": a lowercase RFC 1123/
    )
    assert.equal(await refused({ podGroupName: 'a' }), '')
  })
})

describe('a Job', () => {
  const aJob = (name: string, spec: object = {}) => ({
    metadata: { name },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }], ...spec } } }
  })
  const scaled = (name: string) => problem('PATCH', dryRun(`${jobs}/${name}`), { spec: { parallelism: 3 } })
  const because = (name: string) => `cannot change parallelism for a Job referencing gang-scheduled PodGroup "${name}"`

  it('keeps the parallelism of a gang', async () => {
    await ask('POST', groups, aGroup('gang', { schedulingPolicy: gang }))
    await ask('POST', groups, aGroup('crowd'))
    await ask('POST', jobs, aJob('gang', { schedulingGroup: { podGroupName: 'gang' } }))
    await ask('POST', jobs, aJob('crowd', { schedulingGroup: { podGroupName: 'crowd' } }))
    assert.equal(await scaled('gang'), because('gang'))
    assert.equal(await scaled('crowd'), '')
  })

  it('keeps that of a gang which it controls', async () => {
    const { body: job } = await ask('POST', jobs, aJob('owner'))
    assert.equal(await scaled('owner'), '')
    const owner = { apiVersion: 'batch/v1', kind: 'Job', name: 'owner', uid: job.metadata.uid, controller: true }
    const { spec } = aGroup('owned', { schedulingPolicy: gang })
    assert.equal(await problem('POST', groups, { metadata: { name: 'owned', ownerReferences: [owner] }, spec }), '')
    assert.equal(await scaled('owner'), because('owned'))
  })
})

describe('without the gates of its fields', () => {
  it('a PodGroup loses them, and has the default disruption mode when it is read', async () => {
    const other = await start({ GenericWorkload: true })
    try {
      const constraints = { topology: [{ key: 'a' }] }
      const given = {
        disruptionMode: 'PodGroup',
        priority: 5,
        schedulingConstraints: constraints,
        resourceClaims: [{ name: 'c' }]
      }
      const { body } = await ask('POST', groups, aGroup('g', given), {}, other)
      assert.deepEqual(body.spec, { podGroupTemplateRef: null, schedulingPolicy: basic, disruptionMode: 'Pod' })
      assert.equal(
        await problem('PATCH', `${groups}/g`, { spec: { disruptionMode: 'PodGroup' } }, {}, other),
        'spec.disruptionMode: Forbidden'
      )
      // the store lacks the default, so that the first update writes the group
      const { body: same } = await ask('PATCH', `${groups}/g`, {}, {}, other)
      assert.notEqual(same.metadata.resourceVersion, body.metadata.resourceVersion)
      const { body: again } = await ask('PATCH', `${groups}/g`, {}, {}, other)
      assert.equal(again.metadata.resourceVersion, same.metadata.resourceVersion)
    } finally {
      await other.stop()
    }
  })
})
