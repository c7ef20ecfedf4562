import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtinKinds } from '../../kinds/index.js'
import { computations, implementationOf, implementations, resourceKey } from './index.js'

test('every subresource that is not a part of its object has an implementation', () => {
  for (const kind of builtinKinds) {
    for (const [name, definition] of Object.entries(kind.subresources?.others ?? {})) {
      const implementation = implementationOf(kind, name)
      const what = `${resourceKey(kind)}/${name}`
      assert.equal(implementation === undefined, definition.prepareForUpdate !== undefined, what)
      if (!implementation) continue
      assert.equal(implementation.connect !== undefined, definition.connects === true, what)
      if (!definition.connects)
        assert.deepEqual(
          definition.verbs.toSorted(),
          (['create', 'get'] as const).filter(verb => implementation[verb]),
          what
        )
    }
  }
})

test('every kind that is never stored has an implementation', () => {
  for (const kind of builtinKinds) {
    const key = resourceKey(kind)
    assert.equal(implementationOf(kind, '')?.create !== undefined, kind.virtual === true, key)
    assert.equal(Object.hasOwn(computations, key), kind.computed !== undefined, key)
  }
})

test('every implementation belongs to a kind', () => {
  const declared = builtinKinds.flatMap(kind => {
    const key = resourceKey(kind)
    return [key, ...Object.keys(kind.subresources?.others ?? {}).map(name => `${key}/${name}`)]
  })
  for (const key of [...Object.keys(implementations), ...Object.keys(computations)]) assert.ok(declared.includes(key), key)
})
