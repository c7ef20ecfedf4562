/** Which requests the constraints of a policy or webhook select. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StatusError } from '../../apimachinery/status/status.js'
import type { AdmissionAttributes } from '../admission.js'
import { RequestMatcher } from './match-resources.js'

const labelled = (labels?: object) => ({ metadata: { labels } })
const namespaces: Readonly<Record<string, object>> = { prod: { env: 'prod' }, dev: {} }
const registry = {
  of: () => ({
    groupResource: { group: '', resource: 'namespaces' },
    get: (_: string, name: string) => namespaces[name] && { labels: namespaces[name] }
  })
}
const kind = { subresources: { status: {}, scale: {} } }
const attributes = (more: object = {}) =>
  ({
    operation: 'UPDATE',
    resource: { group: 'apps', resource: 'deployments', kind, prefix: 'p' },
    subresource: '',
    namespace: 'prod',
    name: 'x',
    object: labelled(),
    oldObject: labelled(),
    context: { version: 'v1', services: { registry } },
    ...more
  }) as unknown as AdmissionAttributes
const rule = (more: object = {}) => ({
  apiGroups: ['apps'],
  apiVersions: ['v1'],
  operations: ['*'],
  resources: ['deployments', 'deployments/*'],
  ...more
})

/** The defaults; nothing is selected without a selector. */
const selectAll = { namespaceSelector: {}, objectSelector: {} }

function matches(constraints: object, more: object = {}): boolean | string {
  try {
    return (
      new RequestMatcher({ ...selectAll, resourceRules: [rule()], matchPolicy: 'Exact', ...constraints } as never).match(
        attributes(more)
      ) !== undefined
    )
  } catch (error) {
    assert.ok(error instanceof StatusError)
    return error.message
  }
}

test('the rules select a request, unless an excluding rule does', () => {
  assert.equal(matches({}), true)
  assert.equal(matches({ resourceRules: undefined }), true)
  assert.equal(matches({ resourceRules: [] }), true)
  assert.equal(matches({ resourceRules: [rule({ resources: ['pods'] })] }), false)
  assert.equal(matches({ excludeResourceRules: [rule()] }), false)
  assert.equal(matches({ excludeResourceRules: [rule({ resources: ['pods'] })] }), true)
  assert.equal(matches({ resourceRules: [], excludeResourceRules: [rule()] }), false)
})

test('a selector for objects selects by the labels before or after the write', () => {
  const objectSelector = { matchLabels: { a: 'b' } }
  const cases: readonly (readonly [object: object | undefined, oldObject: object | undefined, expected: boolean])[] = [
    [labelled({ a: 'b' }), undefined, true],
    [labelled({ a: 'c' }), undefined, false],
    [labelled(), undefined, false],
    [{}, undefined, false],
    [labelled(), labelled({ a: 'b' }), true],
    [labelled({ a: 'b' }), labelled(), true],
    [labelled(), labelled(), false],
    [undefined, labelled({ a: 'b' }), true],
    [undefined, labelled(), false],
    [undefined, undefined, false]
  ]
  for (const [object, oldObject, expected] of cases)
    assert.equal(matches({ objectSelector }, { object, oldObject }), expected, JSON.stringify([object, oldObject]))
  const labels = labelled({ a: 'b' })
  // a Scale has no labels
  assert.equal(matches({ objectSelector }, { object: labels, subresource: 'scale' }), false)
  assert.equal(matches({ objectSelector }, { object: labels, subresource: 'status' }), true)
  assert.equal(
    matches(
      { objectSelector: { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] } },
      { object: labels, oldObject: labels }
    ),
    false
  )
  for (const everything of [{}, { matchLabels: {} }, { matchExpressions: [] }])
    assert.equal(matches({ objectSelector: everything }, { object: undefined, oldObject: undefined }), true)
})

test('a selector for namespaces selects by the labels of the namespace', () => {
  const namespaceSelector = { matchLabels: { env: 'prod' } }
  assert.equal(matches({ namespaceSelector }), true)
  assert.equal(matches({ namespaceSelector }, { namespace: 'dev' }), false)
  assert.equal(matches({ namespaceSelector }, { namespace: '' }), true)
  const missing = 'namespaces "gone" not found'
  assert.equal(matches({ namespaceSelector }, { namespace: 'gone' }), missing)
  assert.equal(matches({ namespaceSelector, resourceRules: [] }, { namespace: 'gone' }), missing)
  // a missing namespace counts only for what the rules select
  assert.equal(matches({ namespaceSelector, resourceRules: [rule({ resources: ['pods'] })] }, { namespace: 'gone' }), false)
  assert.equal(matches({ namespaceSelector, excludeResourceRules: [rule()] }, { namespace: 'gone' }), false)
})

test('a Namespace is selected by its own labels, before a deletion by those that it has', () => {
  const namespaceSelector = { matchLabels: { env: 'prod' } }
  const resource = { group: '', resource: 'namespaces', kind: {}, prefix: 'n' }
  const of = (operation: string, namespace: string, object: object | undefined, subresource = '') =>
    matches({ namespaceSelector, resourceRules: [] }, { resource, operation, namespace, object, subresource })
  const [prod, dev] = [labelled({ env: 'prod' }), labelled()]
  assert.equal(of('CREATE', '', prod), true)
  assert.equal(of('CREATE', '', dev), false)
  assert.equal(of('UPDATE', 'dev', prod), true)
  assert.equal(of('UPDATE', 'prod', dev), false)
  assert.equal(of('UPDATE', 'prod', dev, 'status'), true)
  assert.equal(of('DELETE', 'prod', undefined), true)
  assert.equal(of('DELETE', 'dev', undefined), false)
})
