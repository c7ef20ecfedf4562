/** Claims and users as values of expressions. Fields may be escaped, `claims.kubernetes__dot__io`, on every level. */

import { userType } from '../../cel/admission-environment.js'
import { objectType, type Type } from '../../cel/types.js'
import { ListValue, MapValue, ObjectValue, type Value } from '../../cel/values/value.js'
import type { UserInfo } from '../../request/user.js'
import { unescapeName } from '../../structural/rules/escape.js'
import { getKey, isObject, type JsonObject } from '../../util/json.js'

/** A JSON value as Go decodes it without a type: all numbers are doubles. */
function plainValue(json: unknown): Value {
  if (typeof json === 'string' || typeof json === 'boolean' || typeof json === 'number') return json
  if (typeof json === 'bigint') return Number(json)
  if (Array.isArray(json)) return new PlainList(json)
  return isObject(json) ? new PlainMap(json) : null
}

class PlainList extends ListValue {
  readonly #items: readonly unknown[]
  constructor(items: readonly unknown[]) {
    super()
    this.#items = items
  }

  get size(): number {
    return this.#items.length
  }

  get(i: number): Value {
    return plainValue(this.#items[i])
  }
}

class PlainMap extends MapValue {
  readonly #object: JsonObject
  constructor(object: JsonObject) {
    super()
    this.#object = object
  }

  get size(): number {
    return Object.keys(this.#object).length
  }

  get(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined
    const found = getKey(this.#object, unescapeName(key) ?? key)
    return found === undefined ? undefined : plainValue(found)
  }

  keys(): Iterable<Value> {
    return Object.keys(this.#object)
  }
}

/** The variable of an expression: it has fields, but no size and no keys. */
class Fields extends ObjectValue {
  readonly type: Type
  readonly #object: JsonObject
  constructor(type: Type, object: JsonObject) {
    super()
    this.type = type
    this.#object = object
  }

  override field(name: string): Value | undefined {
    const plain = unescapeName(name)
    const found = plain === undefined ? undefined : getKey(this.#object, plain)
    return found === undefined ? undefined : plainValue(found)
  }

  equals(other: ObjectValue): boolean {
    return other === this
  }
}

const claimsType = objectType('kubernetes.claims')

export const claimsValue = (claims: JsonObject): Value => new Fields(claimsType, claims)

export const userValue = ({ name, uid = '', groups, extra = {} }: UserInfo): Value =>
  new Fields(userType, { username: name, uid, groups, extra })
