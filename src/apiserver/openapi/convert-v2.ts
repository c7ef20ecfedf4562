/**
 * Makes an OpenAPI v3 document of a v2 document, for extension API servers that have no other, as kube-aggregator does: keys come in the
 * order of its structs, a response without media types loses its schema, and references inside of allOf and its like stay those of v2.
 */
import { exactJson } from '../../util/exact-json.js'
import { convertSchema, externalDocs, extrasOf, isObject, type Json, objectOf, ordered, sortedKeys } from './convert-v2-schema.js'

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter(item => typeof item === 'string') : [])
const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** Converts a v2 document to v3, and returns it as JSON. */
export const convertedV2 = (document: unknown): string => exactJson(convertV2(document))

export function convertV2(document: unknown): Json {
  const v2 = objectOf(document)
  const { info, paths, definitions, securityDefinitions, responses } = v2
  const produces = texts(v2.produces)
  return {
    openapi: '3.0.0',
    info: isObject(info) ? ordered(info, infoKeys) : null,
    ...(isObject(paths) && { paths: pathsOf(paths) }),
    components: withoutEmpty({
      schemas: mapped(definitions, convertSchema),
      securitySchemes: mapped(securityDefinitions, securityScheme),
      responses: mapped(responses, response => responseOf(response, produces))
    }),
    ...(isObject(v2.externalDocs) && { externalDocs: externalDocs(v2.externalDocs) })
  }
}

const infoKeys = ['description', 'title', 'termsOfService', 'contact', 'license', 'version']

/** Applies `convert` to the objects of a map, in the order of the keys. */
const mapped = (map: unknown, convert: (value: Json) => unknown): Json =>
  Object.fromEntries(
    sortedKeys(objectOf(map))
      .filter(key => isObject(objectOf(map)[key]))
      .map(key => [key, convert(objectOf(objectOf(map)[key]))])
  )

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (typeof value === 'object' && Object.keys(value).length === 0)

const withoutEmpty = (fields: Json): Json => Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)))

const pathsOf = (paths: Json): Json =>
  Object.fromEntries([
    ...sortedKeys(paths)
      .filter(path => path.startsWith('/'))
      .map(path => [path, pathItem(objectOf(paths[path]))]),
    ...Object.entries(extrasOf(paths))
  ])

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch']

const pathItem = (item: Json): Json => ({
  ...withoutEmpty({ $ref: item.$ref }),
  ...Object.fromEntries(
    methods.filter(method => isObject(item[method])).map(method => [method, operation(objectOf(item[method]))])
  ),
  ...withoutEmpty({ parameters: objects(item.parameters).map(parameter) }),
  ...extrasOf(item)
})

function operation(v2: Json): Json {
  const [consumes, produces] = [texts(v2.consumes), texts(v2.produces)]
  const isBody = ({ name, schema }: Json) => name === 'body' && isObject(schema)
  const parameters = objects(v2.parameters)
  const body = parameters.findLast(isBody)
  const responses = objectOf(v2.responses)
  const codes = sortedKeys(responses).filter(code => /^\d+$/.test(code))
  return {
    ...withoutEmpty({
      tags: v2.tags,
      summary: v2.summary,
      description: v2.description,
      externalDocs: externalDocs(v2.externalDocs),
      operationId: v2.operationId,
      parameters: parameters.filter(given => !isBody(given)).map(parameter)
    }),
    // the converter keeps only the media types and the schema of a body
    ...(body && { requestBody: withoutEmpty({ content: contentOf(consumes, objectOf(body.schema)) }) }),
    responses: {
      ...(isObject(responses.default) && { default: responseOf(responses.default, produces) }),
      ...Object.fromEntries(codes.map(code => [code, responseOf(objectOf(responses[code]), produces)])),
      ...extrasOf(responses)
    },
    ...withoutEmpty({ deprecated: v2.deprecated }),
    ...extrasOf(v2)
  }
}

const contentOf = (types: readonly string[], schema: Json): Json =>
  Object.fromEntries([...types].sort().map(type => [type, { schema: convertSchema(schema) }]))

const responseOf = (v2: Json, produces: readonly string[]): Json => ({
  ...withoutEmpty({
    $ref: refInComponents(v2.$ref, 'responses'),
    description: v2.description,
    content: isObject(v2.schema) ? contentOf(produces, v2.schema) : undefined
  }),
  ...extrasOf(v2)
})

const parameter = (v2: Json): Json => ({
  ...withoutEmpty({
    $ref: refInComponents(v2.$ref, 'parameters'),
    name: v2.name,
    in: v2.in,
    description: v2.description,
    required: v2.required,
    allowEmptyValue: v2.allowEmptyValue
  }),
  schema: isObject(v2.schema)
    ? convertSchema(v2.schema)
    : { type: v2.type ?? '', ...withoutEmpty({ format: v2.format, uniqueItems: v2.uniqueItems }) },
  ...extrasOf(v2)
})

const refInComponents = (ref: unknown, section: string): unknown =>
  typeof ref === 'string' ? ref.replace(`#/${section}/`, () => `#/components/${section}/`) : undefined

const securityScheme = ({ type, description, name, in: place, flow, ...v2 }: Json): Json => ({
  ...withoutEmpty({ type, description, name, in: place }),
  ...(typeof flow === 'string' &&
    flow !== '' && {
      flows: {
        [flow]: withoutEmpty({ authorizationUrl: v2.authorizationUrl, tokenUrl: v2.tokenUrl, scopes: mapOf(v2.scopes) })
      }
    }),
  ...extrasOf(v2)
})

const mapOf = (value: unknown): Json => Object.fromEntries(sortedKeys(objectOf(value)).map(key => [key, objectOf(value)[key]]))
