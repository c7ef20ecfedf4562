/** Sets of fields within an object, as the metadata of a Pod's claim templates may have. Any JSON is decoded as one, and only then must be a map. */
import { isObject } from '../../util/json.js'
import { holders } from '../schema/holders.js'
import type { Field, StructType, Type } from '../schema/model.js'

const isFieldSet = (type: Type) => type.kind === 'scalar' && type.scalar === 'fieldsV1'
const holdsFieldSets = holders(({ type }) => isFieldSet(type))

const known = new WeakMap<StructType, readonly Field[]>()

function fieldsThatHold(type: StructType): readonly Field[] {
  let fields = known.get(type)
  if (!fields) known.set(type, (fields = type.fields.filter(field => isFieldSet(field.type) || holdsFieldSets(field.type))))
  return fields
}

/** Whether a set of fields in the object is no map. The object has no managedFields itself. */
export const hasWrongFieldSet = (type: StructType, object: object): boolean => isWrong(type, object)

function isWrong(type: Type, value: unknown): boolean {
  if (value === undefined || value === null) return false
  switch (type.kind) {
    case 'scalar':
      return !isObject(value)
    case 'list':
      return (value as unknown[]).some(item => isWrong(type.items, item))
    case 'map':
      return Object.values(value).some(item => isWrong(type.values, item))
    default:
      return fieldsThatHold(type).some(field => isWrong(field.type, (value as Record<string, unknown>)[field.name]))
  }
}
