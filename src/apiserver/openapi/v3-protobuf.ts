/** Encodes an OpenAPI v3 document in Protobuf: the messages of gnostic's openapi.v3 schema, as far as our documents use them. */
import {
  all,
  any,
  boolean,
  bytesOf,
  double,
  entries,
  extensions,
  field,
  flag,
  integer,
  type Json,
  type Message,
  message,
  operations,
  optional,
  string,
  text,
  texts
} from './protobuf-writer.js'

/** The subtypes of "application/": the name that answers have, and the old one, which is no valid media type. */
export const v3ProtobufSubtypes = [
  'com.github.proto-openapi.spec.v3.v1.0+protobuf',
  'com.github.proto-openapi.spec.v3@v1.0+protobuf'
]

/** Writes one of the messages that contain either the thing itself or a reference to it. */
const orReference =
  (encode: (value: Json) => Message) =>
  (value: Json): Message =>
    value.$ref === undefined ? field(1, encode(value)) : field(2, message([text(1, value.$ref)]))

/** Writes a DefaultType. That of an object or a list is empty. */
function defaultOf(value: unknown): Message {
  if (typeof value === 'number') return double(1, value)
  if (typeof value === 'boolean') return boolean(2, value)
  return typeof value === 'string' ? string(3, value) : message([])
}

const count = (number: number, value: number | undefined) => (value ? integer(number, value) : undefined)
const limit = (number: number, value: number | undefined) => (value ? double(number, value) : undefined)

function schema(s: Json): Message {
  return message([
    flag(1, s.nullable),
    text(9, s.title),
    limit(10, s.multipleOf),
    limit(11, s.maximum),
    flag(12, s.exclusiveMaximum),
    limit(13, s.minimum),
    flag(14, s.exclusiveMinimum),
    count(15, s.maxLength),
    count(16, s.minLength),
    text(17, s.pattern),
    count(18, s.maxItems),
    count(19, s.minItems),
    flag(20, s.uniqueItems),
    count(21, s.maxProperties),
    count(22, s.minProperties),
    texts(23, s.required),
    all(24, s.enum, any),
    text(25, s.type),
    all(26, s.allOf, schemaOrReference),
    all(27, s.oneOf, schemaOrReference),
    all(28, s.anyOf, schemaOrReference),
    optional(29, s.not, schema),
    optional(30, s.items, items => field(1, schemaOrReference(items))),
    optional(31, s.properties, schemas),
    optional(32, s.additionalProperties, value =>
      typeof value === 'boolean' ? boolean(2, value) : field(1, schemaOrReference(value))
    ),
    optional(33, s.default, defaultOf),
    text(34, s.description),
    text(35, s.format),
    extensions(36, s)
  ])
}

const schemaOrReference = orReference(schema)
const schemas = (map: Json): Message => entries(1, map, schemaOrReference)

const parameter = (p: Json): Message =>
  message([
    text(1, p.name),
    text(2, p.in),
    text(3, p.description),
    flag(4, p.required),
    optional(10, p.schema, schemaOrReference),
    extensions(14, p)
  ])

const mediaTypes = (content: Json): Message =>
  entries(1, content, (type: Json) => message([optional(1, type.schema, schemaOrReference)]))

const requestBody = (body: Json): Message =>
  message([text(1, body.description), optional(2, body.content, mediaTypes), flag(3, body.required)])

const response = (r: Json): Message => message([text(1, r.description), optional(3, r.content, mediaTypes)])

const responses = ({ default: other, ...rest }: Json): Message =>
  message([optional(1, other, orReference(response)), entries(2, rest, orReference(response))])

const operation = (o: Json): Message =>
  message([
    texts(1, o.tags),
    text(3, o.description),
    text(5, o.operationId),
    all(6, o.parameters, orReference(parameter)),
    optional(7, o.requestBody, orReference(requestBody)),
    optional(8, o.responses, responses),
    flag(10, o.deprecated),
    extensions(13, o)
  ])

const pathItem = (item: Json): Message =>
  message([operations(4, item, operation), all(13, item.parameters, orReference(parameter)), extensions(14, item)])

const securityScheme = (s: Json): Message => message([text(1, s.type), text(2, s.description), text(3, s.name), text(4, s.in)])

const components = (c: Json): Message =>
  message([optional(1, c.schemas, schemas), optional(7, c.securitySchemes, map => entries(1, map, orReference(securityScheme)))])

export const encodeV3Document = (document: Json): Buffer =>
  bytesOf(
    message([
      text(1, document.openapi),
      optional(2, document.info, info => message([text(1, info.title), text(2, info.description), text(6, info.version)])),
      optional(4, document.paths, paths => entries(1, paths, pathItem)),
      optional(5, document.components, components)
    ])
  )
