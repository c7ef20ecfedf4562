/** What kube-apiserver refuses, and after which other checks, where bodies, versions and kinds do not fit. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'
import { eventually } from '../eventually.js'

const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
const server = createServer({ log: silentLogger, storageBackend: 'memory' })
const widgets = '/apis/example.com/v1/namespaces/default/widgets'
const configMap = '/api/v1/namespaces/default/configmaps/a'

async function ask(method: string, url: string, body?: object | string, type = 'application/json') {
  const accept = type.startsWith('application/json;as') ? type : 'application/json'
  const answer = await server.inject({ method, url, user, body, headers: { 'content-type': type, accept } })
  return { ...answer.json(), status: answer.status }
}

const widget = (name: string, kind: string, spec: object, resourceVersion?: string) => ({
  apiVersion: 'example.com/v1',
  kind,
  metadata: { name, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
  spec
})

before(async () => {
  await server.start()
  const spec = {
    type: 'object',
    properties: {
      size: { type: 'integer', minimum: 0 },
      parts: { type: 'array', items: { type: 'string' }, 'x-kubernetes-validations': [{ rule: 'self.size() > 0' }] }
    }
  }
  const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' }
  await ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {}, scale },
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } }
        }
      ]
    }
  })
  await eventually(
    'widgets are served',
    () => server.inject({ method: 'GET', url: widgets, user }),
    ({ status }) => status === 200
  )
  assert.equal((await ask('POST', widgets, widget('a', 'Widget', { size: 1 }))).status, 201)
  assert.equal((await ask('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } })).status, 201)
})
after(() => server.stop())

describe('a custom resource of another kind', () => {
  it('is refused with what its rules say, but not for its values', async () => {
    const { status, message, details } = await ask('POST', widgets, widget('b', 'Gear', { parts: [], size: -1 }))
    assert.equal(status, 422)
    assert.equal(
      message,
      'Gear.example.com "b" is invalid: [kind: Invalid value: "Gear": must be Widget, spec.parts: Invalid value: failed rule: self.size() > 0]'
    )
    assert.equal(details.kind, 'Gear')
  })

  it('is not found, or in conflict, before it is refused', async () => {
    for (const path of ['', '/status']) {
      assert.equal((await ask('PUT', `${widgets}/b${path}`, widget('b', 'Gear', {}, '1'))).reason, 'NotFound')
      assert.equal((await ask('PUT', `${widgets}/a${path}`, widget('a', 'Gear', {}, '1'))).reason, 'Conflict')
      const unnamed = await ask('PUT', `${widgets}/a${path}`, widget('a', 'Gear', {}))
      assert.match(unnamed.message, /^widgets.* must be specified for an update$/)
      const { metadata } = await ask('GET', `${widgets}/a`)
      const answer = await ask('PUT', `${widgets}/a${path}`, widget('a', 'Gear', {}, metadata.resourceVersion))
      // a write of the status takes nothing else, so that its kind may be any
      if (path === '/status') assert.equal(answer.kind, 'Widget', answer.message)
      else assert.equal(answer.message, 'Gear.example.com "a" is invalid: kind: Invalid value: "Gear": must be Widget')
    }
  })
})

describe('the columns of the scale of a custom resource', () => {
  it('are described by the definition', async () => {
    const table = await ask('GET', `${widgets}/a/scale`, undefined, 'application/json;as=Table;v=v1;g=meta.k8s.io')
    const described = table.columnDefinitions.map((c: any) => c.description)
    assert.deepEqual(described.slice(1, 3), ['Number of desired replicas', 'Number of actual replicas'])
  })
})

describe('numbers', () => {
  const lease = '/apis/coordination.k8s.io/v1/namespaces/default/leases?dryRun=All'
  const post = (seconds: string, more = '') =>
    ask('POST', lease, `{"metadata":{"name":"a"${more}},"spec":{"leaseDurationSeconds":${seconds}}}`)

  it('for integers have neither a fraction nor an exponent', async () => {
    for (const written of ['1.0', '1e2', '10E-1', '1e400', '-2.50']) {
      const { status, message } = await post(written)
      assert.equal(status, 400)
      assert.equal(
        message,
        `Lease in version "v1" cannot be handled as a Lease: json: cannot unmarshal number ${written} into Go struct field LeaseSpec.spec.leaseDurationSeconds of type int32`
      )
    }
    assert.equal((await post('1', ',"labels":{"a":"1.0"},"annotations":{"a":"[1e2, 1.0]"}')).status, 201)
  })

  it('for quantities may have both', async () => {
    const spec = '{"storageClassName":"x","accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":1.0e1}}}'
    const body = `{"metadata":{"name":"a"},"spec":${spec}}`
    const made = await ask('POST', '/api/v1/namespaces/default/persistentvolumeclaims?dryRun=All', body)
    assert.equal(made.spec.resources.requests.storage, '10')
  })
})

describe('managedFields in an apply', () => {
  const apply = (managedFields: unknown) =>
    ask(
      'PATCH',
      `${configMap}?fieldManager=m&dryRun=All`,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', managedFields } },
      'application/apply-patch+yaml'
    )

  it('are refused where they are entries', async () => {
    for (const entries of [[], [{}], [{ manager: 'x', fieldsV1: 5 }]])
      assert.equal((await apply(entries)).message, 'metadata.managedFields must be nil')
  })

  it('are validated as other fields where they are not', async () => {
    const prefix = 'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .metadata.managedFields'
    assert.equal((await apply(5)).message, `${prefix}: expected list, got &{5}`)
    assert.match((await apply([{ manager: 5 }])).message, /managedFields\[0\].manager: expected string, got &/)
    assert.match((await apply([{ time: 'x' }])).message, /^failed to convert new object .*: parsing time "x"/)
    assert.equal((await apply([null])).status, 200)
  })
})

describe('the status of an APIService', () => {
  it('cannot be written with a deletionTimestamp, while other metadata is ignored', async () => {
    const url = '/apis/apiregistration.k8s.io/v1/apiservices'
    const spec = { group: 'x.example.org', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 }
    const service = { name: 'a', namespace: 'default' }
    await ask('POST', url, { metadata: { name: 'v1.x.example.org' }, spec: { ...spec, service } })
    const status = `${url}/v1.x.example.org/status`
    const merge = 'application/merge-patch+json'
    const refused = await ask('PATCH', status, { metadata: { deletionTimestamp: '2020-01-01T00:00:00Z' } }, merge)
    assert.match(refused.message, /metadata.deletionTimestamp: Invalid value: .*: field is immutable/)
    const kept = await ask('PATCH', status, { metadata: { labels: { a: 'b' }, finalizers: ['a/b'] } }, merge)
    assert.equal(kept.metadata.labels, undefined)
    assert.equal(kept.metadata.finalizers, undefined)
  })
})

describe('the data of a ControllerRevision', () => {
  const url = '/apis/apps/v1/namespaces/default/controllerrevisions'
  const unsorted = { z: { b: 1, a: 2 }, a: [{ y: 1, x: 2 }] }
  const revision = (name: string, data?: object) => ({
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: { name },
    data,
    revision: 1
  })
  const types = {
    merge: 'application/merge-patch+json',
    strategic: 'application/strategic-merge-patch+json',
    apply: 'application/apply-patch+yaml'
  }

  it('change when a patch that converts them sorts their keys', async () => {
    await ask('POST', url, revision('z', unsorted))
    assert.equal((await ask('PUT', `${url}/z`, revision('z', unsorted))).status, 200)
    assert.equal((await ask('PATCH', `${url}/z`, { revision: 2 }, types.merge)).status, 200)
    const immutable = /data: Invalid value: {"a":\[{"x":2,"y":1}\],"z":{"a":2,"b":1}}: field is immutable$/
    assert.match((await ask('PATCH', `${url}/z`, { revision: 3 }, types.strategic)).message, immutable)
    assert.match((await ask('PATCH', `${url}/z`, { data: unsorted }, types.merge)).message, immutable)
    const { data: _, ...rest } = revision('z')
    assert.match(
      (await ask('PATCH', `${url}/z?fieldManager=m&force=true`, { ...rest, revision: 4 }, types.apply)).message,
      immutable
    )
  })

  it('stay when they were sorted before', async () => {
    assert.equal((await ask('PATCH', `${url}/a?fieldManager=m`, revision('a', unsorted), types.apply)).status, 201)
    for (const type of [types.merge, types.apply])
      assert.equal((await ask('PATCH', `${url}/a?fieldManager=m`, revision('a', unsorted), type)).status, 200)
    assert.match((await ask('PUT', `${url}/a`, revision('a', unsorted))).message, /field is immutable$/)
  })
})
