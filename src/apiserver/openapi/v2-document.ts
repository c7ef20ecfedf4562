/** OpenAPI v2: one document for all groups. */

import type { Schema } from '../../apimachinery/schema/load.js'
import { unescapedJson } from '../../util/exact-json.js'
import type { GroupInfo } from '../discovery/resource-groups.js'
import type { OpenApiV2Part } from '../endpoints/backend.js'
import type { Descriptions } from './descriptions.js'
import type { Operation, Parameter, PathItem } from './operation.js'
import { pathsOf } from './operations.js'
import { SchemaWriter, v2 } from './schemas.js'
import { SharedParameters } from './v2-parameters.js'
import { customSchemasOf, infoOf, typesOf } from './v3-document.js'

type Json = Record<string, unknown>

export function v2Part(group: GroupInfo, version: string, schema: Schema, descriptions: Descriptions): OpenApiV2Part {
  return partOf(pathsOf(group, version, schema), customSchemasOf(group, version, v2, descriptions), schema, descriptions)
}

export function partOf(
  items: readonly PathItem[],
  custom: Readonly<Record<string, Json>>,
  schema: Schema,
  descriptions: Descriptions
): OpenApiV2Part {
  const definitions = new SchemaWriter(schema, v2, descriptions).closure(typesOf(items), custom)
  const shared = new SharedParameters()
  const paths = items.map((item): [string, string] => {
    const operations = Object.fromEntries(item.operations.map(o => [o.method, operationObject(o, descriptions, shared)]))
    const parameters = item.parameters.map(p => shared.refer(parameterObject(p, descriptions)))
    return [item.path, JSON.stringify(parameters.length > 0 ? { ...operations, parameters } : operations)]
  })
  return {
    paths: new Map(paths),
    definitions: new Map(Object.entries(definitions).map(([name, definition]) => [name, unescapedJson(definition)])),
    parameters: shared.all
  }
}

/** Joins the parts into the whole document, as JSON. `release`: see infoOf. */
export function joinV2(parts: readonly OpenApiV2Part[], release: string): string {
  const paths = members(parts.map(part => part.paths))
  const definitions = members(parts.map(part => part.definitions))
  const parameters = members(parts.map(part => part.parameters))
  const head = JSON.stringify({ swagger: '2.0', info: infoOf(release) }).slice(1, -1)
  const end = JSON.stringify({
    securityDefinitions: {
      BearerToken: { description: 'Bearer Token authentication', type: 'apiKey', name: 'authorization', in: 'header' }
    },
    security: [{ BearerToken: [] }]
  }).slice(1)
  return `{${head},"paths":{${paths}},"definitions":{${definitions}},"parameters":{${parameters}},${end}`
}

/** Writes `"name": {…}, …` in alphabetical order, each name once. */
function members(maps: readonly ReadonlyMap<string, string>[]): string {
  const all = new Map(maps.flatMap(map => [...map]))
  return [...all]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, json]) => `${JSON.stringify(name)}:${json}`)
    .join(',')
}

function parameterObject(parameter: Parameter, descriptions: Descriptions): Json {
  const required = parameter.in === 'path' ? { required: true } : {}
  return {
    uniqueItems: true,
    type: parameter.type,
    ...descriptions.parameter(parameter),
    name: parameter.name,
    in: parameter.in,
    ...required
  }
}

function operationObject(o: Operation, descriptions: Descriptions, shared: SharedParameters): Json {
  const ref = (type: string) => ({ $ref: v2.refPrefix + type })
  const parameters = o.parameters.map(p => shared.refer(parameterObject(p, descriptions)))
  if (o.body)
    parameters.unshift(
      shared.refer({ name: 'body', in: 'body', ...(o.body.required ? { required: true } : {}), schema: ref(o.body.type) })
    )
  const responses: Json = {}
  for (const [code, type] of Object.entries(o.responses)) {
    responses[code] = {
      description: { 200: 'OK', 201: 'Created', 202: 'Accepted' }[code] ?? '',
      schema: type ? ref(type) : { type: 'string' }
    }
  }
  responses['401'] = { description: 'Unauthorized' }
  return {
    description: o.description,
    ...('consumes' in o ? (o.consumes ? { consumes: o.consumes } : {}) : { consumes: o.body?.mediaTypes ?? ['*/*'] }),
    produces: o.produces,
    schemes: ['https'],
    tags: [o.tag],
    operationId: o.id,
    ...(parameters.length > 0 ? { parameters } : {}),
    responses,
    ...(o.action ? { 'x-kubernetes-action': o.action } : {}),
    ...(o.gvk ? { 'x-kubernetes-group-version-kind': o.gvk } : {})
  }
}
