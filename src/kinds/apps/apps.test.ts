import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FeatureGates } from '../../apimachinery/features/feature-gates.js'
import { RowClock } from '../../apimachinery/formats/table.js'
import { decode } from '../../apimachinery/schema/decode.js'
import { keepEmpty } from '../../apimachinery/schema/given.js'
import { loadSchema } from '../../apimachinery/schema/load.js'
import { FieldErrors } from '../../apimachinery/validation/field.js'
import type { KindDefinition } from '../../registry/kind.js'
import type { GenerationRules } from '../../registry/strategy.js'
import type { StatusSubresource } from '../../registry/subresource.js'
import { controllerRevision } from './controller-revision.js'
import { daemonSet } from './daemon-set.js'
import { deployment } from './deployment.js'
import { statefulSet } from './stateful-set.js'

const context: any = Object.assign(new RowClock(0), { services: { features: new FeatureGates() } })
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
const selector = { matchLabels: { app: 'web' } }

/** Makes a decoded object with defaults. */
function make(kind: KindDefinition, spec: any = {}, rest: any = {}): any {
  const { object } = decode(loadSchema().type(kind.versions[0].type), {
    metadata: { name: 'x' },
    spec: { selector, template, ...spec },
    ...rest
  })
  kind.strategy!.default?.(object, context)
  return object
}

function problems(check: (errors: FieldErrors) => void): string[] {
  const errors = new FieldErrors()
  check(errors)
  return errors.list.map(e => `${e.field}: ${e.message}`)
}

const created = (kind: KindDefinition, object: any) =>
  problems(errors => {
    kind.strategy!.validate!(object, errors, context)
    kind.strategy!.validateCreate?.(object, errors, context)
  })
const updated = (kind: KindDefinition, object: any, old: any) =>
  problems(errors => kind.strategy!.validateUpdate!(object, old, errors, context))
const reported = (kind: KindDefinition, status: any, old: any = {}) =>
  problems(errors =>
    (kind.subresources!.status as StatusSubresource<any>).validateUpdate!({ status }, { status: old }, errors, context)
  )

describe('Deployment', () => {
  it('rolls out a quarter of its Pods at a time by default', () => {
    const { spec } = make(deployment)
    assert.equal(spec.replicas, 1)
    assert.deepEqual(spec.strategy, { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } })
    assert.deepEqual(make(deployment, { strategy: { type: 'Recreate' } }).spec.strategy, { type: 'Recreate' })
    assert.deepEqual(created(deployment, make(deployment)), [])
  })

  it('must select the Pods of its own template', () => {
    const mismatch = 'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`'
    assert.deepEqual(created(deployment, make(deployment, { selector: { matchLabels: { app: 'other' } } })), [mismatch])
    assert.deepEqual(created(deployment, make(deployment, { selector: undefined })), ['spec.selector: Required value', mismatch])
    assert.deepEqual(created(deployment, make(deployment, { selector: {} })), [
      'spec.selector: Invalid value: {}: empty selector is invalid for deployment'
    ])
  })

  it('refuses a strategy that cannot make progress', () => {
    const strategy = (value: any) => created(deployment, make(deployment, { strategy: value }))
    assert.deepEqual(strategy({ rollingUpdate: { maxUnavailable: 0, maxSurge: '0%' } }), [
      'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0'
    ])
    assert.deepEqual(strategy({ rollingUpdate: { maxUnavailable: '101%' } }), [
      'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%'
    ])
    assert.deepEqual(strategy({ type: 'Blue' }), [
      'spec.strategy: Unsupported value: {"Type":"Blue","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"'
    ])
  })

  it('cannot change its selector', () => {
    assert.deepEqual(updated(deployment, make(deployment), make(deployment)), [])
    assert.deepEqual(updated(deployment, make(deployment, { selector: { matchLabels: { b: '1', a: '2' } } }), make(deployment)), [
      'spec.selector: Invalid value: {"matchLabels":{"a":"2","b":"1"}}: field is immutable'
    ])
  })

  it('refuses counts that contradict each other', () => {
    assert.deepEqual(reported(deployment, { replicas: 1, updatedReplicas: 2, availableReplicas: 1 }, { collisionCount: 1 }), [
      'status.updatedReplicas: Invalid value: 2: cannot be greater than status.replicas',
      'status.availableReplicas: Invalid value: 1: cannot be greater than readyReplicas',
      'status.collisionCount: Invalid value: 0: cannot be decremented'
    ])
  })

  it('has an old annotation for a revision to roll back to, which is a number', () => {
    const rollback = (revision: string) =>
      make(deployment, {}, { metadata: { annotations: { 'deprecated.deployment.rollback.to': revision } } })
    assert.deepEqual(rollback('+03').metadata.annotations, { 'deprecated.deployment.rollback.to': '3' })
    assert.equal(rollback('').metadata.annotations, undefined)
    assert.throws(
      () => rollback('x'),
      /failed to parse annotation\[deprecated.deployment.rollback.to\]=x as int64: strconv.ParseInt: parsing "x": invalid syntax/
    )
    assert.deepEqual(created(deployment, rollback('-3')), [
      'spec.rollback.version: Invalid value: -3: must be greater than or equal to 0'
    ])
  })

  it('increases its generation when its annotations change', () => {
    const observed = (deployment.generation as GenerationRules<any>).of!
    assert.notDeepEqual(observed(make(deployment)), observed(make(deployment, {}, { metadata: { annotations: { a: 'b' } } })))
  })

  it('has its selector as text in its Scale', () => {
    const scale = (value: any) => deployment.subresources!.scale!.selector(make(deployment, { selector: value }))
    assert.equal(
      scale({ matchLabels: { b: '1' }, matchExpressions: [{ key: 'a', operator: 'In', values: ['y', 'x'] }] }),
      'a in (x,y),b=1'
    )
    assert.equal(scale({}), '')
  })
})

describe('DaemonSet', () => {
  const count = (o: any) => o.metadata.annotations['deprecated.daemonset.template.generation']

  it('counts changes of its template, and ignores the count of the client', () => {
    assert.equal(
      count(make(daemonSet, {}, { metadata: { annotations: { 'deprecated.daemonset.template.generation': '+07' } } })),
      '7'
    )
    const object = make(daemonSet, {}, { metadata: { annotations: { 'deprecated.daemonset.template.generation': '7' } } })
    const old = make(daemonSet)
    daemonSet.strategy!.prepareForCreate!(old, context)
    assert.equal(count(old), '1')
    daemonSet.strategy!.prepareForUpdate!(object, old, context)
    assert.equal(count(object), '1')
    const changed = make(daemonSet, { template: { ...template, spec: { containers: [{ name: 'c', image: 'other' }] } } })
    daemonSet.strategy!.prepareForUpdate!(changed, old, context)
    assert.equal(count(changed), '2')
  })

  it('has limits without a strategy that uses them', () => {
    const { spec } = make(daemonSet, { updateStrategy: { type: 'OnDelete', rollingUpdate: {} } })
    assert.deepEqual(spec.updateStrategy, { type: 'OnDelete', rollingUpdate: { maxUnavailable: 0, maxSurge: 0 } })
    assert.deepEqual(make(daemonSet, { updateStrategy: { type: 'OnDelete' } }).spec.updateStrategy, { type: 'OnDelete' })
  })

  it('has either a surge or unavailable Pods', () => {
    const rolling = (rollingUpdate: any) => created(daemonSet, make(daemonSet, { updateStrategy: { rollingUpdate } }))
    assert.deepEqual(rolling({ maxUnavailable: 1, maxSurge: 1 }), [
      'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero'
    ])
    assert.deepEqual(rolling({ maxUnavailable: 0 }), [
      'spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0'
    ])
  })
})

describe('StatefulSet', () => {
  const claim = {
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
  }

  it('sets defaults in its claim templates', () => {
    const [made] = make(statefulSet, { volumeClaimTemplates: [claim] }).spec.volumeClaimTemplates
    assert.deepEqual(
      [made.kind, made.apiVersion, made.spec.volumeMode, made.status.phase],
      ['PersistentVolumeClaim', 'v1', 'Filesystem', 'Pending']
    )
  })

  it('lets containers mount its claim templates', () => {
    const mounting = {
      ...template,
      spec: { containers: [{ name: 'c', image: 'i', volumeMounts: [{ name: 'data', mountPath: '/data' }] }] }
    }
    assert.deepEqual(created(statefulSet, make(statefulSet, { template: mounting, volumeClaimTemplates: [claim] })), [])
    assert.equal(created(statefulSet, make(statefulSet, { template: mounting })).length, 1)
  })

  it('may change only some of its fields', () => {
    const old = make(statefulSet, { serviceName: 'a' })
    assert.deepEqual(updated(statefulSet, make(statefulSet, { serviceName: 'a', replicas: 5, minReadySeconds: 2 }), old), [])
    const [problem] = updated(statefulSet, make(statefulSet, { serviceName: 'b' }), old)
    assert.equal(problem, 'spec.serviceName: Invalid value: "b": field is immutable')
  })

  it('shows claims that were taken away as null', () => {
    const old = make(statefulSet, { volumeClaimTemplates: [claim] })
    assert.deepEqual(updated(statefulSet, make(statefulSet), old), [
      'spec.volumeClaimTemplates: Invalid value: null: field is immutable'
    ])
    const empty = make(statefulSet)
    keepEmpty(empty.spec, 'volumeClaimTemplates', [])
    assert.deepEqual(updated(statefulSet, empty, old), ['spec.volumeClaimTemplates: Invalid value: []: field is immutable'])
  })

  it('stops some of its Pods in an update', () => {
    const rolling = (maxUnavailable: number | string) =>
      created(statefulSet, make(statefulSet, { updateStrategy: { rollingUpdate: { maxUnavailable } } }))
    const at = 'spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value:'
    assert.deepEqual(rolling('30%'), [])
    assert.deepEqual(rolling(0), [`${at} 0: cannot be 0`])
    assert.deepEqual(rolling('101%'), [`${at} "101%": must not be greater than 100%`])
  })

  it('has some unavailable Pods at most, and not none', () => {
    const rolling = (maxUnavailable: number | string) =>
      created(statefulSet, make(statefulSet, { updateStrategy: { rollingUpdate: { maxUnavailable } } }))
    const at = 'spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value:'
    assert.deepEqual([rolling(101), rolling('100%')], [[], []])
    assert.deepEqual(rolling('120%'), [`${at} "120%": must not be greater than 100%`])
    assert.deepEqual(rolling('0%'), [`${at} "0%": cannot be 0`])
    assert.deepEqual(rolling(-1), [`${at} -1: must be greater than or equal to 0`])
    assert.equal(rolling('a').length, 2)
  })

  it('must have names that fit into host names', () => {
    assert.equal(statefulSet.validateName!('a.b', false, make(statefulSet), new FieldErrors()).length, 1)
    assert.equal(created(statefulSet, make(statefulSet, { serviceName: 'A' })).length, 1)
  })
})

describe('ControllerRevision', () => {
  it('names its controller in its Table', () => {
    const controller = controllerRevision.table!.columns!.find(c => c.name === 'Controller')!
    const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'u', controller: true }
    assert.equal(controller.value({ metadata: { ownerReferences: [owner] } } as any, new RowClock(0)), 'statefulset.apps/web')
    assert.equal(controller.value({ metadata: {} } as any, new RowClock(0)), '<none>')
  })
})
