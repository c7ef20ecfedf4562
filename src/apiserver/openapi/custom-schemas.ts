/** Makes the OpenAPI schemas of custom resources: those of the definition, with the fields that all objects have. */
import type { JSONSchemaProps } from '../../apimachinery/api/generated/apiextensions-v1.js'
import type { Resource } from '../../registry/resource.js'
import { isObject } from '../../util/json.js'
import type { Descriptions } from './descriptions.js'
import type { Dialect } from './schemas.js'
import { openApiName } from './type-names.js'

type Json = Record<string, unknown>

interface GroupVersionKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** Returns a name such as "com.example.v1.Widget", with the group's domain reversed. */
export const customName = ({ group, version, kind }: GroupVersionKind): string =>
  [...group.split('.').reverse(), version, kind].join('.')

export const customListName = ({ group, kind }: Resource, version: string): string =>
  customName({ group, version, kind: kind.listKind! })

const objectMeta = openApiName('meta.v1.ObjectMeta')
const listMeta = openApiName('meta.v1.ListMeta')
const documentation = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md'

/** Schema fields that are not published. */
const unshown: ReadonlySet<string> = new Set(['id', '$schema'])

/** Whether Go's JSON library omits an example with this value. */
const isEmptyJson = (value: unknown) => ['null', '""', '[]', '{}'].includes(JSON.stringify(value))

/** Returns the schemas of a custom resource's version and of its list, by name. */
export function customSchemas(
  resource: Resource,
  version: string,
  declared: JSONSchemaProps,
  dialect: Dialect,
  descriptions: Descriptions
): Record<string, Json> {
  const { group, kind } = resource
  const own = { group, version, kind: kind.kind }
  const ref = (name: string) => ({ $ref: dialect.refPrefix + name })
  /** A reference with a description beside it. */
  const described = (name: string, description: string): Json =>
    dialect.v3 ? { description, allOf: [ref(name)] } : { description, ...ref(name) }
  const typeFields = (field: 'apiVersion' | 'kind') => ({ ...descriptions.field(listOfConfigMaps, field), type: 'string' })
  const metadata = described(objectMeta, `Standard object's metadata. More info: ${documentation}#metadata`)

  const write = (schema: JSONSchemaProps, isRoot: boolean): Json => {
    // if the schema named any field, kubectl would refuse all others
    if (isRoot && (Object.keys(schema).length === 0 || (!dialect.v3 && schema['x-kubernetes-preserve-unknown-fields'])))
      return { type: 'object' }
    const source = dialect.v3 ? schema : v2Schema(schema)
    const out: Json = {}
    for (const [key, value] of Object.entries(source))
      if (!unshown.has(key) && !(key === 'example' && isEmptyJson(value))) out[key] = nested(key, value)
    if (schema['x-kubernetes-int-or-string'] && dialect.v3 && !schema.anyOf && !schema.allOf)
      out.anyOf = [{ type: 'integer' }, { type: 'string' }]
    if (isRoot)
      out.properties = { ...(out.properties ?? {}), apiVersion: typeFields('apiVersion'), kind: typeFields('kind'), metadata }
    else if (schema['x-kubernetes-embedded-resource'] && (dialect.v3 || !schema['x-kubernetes-preserve-unknown-fields'])) {
      out.required = [...(schema.required ?? []), ...['kind', 'apiVersion'].filter(field => !schema.required?.includes(field))]
      out.properties = { ...(out.properties ?? {}), ...embeddedFields, metadata }
    }
    return out
  }
  const nested = (key: string, value: unknown): unknown => {
    if (key === 'properties')
      return Object.fromEntries(Object.entries(value as object).map(([name, s]) => [name, write(s, false)]))
    if ((key === 'items' || key === 'additionalProperties') && isObject(value)) return write(value, false)
    return value
  }

  const fields = Object.keys(kind.fieldSelectors?.fields ?? {})
  const selectable = fields.length > 0 ? { 'x-kubernetes-selectable-fields': fields.map(fieldPath => ({ fieldPath })) } : {}
  return {
    [customName(own)]: {
      ...write(declared, true),
      'x-kubernetes-group-version-kind': [{ group, kind: kind.kind, version }],
      ...selectable
    },
    [customListName(resource, version)]: {
      description: `${kind.listKind} is a list of ${kind.kind}`,
      type: 'object',
      required: ['items'],
      properties: {
        apiVersion: typeFields('apiVersion'),
        items: {
          description: `List of ${resource.resource}. More info: ${documentation}`,
          type: 'array',
          items: ref(customName(own))
        },
        kind: typeFields('kind'),
        metadata: described(listMeta, `Standard list metadata. More info: ${documentation}#types-kinds`)
      },
      'x-kubernetes-group-version-kind': [{ group, kind: kind.listKind, version }],
      ...selectable
    }
  }
}

/** A list of a built-in kind, whose descriptions of apiVersion and kind are those of all lists. */
const listOfConfigMaps = openApiName('core.v1.ConfigMapList')

const embeddedFields = {
  apiVersion: {
    description: `apiVersion defines the versioned schema of this representation of an object. More info: ${documentation}#resources`,
    type: 'string'
  },
  kind: {
    description: `kind is a string value representing the type of this object. In CamelCase. More info: ${documentation}#types-kinds`,
    type: 'string'
  }
}

/** Reduces a schema to OpenAPI v2, which cannot express some parts, and whose clients take other parts too strictly. */
function v2Schema(schema: JSONSchemaProps): JSONSchemaProps {
  const { allOf, anyOf, oneOf, not, nullable, default: _, ...rest } = schema
  const open = rest['x-kubernetes-preserve-unknown-fields']
  if (nullable || open) {
    delete rest.items
    delete rest.properties
  }
  // kubectl cannot validate a list without items, or an object that preserves unknown fields
  if (nullable || (rest.type === 'array' && !rest.items) || (rest.type === 'object' && open)) delete rest.type
  const required = rest.required && requiredInV2(rest)
  if (required && required.length > 0) return { ...rest, required }
  delete rest.required
  return rest
}

/** Returns the required fields that are not nullable: in v2 a null counts as a missing field. */
function requiredInV2({ required, properties, additionalProperties }: JSONSchemaProps): string[] | undefined {
  if (isObject(additionalProperties) && additionalProperties.nullable) return undefined
  return required?.filter(field => !properties?.[field]?.nullable)
}
