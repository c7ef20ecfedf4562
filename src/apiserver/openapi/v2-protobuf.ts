/**
 * Encodes the OpenAPI v2 document in Protobuf, which kubectl and older clients read for validation: the messages of gnostic's
 * openapi.v2 schema, as far as our documents use them.
 */
import {
  all,
  any,
  bytesOf,
  entries,
  extensions,
  field,
  flag,
  type Json,
  type Message,
  message,
  operations,
  optional,
  string,
  text,
  texts
} from './protobuf-writer.js'

/** The subtypes of "application/": the old name, which kubectl sends, and one that is a valid media type. */
export const v2ProtobufSubtypes = [
  'com.github.proto-openapi.spec.v2@v1.0+protobuf',
  'com.github.proto-openapi.spec.v2.v1.0+protobuf'
]

function schema(s: Json): Message {
  return message([
    text(1, s.$ref),
    text(2, s.format),
    text(4, s.description),
    optional(5, s.default, any),
    texts(19, s.required),
    all(20, s.enum, any),
    optional(21, s.additionalProperties, value => field(1, schema(value))),
    optional(22, s.type, value => string(1, value)),
    optional(23, s.items, value => field(1, schema(value))),
    optional(25, s.properties, properties => entries(1, properties, schema)),
    extensions(31, s)
  ])
}

const bodyParameter = (p: Json): Message =>
  message([text(1, p.description), text(2, p.name), text(3, p.in), flag(4, p.required), field(5, schema(p.schema))])
const queryParameter = (p: Json): Message =>
  message([flag(1, p.required), text(2, p.in), text(3, p.description), text(4, p.name), text(6, p.type), flag(20, p.uniqueItems)])
const pathParameter = (p: Json): Message =>
  message([flag(1, p.required), text(2, p.in), text(3, p.description), text(4, p.name), text(5, p.type), flag(19, p.uniqueItems)])

/** Writes a Parameter: a BodyParameter, or the NonBodyParameter for its place. */
function parameter(p: Json): Message {
  if (p.in === 'body') return field(1, bodyParameter(p))
  return field(2, p.in === 'path' ? field(4, pathParameter(p)) : field(3, queryParameter(p)))
}

/** Writes a ParametersItem: a Parameter or a JsonReference. */
const parameterItem = (p: Json): Message => (p.$ref ? field(2, string(1, p.$ref)) : field(1, parameter(p)))

const response = (r: Json): Message =>
  field(1, message([text(1, r.description), optional(2, r.schema, value => field(1, schema(value)))]))

function operation(o: Json): Message {
  return message([
    texts(1, o.tags),
    text(3, o.description),
    text(5, o.operationId),
    texts(6, o.produces),
    texts(7, o.consumes),
    all(8, o.parameters, parameterItem),
    field(9, entries(1, o.responses, response)),
    texts(10, o.schemes),
    extensions(13, o)
  ])
}

const pathItem = (item: Json): Message => message([operations(2, item, operation), all(9, item.parameters, parameterItem)])

const scopes = (names: readonly string[]): Message => texts(1, names)

/** Writes the ApiKeySecurity in a SecurityDefinitionsItem. */
const apiKey = (s: Json): Message => field(2, message([text(1, s.type), text(2, s.name), text(3, s.in), text(4, s.description)]))

export const encodeV2Document = (document: Json): Buffer =>
  bytesOf(
    message([
      text(1, document.swagger),
      field(2, message([text(1, document.info.title), text(2, document.info.version)])),
      field(8, entries(2, document.paths, pathItem)),
      field(9, entries(1, document.definitions, schema)),
      field(10, entries(1, document.parameters, parameter)),
      all(12, document.security as Json[], requirement => entries(1, requirement, scopes)),
      field(13, entries(1, document.securityDefinitions, apiKey))
    ])
  )
