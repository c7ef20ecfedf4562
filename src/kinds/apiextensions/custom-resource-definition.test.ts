import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FeatureGates } from '../../apimachinery/features/feature-gates.js'
import { FieldErrors } from '../../apimachinery/validation/field.js'
import { customResourceDefinition as kind } from './custom-resource-definition.js'
import { approvalCondition } from './protected-group.js'

const context = {} as any
const schema = {
  openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } } }
}
const v1 = { name: 'v1', served: true, storage: true, schema }

function definition(change: (spec: any) => void = () => {}): any {
  const object: any = {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [structuredClone(v1)]
    },
    status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null }
  }
  change(object.spec)
  kind.strategy!.default!(object, context)
  return object
}

function problems(object: any, features?: FeatureGates, old?: any): string[] {
  const errors = new FieldErrors(features)
  kind.strategy!.validate!(object, errors, context, old)
  return errors.list.map(e => `${e.field}: ${e.message}`)
}

describe('CustomResourceDefinition', () => {
  it('fills in names, conversion and the stored version', () => {
    const { spec, status } = definition()
    assert.equal(spec.names.singular, 'widget')
    assert.equal(spec.names.listKind, 'WidgetList')
    assert.deepEqual(spec.conversion, { strategy: 'None' })
    assert.deepEqual(status.storedVersions, ['v1'])
    assert.deepEqual(problems(definition()), [])
  })

  it('has rules that the release before can read, unless they are stored already', () => {
    const object = definition(spec => {
      const rules = [{ rule: '[1].includes(1)', messageExpression: "[1].includes(1) ? 'a' : 'b'" }]
      spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.a['x-kubernetes-validations'] = rules
    })
    const unknown = /(rule|messageExpression): Invalid value: .*undeclared reference to 'includes'/s
    assert.deepEqual(
      problems(object).map(problem => unknown.exec(problem)?.[1]),
      ['rule']
    )
    const changed = structuredClone(object)
    changed.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.a['x-kubernetes-validations'][0].rule = 'true'
    assert.deepEqual(
      problems(changed).map(problem => unknown.exec(problem)?.[1]),
      ['messageExpression']
    )
    assert.deepEqual(problems(changed, undefined, object), [])
    assert.deepEqual(problems(object, new FeatureGates({}, { emulated: 37, minCompatibility: 37 })), [])
  })

  it('must be named by its plural and group', () => {
    const object = definition()
    assert.deepEqual(kind.validateName!('widgets.example.com', false, object, new FieldErrors()), [])
    assert.deepEqual(kind.validateName!('other.example.com', false, object, new FieldErrors()), [
      'must be spec.names.plural+"."+spec.group'
    ])
  })

  it('warns of sets of objects and lists, once', () => {
    const sets = (...types: string[]) =>
      definition(spec => {
        const properties = Object.fromEntries(
          types.map((type, i) => [`s${i}`, { type: 'array', 'x-kubernetes-list-type': 'set', items: { type } }])
        )
        spec.versions[0].schema.openAPIV3Schema.properties.spec = { type: 'object', properties }
      })
    const text = (type: string) =>
      `x-kubernetes-list-type: set for items of type "${type}" is not supported by server-side apply or CEL validation rules`
    const warnings = (object: any, old?: any) => kind.strategy!.warnings!(object, old, context)
    assert.deepEqual(warnings(sets('object', 'string', 'array', 'object')), [text('array'), text('object')])
    assert.deepEqual(warnings(sets('object', 'array'), sets('object')), [text('array')])
    assert.deepEqual(warnings(sets('string')), [])
  })

  const cases: [string, (spec: any) => void, string[]][] = [
    [
      'a column where all versions have it at the top of the spec',
      s => (s.versions[0].additionalPrinterColumns = [{ name: 'A', type: 'text', jsonPath: '.spec.a' }]),
      ['spec.additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string']
    ],
    [
      'a column of one of several versions in its version',
      s => {
        s.versions[0].additionalPrinterColumns = [{ name: '', type: 'string', jsonPath: '.spec.a' }]
        s.versions.push({ ...v1, name: 'v2', storage: false })
      },
      ['spec.versions[0].additionalPrinterColumns[0].name: Required value']
    ],
    [
      'a selectable field that the schema does not have',
      s => (s.versions[0].selectableFields = [{ jsonPath: '.spec.constructor' }]),
      [
        'spec.selectableFields[0].jsonPath: Invalid value: ".spec.constructor": is an invalid path: does not refer to a valid field'
      ]
    ],
    [
      'a scale path outside the status',
      s => (s.versions[0].subresources = { scale: { specReplicasPath: '.spec.a', statusReplicasPath: '.spec.a' } }),
      ['spec.subresources.scale.statusReplicasPath: Invalid value: ".spec.a": should be a json path under .status']
    ],
    [
      'a webhook without a client',
      s => (s.conversion = { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'] } }),
      ['spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook']
    ],
    ['a version without a schema', s => delete s.versions[0].schema, ['spec.versions[0].schema.openAPIV3Schema: Required value']]
  ]
  for (const [what, change, expected] of cases)
    it(`refuses ${what}`, () => assert.deepEqual(problems(definition(change)), expected))

  it('finds the storage version for the first of two versions with one name only', () => {
    const object = definition(spec => spec.versions.push(structuredClone(v1)))
    const errors = new FieldErrors()
    kind.strategy!.validateUpdate!(object, definition(), errors, context)
    assert.deepEqual(
      errors.list.map(e => `${e.field}: ${e.message}`),
      ['status.storedVersions: Invalid value: ["v1"]: must have the storage version v1']
    )
  })

  it('refuses changes of names that clients know', () => {
    const errors = new FieldErrors()
    const old = definition()
    old.status.conditions = [{ type: 'Established', status: 'True' }]
    kind.strategy!.validateUpdate!(
      definition(s => Object.assign(s, { scope: 'Cluster', group: 'b.com' })),
      old,
      errors,
      context
    )
    assert.deepEqual(
      errors.list.map(e => e.field),
      ['spec.scope', 'spec.group']
    )
  })

  it('requires an approval for groups of Kubernetes itself', () => {
    const approved = (annotation?: string) => {
      const errors = new FieldErrors()
      const object = definition(s => (s.group = 'a.k8s.io'))
      if (annotation) object.metadata.annotations = { 'api-approved.kubernetes.io': annotation }
      kind.strategy!.validateCreate!(object, errors, context)
      return !errors.any
    }
    assert.deepEqual(
      [approved(), approved('because'), approved('https://example.com/1'), approved('unapproved, test')],
      [false, false, true, true]
    )
  })

  it('has a condition for the approval of groups of Kubernetes itself', () => {
    const condition = (group: string, annotation?: string) => {
      const object = definition(s => (s.group = group))
      if (annotation) object.metadata.annotations = { 'api-approved.kubernetes.io': annotation }
      const { status, reason, message } = approvalCondition(object) ?? {}
      return [status, reason, message]
    }
    assert.deepEqual(condition('example.com', 'https://example.com/1'), [undefined, undefined, undefined])
    assert.deepEqual(condition('a.k8s.io', 'https://example.com/1'), [
      'True',
      'ApprovedAnnotation',
      'approved in https://example.com/1'
    ])
    assert.deepEqual(condition('a.k8s.io', 'unapproved, test'), [
      'False',
      'UnapprovedAnnotation',
      'not approved: "unapproved, test"'
    ])
    assert.deepEqual(
      [condition('a.k8s.io'), condition('a.k8s.io', 'because')].map(([status, reason]) => [status, reason]),
      [
        ['False', 'MissingAnnotation'],
        ['False', 'InvalidAnnotation']
      ]
    )
  })
})
