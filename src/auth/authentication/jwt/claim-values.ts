/** Claims and users as values of expressions. On every level, fields may be escaped: `claims.kubernetes__dot__io`. */

import { userType } from '../../../apimachinery/cel/admission-environment.js'
import { objectType, type Type } from '../../../apimachinery/cel/types.js'
import { JsonList, JsonMap } from '../../../apimachinery/cel/values/json.js'
import { ObjectValue, type Value } from '../../../apimachinery/cel/values/value.js'
import type { UserInfo } from '../../../apimachinery/request/user.js'
import { unescapeName } from '../../../apimachinery/structural/rules/escape.js'
import { getKey, isObject, type JsonObject } from '../../../util/json.js'

/** Wraps a JSON value that Go decodes without a type: all numbers are doubles. */
function plainValue(json: unknown): Value {
  if (typeof json === 'string' || typeof json === 'boolean' || typeof json === 'number') return json
  if (typeof json === 'bigint') return Number(json)
  if (Array.isArray(json)) return new PlainList(json)
  return isObject(json) ? new PlainMap(json) : null
}

class PlainList extends JsonList {
  override get(i: number): Value {
    return plainValue(this.items[i])
  }
}

class PlainMap extends JsonMap {
  override get(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined
    const found = getKey(this.object, unescapeName(key) ?? key)
    return found === undefined ? undefined : plainValue(found)
  }
}

/** The variable of an expression. It has fields, but neither a size nor keys. */
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
