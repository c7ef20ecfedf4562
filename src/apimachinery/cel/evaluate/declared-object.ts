/** An object of a declared type that an expression constructs: `Type{field: value}`. */
import type { Type } from '../types.js'
import { equal } from '../values/compare.js'
import { ObjectValue, type Value } from '../values/value.js'

export class DeclaredObject extends ObjectValue {
  readonly type: Type
  readonly fields: ReadonlyMap<string, Value>

  constructor(type: Type, fields: ReadonlyMap<string, Value>) {
    super()
    this.type = type
    this.fields = fields
  }

  override field(name: string): Value | undefined {
    return this.fields.get(name)
  }

  equals(other: ObjectValue): boolean {
    if (!(other instanceof DeclaredObject) || this.fields.size !== other.fields.size) return false
    return [...this.fields].every(([name, value]) => {
      const theirs = other.fields.get(name)
      return theirs !== undefined && equal(value, theirs) === true
    })
  }
}
