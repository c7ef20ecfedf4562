/** A type as server-side apply sees it: owned as a whole, or by field, key or item. */

import { compareText } from '../../util/go-format.js'
import { getKey, isObject } from '../../util/json.js'
import { deduced } from '../schema/deduced.js'
import type { Field, ListType, MapType, StructType, Type } from '../schema/model.js'
import { zeroScalar } from '../schema/scalars.js'
import { goJson } from '../validation/go-value.js'

type Granularity = 'whole' | 'fields' | 'keys' | 'set' | 'items'

interface KeyField {
  readonly name: string
  /** The name as JSON. */
  readonly quoted: string
  /** The value of a key that an item omits; undefined for none. */
  readonly default: unknown
}

export class Place {
  readonly type: Type
  /**
   * 'whole' has one owner. The fields of a struct, keys of a map, values of a set and items of a keyed list have owners of their
   * own.
   */
  readonly granularity: Granularity
  /** The step to the field of a struct. */
  readonly step: string | undefined
  readonly #field: Field | undefined
  #fields: Map<string, Place | undefined> | undefined
  #below: Place | undefined
  #keys: readonly KeyField[] | undefined

  constructor(type: Type, field?: Field, step?: string) {
    this.type = type
    this.step = step
    this.#field = field
    this.granularity = granularityOf(type, field)
  }

  /** Returns the place of a struct's field or of any key of a map; undefined for a field that the type lacks. */
  at(key: string): Place | undefined {
    const { type } = this
    if (type.kind !== 'struct') return this.below
    const fields = (this.#fields ??= new Map())
    let place = fields.get(key)
    if (!place) {
      const field = type.byName.get(key)
      if (field) fields.set(key, (place = new Place(field.type, field, `f:${key}`)))
      else if (restOf(type)) place = this.below
    }
    return place
  }

  /** The place of a map's values, of a list's items, or of undeclared fields. */
  get below(): Place {
    const { type } = this
    if (this.#below) return this.#below
    if (type.kind === 'struct') this.#below = new Place(restOf(type)!)
    else this.#below = new Place(type.kind === 'list' ? type.items : (type as MapType).values, (type as MapType).element)
    return this.#below
  }

  /** Whether a value has the form that the type demands, so that its parts can have owners of their own. */
  fits(value: unknown): boolean {
    return this.granularity === 'set' || this.granularity === 'items' ? Array.isArray(value) : isObject(value)
  }

  /** Whether null is not a value of a field of a custom resource. */
  get refusesNull(): boolean {
    const { type } = this
    return this.#field?.nullable === false && this.#field.default === undefined && !(type.kind === 'map' && type.deduced)
  }

  /** The fields that identify items of a keyed list, in alphabetical order. */
  get keys(): readonly KeyField[] {
    return (this.#keys ??= [...(this.#field?.listMapKeys ?? [])]
      .sort(compareText)
      .map(name => ({ name, quoted: goJson(name), default: keyDefault((this.type as ListType).items, name) })))
  }

  /** Whether every valid item of a keyed list has a key, or a default for one, as definitions of custom resources demand. */
  get isAlwaysKeyed(): boolean {
    const { items } = this.type as ListType
    if (this.#field?.nullable !== undefined) return true
    return this.keys.some(
      key => key.default !== undefined || (items.kind === 'struct' && items.byName.get(key.name)?.required === true)
    )
  }

  /**
   * Returns the step to an item of a keyed list: its key fields as JSON. Returns undefined when the item has none of them; an
   * item of a custom resource that has not been validated yet may not even be an object.
   */
  stepTo(item: unknown): string | undefined {
    const { keys } = this
    if (keys.length === 1 && isObject(item)) {
      // most lists have one key
      const given = getKey(item, keys[0]!.name)
      const value = given === undefined ? keys[0]!.default : given
      if (typeof value === 'string') return `k:{${keys[0]!.quoted}:${goJson(value)}}`
    }
    const key: Record<string, unknown> = {}
    let known = false
    for (const { name, default: fallback } of keys) {
      const given = isObject(item) ? getKey(item, name) : undefined
      const value = given === undefined ? fallback : given
      if (value === undefined) continue
      key[name] = value
      known = true
    }
    return known ? `k:${goJson(key)}` : undefined
  }
}

/** The schema of a struct without fields says nothing about what may lie in it. */
const restOf = (type: StructType): Type | undefined => type.rest ?? (type.fields.length === 0 ? deduced : undefined)

const places = new WeakMap<StructType, Place>()

/** Returns the place of whole objects of a type. */
export function placeOf(type: StructType): Place {
  let place = places.get(type)
  if (!place) places.set(type, (place = new Place(type)))
  return place
}

function granularityOf(type: Type, field: Field | undefined): Granularity {
  switch (type.kind) {
    case 'scalar':
      return 'whole'
    case 'list':
      return field?.listType === 'set' ? 'set' : field?.listType === 'map' ? 'items' : 'whole'
    case 'map':
      return field?.mapType === 'atomic' ? 'whole' : 'keys'
    case 'struct':
      return (field?.mapType ?? type.mapType) === 'atomic' ? 'whole' : 'fields'
  }
}

/**
 * Returns the default of a key field. Fields that Go always writes have a default in OpenAPI even without a declared one: their
 * zero value.
 */
function keyDefault(items: Type, name: string): unknown {
  const field = items.kind === 'struct' ? items.byName.get(name) : undefined
  if (!field) return undefined
  return field.default ?? (field.presence === 'always' && field.type.kind === 'scalar' ? zeroScalar(field.type) : undefined)
}

/** Whether a value contains nothing that could be owned separately. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (typeof value !== 'object') return false
  for (const _ in value) return false
  return true
}

/**
 * Whether the parts of a value have owners: the value is not owned as a whole, not empty, and has the form that the type demands.
 */
export function hasParts(place: Place, value: unknown): value is object {
  return place.granularity !== 'whole' && place.fits(value) && !isEmpty(value)
}

export const valueStep = (value: unknown) => `v:${goJson(value)}`
