/** The types of objects as kube-controller-manager sees them when it checks the expressions of a policy. */

import {
  boolType,
  bytesType,
  doubleType,
  dynType,
  intType,
  listType,
  mapType,
  objectType,
  stringType,
  type Type,
  timestampType
} from '../../apimachinery/cel/types.js'
import { loadSchema } from '../../apimachinery/schema/load.js'
import type { Type as FieldType, Scalar, StructType } from '../../apimachinery/schema/model.js'
import { declaredType } from '../../apimachinery/structural/rules/declared-type.js'
import { escapeName } from '../../apimachinery/structural/rules/escape.js'
import { structuralSchema } from '../../apimachinery/structural/structural.js'
import type { Resource } from '../../registry/resource.js'

/** Scalars that are missing here have no type of their own in OpenAPI, so expressions cannot see their fields. */
const scalars: Partial<Record<Scalar, Type>> = {
  string: stringType,
  int32: intType,
  int64: intType,
  double: doubleType,
  bool: boolType,
  bytes: bytesType,
  intOrString: dynType,
  time: timestampType,
  microTime: timestampType
}

/** Error messages show `name` for the type, and `name` with the field's path for the types inside. */
export function objectTypeOf(resource: Resource, version: string, name: string): Type {
  const { custom } = resource.kind
  if (!custom) return structType(resource.type(version), name, [])
  const declared = declaredType(structuralSchema(custom.schema()), true, name)
  const fields = new Map<string, Type>([...(declared?.fields ?? [])].map(([field, { type }]) => [field, type]))
  fields.set('metadata', structType(loadSchema().type('meta.v1.ObjectMeta'), `${name}.metadata`, []))
  return objectType(name, fields)
}

/** A recursive type becomes an object without fields. `around`: the enclosing types. */
function structType(type: StructType, name: string, around: readonly StructType[]): Type {
  const fields = new Map<string, Type>()
  if (!around.includes(type)) {
    const within = [...around, type]
    for (const field of type.fields) {
      const escaped = escapeName(field.name)
      const found = escaped !== undefined && fieldType(field.type, `${name}.${escaped}`, within)
      if (found) fields.set(escaped, found)
    }
  }
  return objectType(name, fields)
}

function fieldType(type: FieldType, name: string, around: readonly StructType[]): Type | undefined {
  switch (type.kind) {
    case 'scalar':
      return type.scalar === 'raw' || type.scalar === 'fieldsV1' ? objectType(name, new Map()) : scalars[type.scalar]
    case 'list': {
      const items = fieldType(type.items, `${name}.@idx`, around)
      return items && listType(items)
    }
    case 'map': {
      const values = fieldType(type.values, `${name}.@elem`, around)
      return values && mapType(stringType, values)
    }
    case 'struct':
      return structType(type, name, around)
  }
}
