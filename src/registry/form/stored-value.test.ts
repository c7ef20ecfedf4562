import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeProtobuf } from '../../apimachinery/formats/protobuf/object.js'
import { loadSchema } from '../../apimachinery/schema/load.js'
import { builtinKinds } from '../../kinds/index.js'
import { openMemoryStore } from '../../storage/memory/store.js'
import { Resource } from '../resource.js'

/** Returns the object that a resource reads from a value which another server has stored. */
async function shown(name: string, key: string, value: Buffer): Promise<any> {
  const store = openMemoryStore()
  const kind = builtinKinds.find(k => k.resource === name)!
  const resource = new Resource({ kind, versions: [kind.versions[0]], store, types: loadSchema(), now: Date.now })
  await store.commit([{ key: resource.prefix + key, value }])
  await resource.cache.load()
  return JSON.parse(resource.cache.get(key)!.bytes.toString())
}

const metadata = { name: 'x', uid: '89c996af-4b8a-46a0-99a0-3415a53ecfa0' }

test('an object that kube-apiserver stores in Protobuf gets the defaults that kube-apiserver sets on reading', async () => {
  const claim = { kind: 'PersistentVolumeClaim', apiVersion: 'v1', metadata: { ...metadata, namespace: 'ns' } }
  const { status, spec } = await shown('persistentvolumeclaims', 'ns/x', encodeProtobuf({ ...claim, spec: {}, status: {} }))
  assert.deepEqual([status.phase, spec.volumeMode], ['Pending', 'Filesystem'])
})

test('an object in a version that is not served is converted to the served version', async () => {
  const policy = {
    kind: 'MutatingAdmissionPolicy',
    apiVersion: 'admissionregistration.k8s.io/v1beta1',
    metadata,
    spec: { reinvocationPolicy: 'Never' }
  }
  const { apiVersion, spec } = await shown('mutatingadmissionpolicies', 'x', encodeProtobuf(policy))
  assert.deepEqual([apiVersion, spec.reinvocationPolicy], ['admissionregistration.k8s.io/v1', 'Never'])
})

test('a definition in v1beta1 is converted: each version gets the fields that were common to all', async () => {
  const definition = {
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1beta1',
    metadata,
    spec: {
      group: 'example.com',
      version: 'v1',
      names: { plural: 'xs', kind: 'X' },
      scope: 'Cluster',
      validation: { openAPIV3Schema: { type: 'object' } },
      additionalPrinterColumns: [{ name: 'N', type: 'integer', JSONPath: '.n' }],
      versions: [
        { name: 'v1', served: true, storage: true },
        { name: 'v2', served: true, storage: false, deprecated: true }
      ],
      conversion: { strategy: 'Webhook', webhookClientConfig: { url: 'https://x' }, conversionReviewVersions: ['v1'] },
      preserveUnknownFields: false
    }
  }
  const { apiVersion, spec } = await shown('customresourcedefinitions', 'x', Buffer.from(JSON.stringify(definition)))
  const common = {
    schema: { openAPIV3Schema: { type: 'object' } },
    additionalPrinterColumns: [{ name: 'N', type: 'integer', jsonPath: '.n' }]
  }
  assert.equal(apiVersion, 'apiextensions.k8s.io/v1')
  assert.deepEqual(spec.versions, [
    { name: 'v1', served: true, storage: true, ...common },
    { name: 'v2', served: true, storage: false, deprecated: true, ...common }
  ])
  assert.deepEqual(spec.conversion, {
    strategy: 'Webhook',
    webhook: { clientConfig: { url: 'https://x' }, conversionReviewVersions: ['v1'] }
  })
  assert.equal(spec.version ?? spec.validation ?? spec.preserveUnknownFields, undefined)
})

test('an object that an earlier release has stored is shown with the escapes of Go', async () => {
  const map = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { ...metadata, namespace: 'ns' }, data: { a: '<\u2028>' } }
  const store = openMemoryStore()
  const kind = builtinKinds.find(({ resource }) => resource === 'configmaps')!
  const resource = new Resource({ kind, versions: [kind.versions[0]!], store, types: loadSchema(), now: Date.now })
  await store.commit([{ key: `${resource.prefix}ns/x`, value: Buffer.from(JSON.stringify(map)) }])
  await resource.cache.load()
  const { bytes, stale } = resource.cache.get('ns/x')!
  assert.match(bytes.toString(), /"data":\{"a":"\\u003c\\u2028\\u003e"\}/)
  assert.equal(stale, true)
})
