/** What holds after any writes of several managers to values without a schema, tested on random sequences from fixed seeds. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { customType } from '../../apiextensions/custom-type.js'
import { pick, type Random, random, some, times } from '../../testkit/random.js'
import { isObject } from '../../util/json.js'
import type { ManagedFieldsEntry } from '../api/generated/meta-v1.js'
import { decode } from '../schema/decode.js'
import type { StatusError } from '../status/status.js'
import { structuralSchema } from '../structural/structural.js'
import { applyConfiguration } from './apply.js'
import { emptyObject } from './empty-object.js'
import { fieldSet } from './field-set.js'
import type { FieldTree } from './fields-v1.js'
import { trackUpdate } from './managed-fields.js'
import { pathsOf } from './paths.js'
import { placeOf } from './place.js'

const keep = { 'x-kubernetes-preserve-unknown-fields': true }
const type = customType(structuralSchema({ type: 'object', properties: { spec: { type: 'object', ...keep } } }), {
  group: 'g.io',
  version: 'v1',
  kind: 'Free'
})
const place = placeOf(type)
const managers = ['one', 'two', 'three']
const managerOf = (name: string) => ({ name, apiVersion: 'g.io/v1', subresource: '' })

/** Any JSON: leaves, maps and lists in each other's place. */
function value(next: Random, depth = 3): unknown {
  const form = depth === 0 ? 0 : next(6)
  if (form < 2) return pick(next, ['', 's', 0, 5, true, null])
  if (form === 2) return pick(next, [{}, []])
  if (form === 3) return some(next, [1, 2]).map(() => value(next, depth - 1))
  return map(next, depth - 1)
}

const map = (next: Random, depth: number) => Object.fromEntries(some(next, ['a', 'b', 'c']).map(key => [key, value(next, depth)]))

const document = (spec: unknown) => ({ apiVersion: 'g.io/v1', kind: 'Free', metadata: { name: 'x' }, spec })

/** Returns the object after an apply; undefined for a conflict. */
function apply(live: any, name: string, config: any, force: boolean): any {
  const { fields } = fieldSet(place, config)
  try {
    const { object, managedFields } = applyConfiguration({
      type,
      live,
      config,
      fields,
      manager: managerOf(name),
      now: 't',
      force
    })
    const out: any = object === undefined ? structuredClone(live) : decode(type, object).object
    out.metadata = { ...out.metadata, uid: 'u', managedFields }
    return out
  } catch (error) {
    if ((error as StatusError).status?.code !== 409) throw error
    return undefined
  }
}

function update(live: any, name: string, spec: unknown): any {
  const object = structuredClone({ ...live, spec })
  trackUpdate(type, live, object, managerOf(name), 't')
  return object
}

const paths = (tree: FieldTree) => pathsOf(tree).filter(path => path !== '.spec')
const pathsIn = ({ spec }: any) => paths(fieldSet(place, { spec }).fields)
const owned = (object: any): string[] =>
  (object.metadata.managedFields ?? []).flatMap(({ fieldsV1 }: ManagedFieldsEntry) => paths(fieldsV1 as FieldTree))

/** Whether a value has all that another one asks for: null and {} ask for nothing in a map. */
function has(found: unknown, wanted: unknown): boolean {
  if (isObject(found) && (wanted === null || isObject(wanted)))
    return Object.entries(wanted ?? {}).every(([key, inner]) => Object.hasOwn(found, key) && has(found[key], inner))
  // what an applier emptied is null
  if (found === null && isObject(wanted)) return Object.keys(wanted).length === 0
  assert.deepEqual(found, wanted)
  return true
}

interface Step {
  readonly before: any
  readonly after: any
  readonly config: any
  readonly applier: string | undefined
  readonly where: string
}

/** Plays random writes, and shows each one that succeeds. */
function play(seed: number, check: (step: Step) => void): void {
  const next = random(seed)
  let live: any = { ...document({}), metadata: { ...emptyObject(type).metadata, name: 'x' } }
  const last = new Map<string, any>()
  for (let i = 0; i < 8; i++) {
    const name = pick(next, managers)
    const spec = map(next, 3)
    const how = i === 0 ? 1 : next(4)
    const config = document(next(4) === 0 ? (last.get(name) ?? spec) : spec)
    const after = how === 3 ? update(live, name, spec) : apply(live, name, config, how > 0)
    if (!after) continue
    after.metadata.uid = 'u'
    if (how !== 3) last.set(name, config.spec)
    check({ before: live, after, config, applier: how === 3 ? undefined : name, where: `seed ${seed}, write ${i}` })
    live = after
  }
}

const seeds = Array.from({ length: times(300) }, (_, seed) => seed)

describe('after any writes to values without a schema', () => {
  for (const [law, holds] of Object.entries<(step: Step) => void>({
    'what an applier sends is there': ({ after, config, applier, where }) => {
      if (applier) assert.ok(has(after.spec, config.spec), where)
    },
    'an applier owns what it sends': ({ after, config, applier, where }) => {
      if (!applier) return
      const entry = after.metadata.managedFields.find((e: ManagedFieldsEntry) => e.operation === 'Apply' && e.manager === applier)
      assert.deepEqual(paths((entry?.fieldsV1 ?? {}) as FieldTree).sort(), pathsIn(config).sort(), where)
    },
    'nobody owns what is not there': ({ after, where }) => {
      const there = new Set(pathsIn(after))
      for (const path of owned(after)) assert.ok(there.has(path), `${where}: ${path}`)
    },
    'what is there has an owner': ({ after, where }) => {
      // updates of an object without entries are not tracked
      if (!after.metadata.managedFields) return
      const all = new Set(owned(after))
      for (const path of pathsIn(after)) assert.ok(all.has(path), `${where}: ${path}`)
    }
  }))
    it(law, () => {
      for (const seed of seeds) play(seed, holds)
    })
})
