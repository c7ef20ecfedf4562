/** OpenAPI v2: everything in one document. */
import type { GroupInfo } from '../discovery/api-groups.js'
import type { Schema } from '../schema/load.js'
import type { Descriptions } from './descriptions.js'
import type { Operation, Parameter } from './operation.js'
import { pathsOf } from './operations.js'
import { SchemaWriter, v2 } from './schemas.js'
import { customSchemasOf, info, typesOf } from './v3-document.js'

type Json = Record<string, unknown>

export function v2Document(groups: readonly GroupInfo[], schema: Schema, descriptions: Descriptions): Json {
  const items = groups.flatMap(group => group.versions.flatMap(version => pathsOf(group, version.name, schema)))
  const custom = Object.assign(
    {},
    ...groups.flatMap(group => group.versions.map(version => customSchemasOf(group, version.name, v2, descriptions)))
  )
  return {
    swagger: '2.0',
    info,
    paths: Object.fromEntries(
      items.map(item => [
        item.path,
        {
          ...Object.fromEntries(item.operations.map(o => [o.method, operationObject(o, descriptions)])),
          ...(item.parameters.length > 0 ? { parameters: item.parameters.map(p => parameterObject(p, descriptions)) } : {})
        }
      ])
    ),
    definitions: new SchemaWriter(schema, v2, descriptions).closure(typesOf(items), custom),
    securityDefinitions: {
      BearerToken: { description: 'Bearer Token authentication', type: 'apiKey', name: 'authorization', in: 'header' }
    },
    security: [{ BearerToken: [] }]
  }
}

function parameterObject(parameter: Parameter, descriptions: Descriptions): Json {
  const required = parameter.in === 'path' ? { required: true } : {}
  return {
    uniqueItems: true,
    type: parameter.type,
    ...descriptions.parameter(parameter.name),
    name: parameter.name,
    in: parameter.in,
    ...required
  }
}

function operationObject(o: Operation, descriptions: Descriptions): Json {
  const ref = (type: string) => ({ $ref: v2.refPrefix + type })
  const parameters = o.parameters.map(p => parameterObject(p, descriptions))
  if (o.body)
    parameters.unshift({ name: 'body', in: 'body', ...(o.body.required ? { required: true } : {}), schema: ref(o.body.type) })
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
    consumes: o.body?.mediaTypes ?? ['*/*'],
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
