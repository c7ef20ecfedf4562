/** Encodes an OpenAPI v3 document in Protobuf: the messages of gnostic's openapi.v3 schema, as far as our documents use them. */
import {
  all,
  any,
  bytes,
  double,
  extensions,
  flag,
  message,
  named,
  optional,
  text,
  texts,
  varintField
} from './protobuf-writer.js'

/** Below "application/": the name that answers have, and the old one, which is no valid media type. */
export const v3ProtobufSubtypes = [
  'com.github.proto-openapi.spec.v3.v1.0+protobuf',
  'com.github.proto-openapi.spec.v3@v1.0+protobuf'
]

type Json = Record<string, any>

const reference = ({ $ref }: Json): Buffer => message([text(1, $ref)])

/** Many messages hold either what is meant or a reference to it. */
const orReference =
  (encode: (value: Json) => Buffer) =>
  (value: Json): Buffer =>
    value.$ref === undefined ? bytes(1, encode(value)) : bytes(2, reference(value))

/** DefaultType. That of an object or a list is empty. */
function defaultOf(value: unknown): Buffer {
  if (typeof value === 'number') return double(1, value)
  if (typeof value === 'boolean') return varintField(2, value ? 1 : 0)
  return typeof value === 'string' ? bytes(3, Buffer.from(value)) : Buffer.alloc(0)
}

const integer = (field: number, value: number | undefined) => (value ? varintField(field, value) : undefined)
const number = (field: number, value: number | undefined) => (value ? double(field, value) : undefined)

function schema(s: Json): Buffer {
  return message([
    flag(1, s.nullable),
    text(9, s.title),
    number(10, s.multipleOf),
    number(11, s.maximum),
    flag(12, s.exclusiveMaximum),
    number(13, s.minimum),
    flag(14, s.exclusiveMinimum),
    integer(15, s.maxLength),
    integer(16, s.minLength),
    text(17, s.pattern),
    integer(18, s.maxItems),
    integer(19, s.minItems),
    flag(20, s.uniqueItems),
    integer(21, s.maxProperties),
    integer(22, s.minProperties),
    texts(23, s.required),
    all(24, s.enum ?? [], any),
    text(25, s.type),
    all(26, s.allOf ?? [], schemaOrReference),
    all(27, s.oneOf ?? [], schemaOrReference),
    all(28, s.anyOf ?? [], schemaOrReference),
    optional(29, s.not, schema),
    optional(30, s.items, (items: Json) => bytes(1, schemaOrReference(items))),
    optional(31, s.properties, (properties: Json) => message([all(1, Object.entries(properties), named(schemaOrReference))])),
    optional(32, s.additionalProperties, (value: Json | boolean) =>
      typeof value === 'boolean' ? varintField(2, value ? 1 : 0) : bytes(1, schemaOrReference(value))
    ),
    optional(33, s.default, defaultOf),
    text(34, s.description),
    text(35, s.format),
    extensions(36, s)
  ])
}

const schemaOrReference = orReference(schema)

const parameter = (p: Json): Buffer =>
  message([
    text(1, p.name),
    text(2, p.in),
    text(3, p.description),
    flag(4, p.required),
    optional(10, p.schema, schemaOrReference),
    extensions(14, p)
  ])

const mediaTypes = (content: Json): Buffer =>
  message([
    all(
      1,
      Object.entries(content),
      named((type: Json) => message([optional(1, type.schema, schemaOrReference)]))
    )
  ])

const requestBody = (body: Json): Buffer =>
  message([text(1, body.description), optional(2, body.content, mediaTypes), flag(3, body.required)])

const response = (r: Json): Buffer => message([text(1, r.description), optional(3, r.content, mediaTypes)])

const responses = ({ default: other, ...rest }: Json): Buffer =>
  message([optional(1, other, orReference(response)), all(2, Object.entries(rest), named(orReference(response)))])

const operation = (o: Json): Buffer =>
  message([
    texts(1, o.tags),
    text(3, o.description),
    text(5, o.operationId),
    all(6, o.parameters ?? [], orReference(parameter)),
    optional(7, o.requestBody, orReference(requestBody)),
    optional(8, o.responses, responses),
    flag(10, o.deprecated),
    extensions(13, o)
  ])

const methods: readonly [string, number][] = [
  ['get', 4],
  ['put', 5],
  ['post', 6],
  ['delete', 7],
  ['options', 8],
  ['head', 9],
  ['patch', 10]
]

const pathItem = (item: Json): Buffer =>
  message([
    ...methods.map(([method, field]) => optional(field, item[method], operation)),
    all(13, item.parameters ?? [], orReference(parameter)),
    extensions(14, item)
  ])

const securityScheme = (s: Json): Buffer => message([text(1, s.type), text(2, s.description), text(3, s.name), text(4, s.in)])

const components = ({ schemas, securitySchemes }: Json): Buffer =>
  message([
    optional(1, schemas, (given: Json) => message([all(1, Object.entries(given), named(schemaOrReference))])),
    optional(7, securitySchemes, (given: Json) => message([all(1, Object.entries(given), named(orReference(securityScheme)))]))
  ])

export function encodeV3Document(document: Json): Buffer {
  return message([
    text(1, document.openapi),
    optional(2, document.info, (info: Json) => message([text(1, info.title), text(2, info.description), text(6, info.version)])),
    optional(4, document.paths, (paths: Json) => message([all(1, Object.entries(paths), named(pathItem))])),
    optional(5, document.components, components)
  ])
}
