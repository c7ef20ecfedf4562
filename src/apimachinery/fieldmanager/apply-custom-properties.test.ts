/** Properties of server-side apply on custom resources, tested on random schemas and configurations from fixed seeds. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { customType } from '../../apiextensions/custom-type.js'
import { pick, type Random, random, some, times } from '../../testkit/random.js'
import { exactJson } from '../../util/exact-json.js'
import type { JSONSchemaProps } from '../api/generated/apiextensions-v1.js'
import { decode } from '../schema/decode.js'
import type { StructType } from '../schema/model.js'
import { structuralSchema } from '../structural/structural.js'
import { applyConfiguration } from './apply.js'
import { emptyObject } from './empty-object.js'
import { fieldSet } from './field-set.js'
import { pathsOf } from './paths.js'
import { placeOf } from './place.js'

const gvk = { group: 'g.io', version: 'v1', kind: 'Random' }
const names = ['a', 'b', 'c']
const deepest = 3

/** Generates any structural schema, with few names, so that configurations overlap. */
function schema(next: Random, depth = 0): JSONSchemaProps {
  const forms = ['string', 'integer', 'boolean', 'open', 'struct', 'struct', 'map', 'set', 'items', 'list']
  const form = depth === deepest ? pick(next, ['string', 'integer', 'boolean']) : pick(next, forms)
  const inner = () => schema(next, depth + 1)
  switch (form) {
    case 'open':
      return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
    case 'struct':
      return {
        type: 'object',
        properties: Object.fromEntries(names.map(name => [name, inner()])),
        ...(next(4) ? {} : { 'x-kubernetes-map-type': 'atomic' })
      }
    case 'map':
      return { type: 'object', additionalProperties: inner(), 'x-kubernetes-map-type': pick(next, ['granular', 'atomic']) }
    case 'set':
      return { type: 'array', items: { type: pick(next, ['string', 'integer']) }, 'x-kubernetes-list-type': 'set' }
    case 'items':
      return {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k', 'n'],
        items: {
          type: 'object',
          required: ['k'],
          properties: { k: { type: 'string' }, n: { type: 'integer', default: 0 }, value: inner() }
        }
      }
    case 'list':
      return { type: 'array', items: inner(), 'x-kubernetes-list-type': 'atomic' }
    default:
      return { type: form }
  }
}

/** Generates a value that matches a schema. */
function randomValue(next: Random, given: JSONSchemaProps): unknown {
  const { type, properties, additionalProperties, items } = given
  const listType = given['x-kubernetes-list-type']
  if (type === 'string') return pick(next, names)
  // includes integers that doubles cannot distinguish
  if (type === 'integer') return pick(next, [0, 1, 2n ** 53n + 1n, 2n ** 53n + 3n])
  if (type === 'boolean') return next(2) === 1
  if (type === 'array') {
    const item = items as JSONSchemaProps
    if (listType === 'set') return item.type === 'string' ? some(next, names) : some(next, [1, 2, 2n ** 53n + 1n])
    if (listType !== 'map') return some(next, names).map(() => randomValue(next, item))
    const keys = some(next, names).flatMap(k => some(next, [0, 1]).map(n => ({ k, n })))
    return keys.map(key => ({ ...key, ...(next(2) ? { value: randomValue(next, item.properties!.value!) } : {}) }))
  }
  if (given['x-kubernetes-preserve-unknown-fields'])
    return Object.fromEntries(some(next, names).map(name => [name, pick(next, [1, 'x', { a: 1 }, [1, { b: 2 }]])]))
  const present = some(next, names)
  return Object.fromEntries(
    present.map(name => [name, randomValue(next, properties ? properties[name]! : (additionalProperties as JSONSchemaProps))])
  )
}

interface Case {
  readonly type: StructType
  configuration(): any
}

function caseOf(seed: number): Case {
  const next = random(seed)
  const spec: JSONSchemaProps = { type: 'object', properties: Object.fromEntries(names.map(name => [name, schema(next)])) }
  const type = customType(structuralSchema({ type: 'object', properties: { spec } }), gvk)
  const identity = { apiVersion: 'g.io/v1', kind: 'Random', metadata: { name: 'x' } }
  return { type, configuration: () => ({ ...structuredClone(identity), spec: randomValue(next, spec) }) }
}

function apply(type: StructType, live: any, name: string, config: any, force = true): any {
  const { fields, problems } = fieldSet(placeOf(type), config)
  assert.deepEqual(problems, [], `the fields of ${exactJson(config)}`)
  const manager = { name, apiVersion: 'g.io/v1', subresource: '' }
  const applied = applyConfiguration({ type, live, config, fields, manager, now: 't', force })
  const object: any = applied.object === undefined ? structuredClone(live) : decode(type, applied.object).object
  object.metadata.uid = 'u'
  object.metadata.managedFields = applied.managedFields
  return object
}

const start = (type: StructType) => ({ apiVersion: 'g.io/v1', kind: 'Random', ...emptyObject(type) })
const entryOf = (object: any, manager: string) => object.metadata.managedFields.find((entry: any) => entry.manager === manager)
const owned = (object: any, manager: string): string[] => pathsOf(entryOf(object, manager)?.fieldsV1 ?? {}).sort()
const pathsIn = (type: StructType, { spec }: any) => new Set(pathsOf(fieldSet(placeOf(type), { spec }).fields))
const seeds = Array.from({ length: times(80) }, (_, seed) => seed)
const nothing = { apiVersion: 'g.io/v1', kind: 'Random', metadata: { name: 'x' } }

describe('server-side apply of custom resources', () => {
  for (const [law, holds] of Object.entries<(of: Case, seed: string) => void>({
    'changes nothing when the same is applied again': ({ type, configuration }, seed) => {
      const config = configuration()
      const once = apply(type, apply(type, start(type), 'other', configuration()), 'one', config)
      assert.deepEqual(apply(type, once, 'one', config), once, seed)
    },
    'owns by force exactly what it applies': ({ type, configuration }, seed) => {
      const config = configuration()
      const after = apply(type, apply(type, start(type), 'other', configuration()), 'one', config)
      const wanted = pathsOf(fieldSet(placeOf(type), { spec: config.spec }).fields).sort()
      assert.deepEqual(owned(after, 'one'), wanted, seed)
    },
    'finds no conflict with what it took': ({ type, configuration }, seed) => {
      const config = configuration()
      const after = apply(type, apply(type, start(type), 'other', configuration()), 'one', config)
      assert.doesNotThrow(() => apply(type, after, 'one', config, false), seed)
    },
    'removes what a manager gives up, but for what others own': ({ type, configuration }, seed) => {
      const both = apply(type, apply(type, start(type), 'other', configuration()), 'one', configuration())
      const after = apply(type, both, 'one', nothing)
      assert.equal(entryOf(after, 'one'), undefined, `${seed}: the entry of a manager that owns nothing is still there`)
      const [before, left] = [pathsIn(type, both), pathsIn(type, after)]
      const kept = new Set(owned(both, 'other'))
      // a container that becomes empty is null
      const emptied = (path: string) => owned(both, 'one').some(other => other !== path && other.startsWith(path))
      for (const path of kept) if (!emptied(path)) assert.equal(left.has(path), before.has(path), `${seed}: ${path}`)
      for (const path of owned(both, 'one')) {
        const isAbove = [...kept].some(other => other.startsWith(path))
        if (!isAbove) assert.ok(!left.has(path), `${seed}: ${path}`)
      }
    },
    'does not depend on the order of managers who own different things': ({ type, configuration }, seed) => {
      const { spec } = configuration()
      const part = (own: readonly string[]) => ({
        ...nothing,
        spec: Object.fromEntries(Object.entries(spec).filter(([name]) => own.includes(name)))
      })
      const [left, right] = [part(['a']), part(['b', 'c'])]
      const one = apply(type, apply(type, start(type), 'l', left, false), 'r', right, false)
      const two = apply(type, apply(type, start(type), 'r', right, false), 'l', left, false)
      assert.deepEqual(one.spec, two.spec, seed)
      for (const manager of ['l', 'r']) assert.deepEqual(owned(one, manager), owned(two, manager), seed)
    }
  }))
    it(law, () => {
      for (const seed of seeds) holds(caseOf(seed), `seed ${seed}`)
    })
})
