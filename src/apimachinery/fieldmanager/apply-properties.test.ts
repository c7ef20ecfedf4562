/** Properties of server-side apply and of field sets, tested on many random inputs from fixed seeds. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Random, random, some, times } from '../../testkit/random.js'
import { decode } from '../schema/decode.js'
import { loadSchema } from '../schema/load.js'
import { applyConfiguration } from './apply.js'
import { emptyObject } from './empty-object.js'
import { fieldSet } from './field-set.js'
import { difference, type FieldTree, hasSelf, intersection, union } from './fields-v1.js'
import { pathsOf } from './paths.js'
import { placeOf } from './place.js'

const type = loadSchema().type('core.v1.Pod')
const place = placeOf(type)

const mapOf = (next: Random) => Object.fromEntries(some(next, ['a', 'b', 'c']).map(key => [key, String(next(2))]))

/** Generates a pod configuration over few names, so that configurations often overlap. */
function configuration(next: Random): any {
  const containers = some(next, ['x', 'y', 'z']).map(name => ({
    name,
    ...(next(2) ? { image: `i:${next(2)}` } : {}),
    ...(next(2) ? { env: some(next, ['E', 'F']).map(name => ({ name, value: String(next(2)) })) } : {}),
    ...(next(2)
      ? { ports: some(next, [80, 443]).map(containerPort => ({ containerPort, ...(next(2) ? { protocol: 'UDP' } : {}) })) }
      : {}),
    ...(next(3) ? {} : { args: some(next, ['p', 'q']) })
  }))
  return {
    metadata: {
      name: 'p',
      ...(next(2) ? { labels: mapOf(next) } : {}),
      ...(next(2) ? { finalizers: some(next, ['e/a', 'e/b', 'e/c']) } : {})
    },
    spec: { containers, ...(next(2) ? { nodeSelector: mapOf(next) } : {}) }
  }
}

function apply(live: any, name: string, config: any, force = true): any {
  const { fields } = fieldSet(place, config)
  const applied = applyConfiguration({
    type,
    live,
    config,
    fields,
    manager: { name, apiVersion: 'v1', subresource: '' },
    now: 't',
    force
  })
  const object = structuredClone(applied.object === undefined ? live : decode(type, applied.object).object)
  object.metadata.uid = 'u'
  object.metadata.managedFields = applied.managedFields
  return object
}

const rounds = Array.from({ length: times(60) }, (_, seed) => seed)
const entryOf = (object: any, manager: string) => object.metadata.managedFields.find((entry: any) => entry.manager === manager)

/** The field paths of an object, as managedFields name them. */
const pathsIn = ({ metadata: { managedFields: _, ...metadata }, spec }: any) =>
  new Set(pathsOf(fieldSet(place, { metadata, spec }).fields))

describe('server-side apply', () => {
  it('changes nothing when the same is applied again', () => {
    for (const seed of rounds) {
      const next = random(seed)
      const config = configuration(next)
      const once = apply(apply(emptyObject(type), 'other', configuration(next)), 'one', config)
      assert.deepEqual(apply(once, 'one', config), once, `seed ${seed}`)
    }
  })

  it('removes all fields of a manager that gives up everything, except those that others own', () => {
    for (const seed of rounds) {
      const next = random(seed)
      const alone = apply(emptyObject(type), 'other', configuration(next))
      const both = apply(alone, 'one', configuration(next), true)
      const after = apply(both, 'one', { metadata: { name: 'p' } })
      assert.equal(entryOf(after, 'one'), undefined, `seed ${seed}: the entry of a manager that owns nothing is still there`)
      const [before, left] = [pathsIn(both), pathsIn(after)]
      for (const path of pathsOf(entryOf(both, 'other')?.fieldsV1 ?? {}))
        assert.equal(left.has(path), before.has(path), `seed ${seed}: ${path}`)
    }
  })

  it('does not depend on the order of managers who own different things', () => {
    for (const seed of rounds) {
      const next = random(seed)
      const labels = { metadata: { name: 'p', labels: mapOf(next) } }
      const { spec } = configuration(next)
      const pod = { metadata: { name: 'p' }, spec }
      const sorted = (object: any) => ({
        ...object,
        metadata: {
          ...object.metadata,
          managedFields: [...object.metadata.managedFields].sort((a: any, b: any) => (a.manager < b.manager ? -1 : 1))
        }
      })
      const start = apply(emptyObject(type), 'first', { metadata: { name: 'p', annotations: { a: 'b' } } })
      const one = apply(apply(start, 'one', labels, false), 'two', pod, false)
      const two = apply(apply(start, 'two', pod, false), 'one', labels, false)
      assert.deepEqual(sorted(one), sorted(two), `seed ${seed}`)
    }
  })

  it('by force, owns exactly the fields that it applies', () => {
    for (const seed of rounds) {
      const next = random(seed)
      const config = configuration(next)
      const after = apply(apply(emptyObject(type), 'other', configuration(next)), 'one', config)
      const names = new Set(['.metadata.name'])
      assert.deepEqual(
        pathsOf(entryOf(after, 'one')?.fieldsV1 ?? {}).sort(),
        pathsOf(fieldSet(place, config).fields)
          .filter(path => !names.has(path))
          .sort(),
        `seed ${seed}: what was applied is ${JSON.stringify(config)}`
      )
    }
  })

  it('finds no conflict with fields that it has taken over', () => {
    for (const seed of rounds) {
      const next = random(seed)
      const config = configuration(next)
      const after = apply(apply(emptyObject(type), 'other', configuration(next)), 'one', config)
      assert.doesNotThrow(() => apply(after, 'one', config, false), `seed ${seed}`)
    }
  })
})

describe('field sets', () => {
  const members = (tree: FieldTree | undefined) => new Set(tree ? pathsOf(tree) : [])
  const sets = (seed: number) => {
    const next = random(seed)
    return [fieldSet(place, configuration(next)).fields, fieldSet(place, configuration(next)).fields] as const
  }

  const shown = (seed: number) => `seed ${seed}: the sets are ${JSON.stringify(sets(seed))}`

  it('contain after a union the members of both', () => {
    for (const seed of rounds) {
      const [a, b] = sets(seed)
      assert.deepEqual([...members(union(a, b))].sort(), [...new Set([...members(a), ...members(b)])].sort(), shown(seed))
    }
  })

  it('contain after an intersection the common members, and after a difference the rest', () => {
    for (const seed of rounds) {
      const [a, b] = sets(seed)
      const inBoth = members(b)
      assert.deepEqual(
        [...members(intersection(a, b))].sort(),
        [...members(a)].filter(path => inBoth.has(path)).sort(),
        shown(seed)
      )
      assert.deepEqual(
        [...members(difference(a, b))].sort(),
        [...members(a)].filter(path => !inBoth.has(path)).sort(),
        shown(seed)
      )
    }
  })

  it('contain their own path only when marked so', () => {
    assert.ok(hasSelf({}))
    assert.ok(!hasSelf({ 'f:a': {} }))
    assert.ok(hasSelf({ '.': {}, 'f:a': {} }))
  })
})
