/** The results of mutating admission policies' expressions: JSON patches, and objects to apply (KEP-3962). */
import { type Library, overload } from '../declarations.js'
import { dynType, objectType, stringType, type Type } from '../types.js'

export const jsonPatchLibrary: Library = {
  functions: {
    'jsonpatch.escapeKey': [
      overload('string_jsonpatch_escapeKey_string', 'string -> string', (key: string) =>
        key.replace(/[~/]/g, char => (char === '~' ? '~0' : '~1'))
      )
    ]
  }
}

/** The fields of a type that does not declare them. */
class OpenFields extends Map<string, Type> {
  readonly #otherwise: Type

  constructor(otherwise: Type, known: readonly (readonly [string, Type])[] = []) {
    super()
    this.#otherwise = otherwise
    for (const [name, type] of known) this.set(name, type)
  }

  override get(name: string): Type {
    return super.get(name) ?? this.#otherwise
  }
}

// an unknown field of a patch accepts no value
export const jsonPatchType = objectType(
  'JSONPatch',
  new OpenFields(objectType(''), [
    ['op', stringType],
    ['path', stringType],
    ['from', stringType],
    ['value', dynType]
  ])
)
const anyFields = new OpenFields(dynType)
export const appliedType = objectType('Object', anyFields)

/** Object, Object.spec, Object.spec.template … exist as types for every object, regardless of its schema. */
export function patchType(name: string): Type | undefined {
  if (name === jsonPatchType.name) return jsonPatchType
  if (name === appliedType.name) return appliedType
  return name.startsWith(`${appliedType.name}.`) ? objectType(name, anyFields) : undefined
}
