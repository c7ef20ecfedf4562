import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RowClock } from '../../apimachinery/formats/table.js'
import { FieldErrors } from '../../apimachinery/validation/field.js'
import type { KindDefinition } from '../../registry/kind.js'
import { csiDriver } from './csi-driver.js'
import { csiNode } from './csi-node.js'
import { storageClass } from './storage-class.js'
import { validateStorageHealth } from './storage-health.js'
import { volumeAttachment } from './volume-attachment.js'
import { volumeAttributesClass } from './volume-attributes-class.js'

const context: any = new RowClock(0)

function problems(kind: KindDefinition, object: any, old?: any): string[] {
  const errors = new FieldErrors()
  if (old) kind.strategy!.validateUpdate!(object, old, errors, context)
  else (kind.strategy!.validate ?? kind.strategy!.validateCreate)!(object, errors, context)
  return errors.list.map(e => `${e.field}: ${e.message}`)
}

describe('storage kinds', () => {
  it('sets the defaults of a StorageClass and a CSIDriver', () => {
    const sc: any = { metadata: {}, provisioner: 'a/b' }
    storageClass.strategy!.default!(sc, context)
    assert.deepEqual([sc.reclaimPolicy, sc.volumeBindingMode], ['Delete', 'Immediate'])
    const driver: any = { metadata: {}, spec: { podInfoOnMount: true } }
    csiDriver.strategy!.default!(driver, context)
    assert.equal(driver.spec.podInfoOnMount, true)
    assert.deepEqual(driver.spec.volumeLifecycleModes, ['Persistent'])
  })

  it('marks the default StorageClass in its Table', () => {
    const name = storageClass.table!.columns![0]!.value
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' }
    assert.equal(name({ metadata: { name: 'a', annotations } } as any, new RowClock(0)), 'a (default)')
    assert.equal(name({ metadata: { name: 'a' } } as any, new RowClock(0)), 'a')
  })

  it('counts the changes of mutable fields of a CSIDriver, from the first on', () => {
    const update = (spec: any, metadata: any = {}) => {
      const object: any = { metadata: { ...metadata }, spec: { attachRequired: true, ...spec } }
      csiDriver.strategy!.prepareForUpdate!(object, { metadata, spec: { attachRequired: true } } as any, context)
      return object.metadata.generation
    }
    assert.equal(update({}), undefined)
    assert.equal(update({ podInfoOnMount: true }), 1)
    assert.equal(update({ podInfoOnMount: true }, { generation: 4 }), 5)
  })

  const attachment = (source: any) => ({
    metadata: {},
    spec: { attacher: 'a', nodeName: 'n', source },
    status: { attached: false }
  })
  for (const [what, source, expected] of [
    ['nothing', {}, 'spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName'],
    [
      'two sources',
      { persistentVolumeName: 'p', inlineVolumeSpec: {} },
      'spec.source: Forbidden: must specify exactly one of inlineVolumeSpec and persistentVolumeName'
    ],
    [
      'an inline volume of another sort',
      { inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], hostPath: { path: '/x', type: '' } } },
      'spec.source.inlineVolumeSpec.csi: Required value: has to be specified in the context of inline volumes'
    ]
  ] as const) {
    it(`refuses a VolumeAttachment with ${what}`, () =>
      assert.deepEqual(problems(volumeAttachment, attachment(source)), [expected]))
  }

  it('says in an update what is wrong with the attacher', () => {
    const object = attachment({ persistentVolumeName: 'p' })
    const named = (attacher: string) => problems(volumeAttachment, { ...object, spec: { ...object.spec, attacher } }, object)
    assert.equal(named('')[0], 'spec.attacher: Required value')
    const emptied = problems(volumeAttachment, { ...object, spec: { source: {}, nodeName: '' } }, object)
    assert.deepEqual(
      emptied.map(problem => problem.replace(/: .*/, '')),
      ['spec.attacher', 'spec.source', 'spec.nodeName', 'spec']
    )
    assert.match(named('a_b')[0]!, /^spec\.attacher: Invalid value: "a_b": a lowercase RFC 1123 subdomain must consist of/)
  })

  it('reports each topology that repeats, and an empty one as a duplicate', () => {
    const object = (...allowedTopologies: any[]) => ({
      metadata: {},
      provisioner: 'a/b',
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'Immediate',
      allowedTopologies
    })
    const zone = { matchLabelExpressions: [{ key: 'zone', values: ['a'] }] }
    const again = 'allowedTopologies[1].matchLabelExpressions: Duplicate value: ""'
    assert.deepEqual(problems(storageClass, object(zone)), [])
    assert.deepEqual(problems(storageClass, object(zone, zone)), [again])
    assert.deepEqual(problems(storageClass, object(zone, {})), [again])
    assert.equal(problems(storageClass, object(...Array(101).fill(zone))).length, 100)
  })

  it('refuses changes of the parameters of a VolumeAttributesClass', () => {
    const old = { metadata: {}, driverName: 'd', parameters: { a: '1' } }
    assert.deepEqual(problems(volumeAttributesClass, { ...old, parameters: { a: '2' } }, old), [
      'parameters: Forbidden: updates to parameters are forbidden.'
    ])
    assert.deepEqual(problems(volumeAttributesClass, { ...old, parameters: undefined }), [
      'parameters: Required value: must contain at least one key/value pair'
    ])
  })

  it('lets a CSINode add and remove drivers, but not change them', () => {
    const driver = { name: 'd', nodeID: 'n', topologyKeys: null }
    const node = (...drivers: any[]) => ({ metadata: {}, spec: { drivers } })
    assert.deepEqual(problems(csiNode, node(), node(driver)), [])
    assert.deepEqual(problems(csiNode, node(driver, { ...driver, name: 'e' }), node(driver)), [])
    assert.equal(problems(csiNode, node({ ...driver, nodeID: 'm' }), node(driver)).length, 1)
    assert.deepEqual(problems(csiNode, node(driver, driver)), ['spec.drivers[1].name: Duplicate value: "d"'])
  })
})

describe('the health of a storage', () => {
  const of = (...list: any[]) => {
    const errors = new FieldErrors()
    validateStorageHealth(list, errors)
    return errors.list.map(e => `${e.field}: ${e.message}`)
  }
  const condition = { status: 'StorageDegraded', reason: 'R', lastTransitionTime: '2026-01-01T00:00:00Z' }

  it('names each driver once', () => {
    assert.deepEqual(of({ name: 'a.b', healthConditions: [condition] }), [])
    assert.deepEqual(of({ name: 'a.b' }, { name: 'a.b' }, { name: '' }), [
      'status.storageHealth[1]: Duplicate value: "a.b"',
      'status.storageHealth[2].name: Required value'
    ])
  })

  it('has valid conditions', () => {
    const at = 'status.storageHealth[0].healthConditions'
    assert.deepEqual(of({ name: 'a.b', healthConditions: Array(17).fill({}) }), [
      `${at}: Too many: 17: must have at most 16 items`
    ])
    assert.deepEqual(of({ name: 'a.b', healthConditions: [{ ...condition, status: 'x', reason: '', volumeMode: 'y' }] }), [
      `${at}[0].status: Unsupported value: "x": supported values: "StorageDegraded", "StorageUnreachable"`,
      `${at}[0].reason: Required value`,
      `${at}[0].volumeMode: Unsupported value: "y": supported values: "Filesystem", "Block"`
    ])
  })
})
