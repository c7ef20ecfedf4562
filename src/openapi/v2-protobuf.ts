/**
 * Encodes the OpenAPI v2 document in Protobuf, which kubectl and older clients read for validation: the messages of gnostic's
 * openapi.v2 schema, as far as our documents use them.
 */
import { all, any, bytes, extensions, flag, message, named, optional, text, texts } from './protobuf-writer.js'

/** Below "application/": the old name, which kubectl sends, and one that is a valid media type. */
export const v2ProtobufSubtypes = [
  'com.github.proto-openapi.spec.v2@v1.0+protobuf',
  'com.github.proto-openapi.spec.v2.v1.0+protobuf'
]

type Json = Record<string, any>

function schema(s: Json): Buffer {
  return message([
    text(1, s.$ref),
    text(2, s.format),
    text(4, s.description),
    optional(5, s.default, any),
    texts(19, s.required),
    all(20, s.enum ?? [], any),
    optional(21, s.additionalProperties, (value: Json) => bytes(1, schema(value))),
    optional(22, s.type, (value: string) => bytes(1, Buffer.from(value))),
    optional(23, s.items, (value: Json) => bytes(1, schema(value))),
    optional(25, s.properties, (properties: Json) => message([all(1, Object.entries(properties), named(schema))])),
    extensions(31, s)
  ])
}

const bodyParameter = (p: Json): Buffer =>
  message([text(1, p.description), text(2, p.name), text(3, p.in), flag(4, p.required), bytes(5, schema(p.schema))])
const queryParameter = (p: Json): Buffer =>
  message([flag(1, p.required), text(2, p.in), text(3, p.description), text(4, p.name), text(6, p.type), flag(20, p.uniqueItems)])
const pathParameter = (p: Json): Buffer =>
  message([flag(1, p.required), text(2, p.in), text(3, p.description), text(4, p.name), text(5, p.type), flag(19, p.uniqueItems)])

/** Parameter → BodyParameter, or NonBodyParameter → one for each place. */
function parameter(p: Json): Buffer {
  if (p.in === 'body') return bytes(1, bodyParameter(p))
  return bytes(2, p.in === 'path' ? bytes(4, pathParameter(p)) : bytes(3, queryParameter(p)))
}

/** ParametersItem → Parameter or JsonReference. */
const parameterItem = (p: Json): Buffer => (p.$ref ? bytes(2, text(1, p.$ref)!) : bytes(1, parameter(p)))

const response = (r: Json): Buffer =>
  bytes(1, message([text(1, r.description), optional(2, r.schema, (value: Json) => bytes(1, schema(value)))]))

function operation(o: Json): Buffer {
  return message([
    texts(1, o.tags),
    text(3, o.description),
    text(5, o.operationId),
    texts(6, o.produces),
    texts(7, o.consumes),
    all(8, o.parameters ?? [], parameterItem),
    bytes(9, message([all(1, Object.entries(o.responses as Json), named(response))])),
    texts(10, o.schemes),
    extensions(13, o)
  ])
}

const methods: readonly [string, number][] = [
  ['get', 2],
  ['put', 3],
  ['post', 4],
  ['delete', 5],
  ['options', 6],
  ['head', 7],
  ['patch', 8]
]

const pathItem = (item: Json): Buffer =>
  message([
    ...methods.map(([method, field]) => optional(field, item[method], operation)),
    all(9, item.parameters ?? [], parameterItem)
  ])

const scopes = (names: readonly string[]): Buffer => message([texts(1, names)])

/** SecurityDefinitionsItem → ApiKeySecurity */
const apiKey = (s: Json): Buffer => bytes(2, message([text(1, s.type), text(2, s.name), text(3, s.in), text(4, s.description)]))

export function encodeV2Document(document: Json): Buffer {
  return message([
    text(1, document.swagger),
    bytes(2, message([text(1, document.info.title), text(2, document.info.version)])),
    bytes(8, message([all(2, Object.entries(document.paths as Json), named(pathItem))])),
    bytes(9, message([all(1, Object.entries(document.definitions as Json), named(schema))])),
    bytes(10, message([all(1, Object.entries(document.parameters as Json), named(parameter))])),
    all(12, document.security as Json[], requirement => message([all(1, Object.entries(requirement), named(scopes))])),
    bytes(13, message([all(1, Object.entries(document.securityDefinitions as Json), named(apiKey))]))
  ])
}
