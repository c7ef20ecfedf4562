import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FieldErrors } from '../../apimachinery/validation/field.js'
import type { KindDefinition } from '../../registry/kind.js'
import { flowSchema } from './flow-schema.js'
import { mandatoryFlowSchemas, mandatoryPriorityLevels } from './mandatory.js'
import { priorityLevelConfiguration } from './priority-level-configuration.js'

const context = {} as any

function problems(kind: KindDefinition, name: string, spec: any): string[] {
  const object = { metadata: { name }, spec: structuredClone(spec), status: {} }
  kind.strategy!.default!(object, context)
  const errors = new FieldErrors()
  kind.strategy!.validate!(object, errors, context)
  return errors.list.map(e => `${e.field}: ${e.message}`)
}

const schema = (more: any = {}) => ({ priorityLevelConfiguration: { name: 'l' }, ...more })
const limited = (queuing: any) => ({ type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing } } })

describe('flowcontrol.apiserver.k8s.io', () => {
  it('accepts the mandatory objects only unchanged', () => {
    for (const [name, spec] of mandatoryFlowSchemas) {
      assert.deepEqual(problems(flowSchema, name, spec), [])
      assert.match(problems(flowSchema, name, { ...spec, matchingPrecedence: 7 }).at(-1)!, /must equal the fixed value$/)
    }
    for (const [name, spec] of mandatoryPriorityLevels) assert.deepEqual(problems(priorityLevelConfiguration, name, spec), [])
    assert.deepEqual(problems(priorityLevelConfiguration, 'exempt', { type: 'Exempt', exempt: { lendablePercent: 50 } }), [])
  })

  const subjects = [{ kind: 'User', user: { name: 'u' } }]
  for (const [what, rule, expected] of [
    [
      'subject without its field',
      { subjects: [{ kind: 'Group', user: { name: 'u' } }] },
      [
        "subjects[0].group: Required value: group is required when subject kind is 'Group'",
        "subjects[0].user: Forbidden: user is forbidden when subject kind is not 'User'"
      ]
    ],
    [
      'verb that there is not',
      { subjects, nonResourceRules: [{ verbs: ['go'], nonResourceURLs: ['/*'] }] },
      [
        'nonResourceRules[0].verbs: Unsupported value: ["go"]: supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"'
      ]
    ],
    [
      'wildcard in the middle of a path',
      { subjects, nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/a/*/b', '/a*'] }] },
      [
        'nonResourceRules[0].nonResourceURLs[0]: Invalid value: "/a/*/b": wildcard can only do suffix matching',
        'nonResourceRules[0].nonResourceURLs[1]: Invalid value: "/a*": wildcard can only do suffix matching'
      ]
    ]
  ] as const) {
    it(`refuses a ${what}`, () => {
      const withRule = { nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }], ...rule }
      assert.deepEqual(
        problems(flowSchema, 'x', schema({ rules: [withRule] })),
        expected.map(e => `spec.rules[0].${e}`)
      )
    })
  }

  it('sets the defaults of queues, and refuses hand sizes beyond the hash', () => {
    assert.deepEqual(problems(priorityLevelConfiguration, 'x', limited({})), [])
    assert.deepEqual(problems(priorityLevelConfiguration, 'x', limited({ queues: 2, handSize: 3 })), [
      'spec.limited.limitResponse.queuing.handSize: Invalid value: 3: should not be greater than queues (2)'
    ])
    assert.match(problems(priorityLevelConfiguration, 'x', limited({ queues: 1000, handSize: 8 }))[0]!, /required entropy bits/)
  })
})

it('requires the types of a PriorityLevelConfiguration, rather than one of the known ones', () => {
  assert.deepEqual(problems(priorityLevelConfiguration, 'l', { type: '' }), ['spec.type: Required value'])
  const found = problems(priorityLevelConfiguration, 'l', { type: 'Limited', limited: { limitResponse: { type: '' } } })
  assert.deepEqual(found, ['spec.limited.limitResponse.type: Required value'])
  assert.match(problems(priorityLevelConfiguration, 'l', { type: 'x' })[0]!, /^spec\.type: Unsupported value: "x"/)
})

it('a PriorityLevelConfiguration may not have the annotation of v1beta3', () => {
  const key = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares'
  const object: any = { metadata: { name: 'l', annotations: { [key]: '' } }, spec: limited({}), status: {} }
  const errors = new FieldErrors()
  priorityLevelConfiguration.strategy!.validate!(object, errors, context)
  assert.deepEqual(
    errors.list.map(e => `${e.field}: ${e.message}`),
    [`metadata.annotations: Forbidden: annotation '${key}' is forbidden`]
  )
})
