import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FeatureGates } from '../features/feature-gates.js'
import { loadSchema } from '../schema/load.js'
import { FieldErrors } from '../validation/field.js'
import { type Plan, planOf } from './plan.js'
import { declaredType, declaringTypes } from './rules.js'
import { validateDeclared } from './validate.js'

interface Case {
  readonly type: string
  readonly object: unknown
  readonly old?: unknown
  readonly subresource?: string
  readonly gates?: Readonly<Record<string, boolean>>
  readonly byHand?: (errors: FieldErrors) => void
}

function found({ type, object, old, subresource = '', gates = {}, byHand }: Case): string[] {
  const features = new FeatureGates(gates)
  const errors = new FieldErrors(features)
  byHand?.(errors)
  validateDeclared(type, object, old, subresource, errors, features)
  return errors.list.map(({ field, message }) => `${field}: ${message}`)
}

test('every rule of the release is understood', () => {
  const seen = new Set<Plan>()
  const visit = (plan: Plan | undefined): void => {
    if (!plan || seen.has(plan)) return
    seen.add(plan)
    for (const { below } of plan.fields) visit(below)
  }
  for (const name of declaringTypes()) visit(planOf(name))
  assert.ok(seen.size > 100, `only ${seen.size} types have rules whose errors are shown`)
})

test('the rules name fields that their types have', () => {
  const unknown = declaringTypes().flatMap(name =>
    [...declaredType(name)!.fields.keys()]
      .filter(field => !loadSchema().type(name).byName.has(field))
      .map(field => `${name}.${field}`)
  )
  assert.deepEqual(unknown, [])
})

const runtimeClass = (handler: string) => ({ metadata: { name: 'c' }, handler })

test('a required field, its format and its change', () => {
  const type = 'node.v1.RuntimeClass'
  assert.deepEqual(found({ type, object: runtimeClass('runc') }), [])
  assert.deepEqual(found({ type, object: runtimeClass('') }), ['handler: Required value'])
  assert.match(found({ type, object: runtimeClass('a b') })[0]!, /^handler: Invalid value: "a b": a lowercase RFC 1123 label/)
  const changed = { type, object: runtimeClass('other'), old: runtimeClass('runc') }
  assert.deepEqual(found(changed), ['handler: Invalid value: null: field is immutable'])
})

test('what did not change is not validated again', () => {
  const type = 'node.v1.RuntimeClass'
  assert.deepEqual(found({ type, object: runtimeClass('a b'), old: runtimeClass('a b') }), [])
})

test('a rule takes the place of what is found by hand, and of nothing else', () => {
  const byHand = (errors: FieldErrors) => {
    errors.required('handler', 'say which')
    errors.required('overhead')
  }
  assert.deepEqual(found({ type: 'node.v1.RuntimeClass', object: runtimeClass(''), byHand }), [
    'overhead: Required value',
    'handler: Required value'
  ])
})

test('of two invalid values at one place, only the one with the same words gives way', () => {
  const spec = { scaleTargetRef: { kind: 'K', name: 'n' }, maxReplicas: -1 }
  const byHand = (errors: FieldErrors) => {
    errors.invalid('spec.maxReplicas', -1, 'must be greater than or equal to 1')
    errors.invalid('spec.maxReplicas', -1, 'must be greater than or equal to `minReplicas`')
  }
  assert.deepEqual(
    found({ type: 'autoscaling.v2.HorizontalPodAutoscaler', object: { metadata: {}, spec, status: {} }, byHand }),
    [
      'spec.maxReplicas: Invalid value: -1: must be greater than or equal to `minReplicas`',
      'spec.maxReplicas: Invalid value: -1: must be greater than or equal to 1'
    ]
  )
})

test('a rule about a change leaves what is wrong with the new value', () => {
  const byHand = (errors: FieldErrors) => {
    errors.invalid('handler', 'H_', 'a lowercase RFC 1123 label must consist of lower case alphanumeric characters')
    errors.invalid('handler', 'H_', 'field is immutable')
  }
  assert.deepEqual(found({ type: 'node.v1.RuntimeClass', object: runtimeClass('H_'), old: runtimeClass('h'), byHand }), [
    'handler: Invalid value: "H_": a lowercase RFC 1123 label must consist of lower case alphanumeric characters',
    'handler: Invalid value: null: field is immutable'
  ])
})

test('a gate decides between two rules', () => {
  const spec = { scaleTargetRef: { kind: 'K', name: 'n' }, maxReplicas: 1, minReplicas: 0 }
  const given = { type: 'autoscaling.v2.HorizontalPodAutoscaler', object: { metadata: {}, spec, status: {} } }
  assert.deepEqual(found(given), [])
  assert.deepEqual(found({ ...given, gates: { HPAScaleToZero: false } }), [
    'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1'
  ])
})

test('at most one of two conditions, on the subresources that say so', () => {
  const approved = { type: 'Approved', status: 'True' }
  const denied = { type: 'Denied', status: 'True' }
  const request = (...conditions: object[]) => ({ metadata: { name: 'r' }, spec: {}, status: { conditions } })
  const type = 'certificates.v1.CertificateSigningRequest'
  const given = { type, object: request(approved, denied), old: request(approved) }
  assert.deepEqual(found({ ...given, subresource: 'approval' }), [
    'status.conditions: Invalid value: "{conditions[{\\"type\\": \\"Approved\\"}], conditions[{\\"type\\": \\"Denied\\"}]}": must specify at most one of: `conditions[{"type": "Approved"}]`, `conditions[{"type": "Denied"}]`'
  ])
  assert.deepEqual(found({ ...given, subresource: 'scale' }), [])
})

const attribute = (value: object) => ({
  metadata: { name: 's' },
  spec: {
    driver: 'd.example.com',
    pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
    devices: [{ name: 'a', attributes: { x: value } }]
  }
})

test('exactly one member of a union', () => {
  const type = 'resource.v1.ResourceSlice'
  const all = '`int`, `bool`, `string`, `version`, `ints`, `bools`, `strings`, `versions`'
  const place = 'spec.devices[0].attributes[x]'
  const about = (value: object) => found({ type, object: attribute(value) }).filter(text => text.startsWith(place))
  assert.deepEqual(about({ int: 1 }), [])
  assert.deepEqual(about({}), [`${place}: Invalid value: "": must specify one of: ${all}`])
  assert.deepEqual(about({ int: 1, bool: false }), [
    `${place}: Invalid value: "{int, bool}": must specify exactly one of: ${all}`
  ])
})

test('a member that its discriminator does not name is forbidden', () => {
  const level = (spec: object) => ({ metadata: { name: 'l' }, spec, status: {} })
  const type = 'flowcontrol.v1.PriorityLevelConfiguration'
  assert.deepEqual(found({ type, object: level({ type: 'Limited', exempt: {} }) }), [
    'spec.exempt: Forbidden',
    'spec.limited: Required value'
  ])
})

test('lists: their length, their keys, and items that stay', () => {
  const type = 'resource.v1.ResourceClaim'
  const claim = (names: string[]) => ({
    metadata: { name: 'c' },
    spec: { devices: { requests: names.map(name => ({ name, exactly: { deviceClassName: 'x', allocationMode: 'All' } })) } },
    status: {}
  })
  assert.deepEqual(found({ type, object: claim(Array.from({ length: 33 }, (_, i) => `r${i}`)) }), [
    'spec.devices.requests: Too many: 33: must have at most 32 items'
  ])
  assert.match(
    found({ type, object: claim(['a', 'b', 'a']) })[0]!,
    /^spec\.devices\.requests\[2\]: Duplicate value: \{"name":"a"/
  )
})

test('what a field holds opaquely is not validated by the rules of its type', () => {
  const healthStatus = { healthConditions: [{ status: 'Odd', reason: '' }] }
  const claim = { metadata: { name: 'c' }, status: { healthStatus } }
  assert.equal(found({ type: 'core.v1.PersistentVolumeClaim', object: claim }).length, 2)
  const spec = { volumeClaimTemplates: [claim] }
  assert.deepEqual(found({ type: 'apps.v1.StatefulSet', object: { metadata: { name: 's' }, spec } }), [])
})

test('the texts of some formats are shown as texts, although their Go type has a name', () => {
  const claim = (result: object, constraints: object[] = []) => ({
    metadata: { name: 'c' },
    spec: { devices: { constraints } },
    status: { allocation: { devices: { results: [{ request: 'a', driver: 'd', pool: 'p', device: 'd', ...result }] } } }
  })
  const type = 'resource.v1.ResourceClaim'
  const [problem] = found({ type, object: claim({ shareID: '<' }), subresource: 'status', old: { ...claim({}), status: {} } })
  assert.equal(
    problem,
    'status.allocation.devices.results[0].shareID: Invalid value: "<": must be a lowercase UUID in 8-4-4-4-12 format'
  )
  assert.deepEqual(found({ type, object: claim({}, [{ matchAttribute: '/x' }]) }), [
    'spec.devices.constraints[0].matchAttribute: Invalid value: "": prefix must not be empty'
  ])
})
