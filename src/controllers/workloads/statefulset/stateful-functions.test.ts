import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PersistentVolumeClaim, Pod, PodTemplateSpec } from '../../../apimachinery/api/generated/core-v1.js'
import { dataHash, isSameData, revisionName, templateIn, templatePatch } from '../controller-history.js'
import { hasOtherController, isUpToDate, withOwners } from './claim-owners.js'
import { hasIdentity, isInRange, isMember, newPod, ordinalOf, podRevision, type Stateful } from './stateful-pods.js'

const podNamed = (name: string) => ({ metadata: { name, uid: `uid-${name}` }, spec: {}, status: {} }) as unknown as Pod
const setWith = (spec: object, status: object = {}) =>
  ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'web', namespace: 'default', uid: 'uid-set' },
    spec: { replicas: 3, serviceName: 'web', updateStrategy: { type: 'RollingUpdate' }, ...spec },
    status
  }) as unknown as Stateful

describe('revisions', () => {
  const template = {
    metadata: { labels: { app: 'orphans' } },
    spec: {
      containers: [
        {
          name: 'main',
          image: 'nginx:1',
          resources: {},
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
          imagePullPolicy: 'IfNotPresent'
        }
      ],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      securityContext: {},
      schedulerName: 'default-scheduler'
    }
  } as unknown as PodTemplateSpec

  test('have the names that kube-controller-manager gives them', () => {
    assert.equal(revisionName('orphans', dataHash(templatePatch(template), 0)), 'orphans-5d6f8d8c8')
    assert.notEqual(dataHash(templatePatch(template), 1), '5d6f8d8c8')
    assert.equal(revisionName('x'.repeat(300), 'h').length, 225)
  })

  test('keep a template, whatever the order of its fields', () => {
    assert.deepEqual(templateIn({ data: templatePatch(template) }), template)
    const { metadata, spec } = template
    assert.ok(isSameData(templatePatch({ spec, metadata }), templatePatch(template)))
    assert.deepEqual(Object.keys((templatePatch(template).spec as { template: object }).template), ['$patch', 'metadata', 'spec'])
    assert.equal(templateIn({ data: {} }), undefined)
  })
})

describe('the Pods of a StatefulSet', () => {
  test('have their ordinals in their names', () => {
    assert.deepEqual(
      ['web-0', 'web-12', 'web', 'web-x', 'web-99999999999'].map(name => ordinalOf(podNamed(name))),
      [0, 12, -1, -1, -1]
    )
    const set = setWith({ ordinals: { start: 2 } })
    assert.deepEqual(
      [1, 2, 4, 5].map(index => isInRange(podNamed(`web-${index}`), set)),
      [false, true, true, false]
    )
    assert.deepEqual([isMember(set, podNamed('web-1')), isMember(set, podNamed('web-a-1'))], [true, false])
    assert.equal(hasIdentity(set, podNamed('web-1')), false, 'the label is missing')
  })

  test('have the former template below the partition, and until an update gets to them', () => {
    const versions = {
      current: { name: 'old', template: { spec: { containers: [] } } },
      update: { name: 'new', template: { spec: { containers: [] } } }
    } as unknown as Parameters<typeof newPod>[1]
    const revisions = (set: Stateful, ...ordinals: number[]) =>
      ordinals.map(ordinal => podRevision(newPod(set, versions, ordinal)))
    const partitioned = { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } }, ordinals: { start: 5 } }
    assert.deepEqual(revisions(setWith(partitioned), 5, 6, 7), ['old', 'old', 'new'])
    assert.deepEqual(revisions(setWith({}, { currentReplicas: 1 }), 0, 1), ['old', 'new'])
    assert.deepEqual(revisions(setWith({ updateStrategy: { type: 'OnDelete' } }, { currentReplicas: 3 }), 0), ['new'])
  })
})

describe('the claims of a StatefulSet', () => {
  const claim = (...ownerReferences: object[]) =>
    ({ metadata: { name: 'data-web-0', ownerReferences } }) as unknown as PersistentVolumeClaim
  const bySet = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    name: 'web',
    uid: 'uid-set',
    controller: true,
    blockOwnerDeletion: true
  }
  const pod = { ...podNamed('web-0'), apiVersion: 'v1', kind: 'Pod' }
  const beyond = { ...podNamed('web-9'), apiVersion: 'v1', kind: 'Pod' }
  const policy = (whenDeleted: string, whenScaled: string) =>
    setWith({ persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled } })
  const owners = (set: Stateful, one: Pod, of = claim()) =>
    withOwners(of, set, one).metadata.ownerReferences?.map(({ kind }) => kind)

  test('have the owners that let them go when they are to', () => {
    assert.deepEqual(owners(policy('Retain', 'Retain'), pod, claim(bySet)), [])
    assert.deepEqual(owners(policy('Delete', 'Retain'), pod), ['StatefulSet'])
    assert.deepEqual(owners(policy('Delete', 'Retain'), beyond), ['StatefulSet'])
    assert.deepEqual(owners(policy('Retain', 'Delete'), pod), [])
    assert.deepEqual(owners(policy('Retain', 'Delete'), beyond), ['Pod'])
    assert.deepEqual(owners(policy('Delete', 'Delete'), pod), ['StatefulSet'])
    assert.deepEqual(owners(policy('Delete', 'Delete'), beyond), ['Pod'])
  })

  test('are left alone where others control them, or a former set of the name', () => {
    const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'x', controller: true }
    const set = policy('Delete', 'Retain')
    assert.equal(hasOtherController(claim(other), set, pod), true)
    assert.equal(hasOtherController(claim(other), policy('Retain', 'Retain'), pod), false)
    assert.deepEqual([isUpToDate(claim(other), set, pod), isUpToDate(claim(other, bySet), set, pod)], [true, false])
    assert.deepEqual(owners(set, pod, claim(other, bySet)), ['ConfigMap'])
    assert.equal(isUpToDate(claim({ ...bySet, uid: 'former' }), set, pod), true)
    assert.deepEqual([isUpToDate(claim(), set, pod), isUpToDate(claim(bySet), set, pod)], [false, true])
    assert.equal(isUpToDate(claim({ ...bySet, controller: undefined }), set, pod), false)
  })
})
