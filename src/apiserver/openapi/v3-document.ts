/** OpenAPI v3: one document for each group version (KEP-2896). */

import type { Schema } from '../../apimachinery/schema/load.js'
import type { GroupInfo } from '../discovery/resource-groups.js'
import { customSchemas } from './custom-schemas.js'
import type { Descriptions } from './descriptions.js'
import type { Operation, Parameter, PathItem } from './operation.js'
import { pathsOf } from './operations.js'
import { type Dialect, SchemaWriter, v3 } from './schemas.js'
import { deleteOptionsName, watchEventName } from './type-names.js'

type Json = Record<string, unknown>

const customInfo = { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' }
/** `release`: the emulated one, `1.36`. */
export const infoOf = (release: string) => ({ title: 'Kubernetes', version: release })

export function v3Document(group: GroupInfo, version: string, release: string, schema: Schema, descriptions: Descriptions): Json {
  const items = pathsOf(group, version, schema)
  const paths = Object.fromEntries(items.map(item => [item.path, pathItem(item, descriptions)]))
  const custom = customSchemasOf(group, version, v3, descriptions)
  const schemas = new SchemaWriter(schema, v3, descriptions).closure(typesOf(items), custom)
  if (Object.keys(custom).length > 0) {
    keepKinds(schemas, g => !unknownToClients.has(g.group))
    return { openapi: '3.0.0', info: customInfo, paths, components: { schemas } }
  }
  // DeleteOptions and WatchEvent exist in every group: each document names only its own
  keepKinds(schemas, g => (g.group === '' && g.version === 'v1') || (g.group === group.name && g.version === version))
  return whole(paths, schemas, release)
}

/** Groups without types in the Go client: kube-apiserver takes the common types of custom resources from that client's scheme. */
const unknownToClients: ReadonlySet<string> = new Set([
  'admission.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'imagepolicy.k8s.io'
])

interface GroupVersion {
  readonly group: string
  readonly version: string
}

/** Limits the group version kinds of types that exist in every group to the wanted ones. */
function keepKinds(schemas: Record<string, Json>, wanted: (gvk: GroupVersion) => boolean): void {
  const key = 'x-kubernetes-group-version-kind'
  for (const name of [deleteOptionsName, watchEventName]) {
    const type = schemas[name]
    if (type) type[key] = (type[key] as GroupVersion[]).filter(wanted)
  }
}

/** Makes the document of an operation that belongs to no group version. */
export function v3ServerDocument(item: PathItem, release: string, schema: Schema, descriptions: Descriptions): Json {
  const schemas = new SchemaWriter(schema, v3, descriptions).closure(typesOf([item]))
  return whole({ [item.path]: pathItem(item, descriptions) }, schemas, release)
}

function whole(paths: Json, schemas: Json, release: string): Json {
  const BearerToken = { type: 'apiKey', description: 'Bearer Token authentication', name: 'authorization', in: 'header' }
  const hasSchemas = Object.keys(schemas).length > 0
  return {
    openapi: '3.0.0',
    info: infoOf(release),
    paths,
    components: { ...(hasSchemas ? { schemas } : {}), securitySchemes: { BearerToken } }
  }
}

/** Returns the schemas of a group version's custom resources. */
export function customSchemasOf(
  group: GroupInfo,
  version: string,
  dialect: Dialect,
  descriptions: Descriptions
): Record<string, Json> {
  const resources = group.versions.find(v => v.name === version)?.resources ?? []
  return Object.assign(
    {},
    ...resources
      .filter(({ resource }) => resource.kind.custom)
      .map(({ resource }) => customSchemas(resource, version, resource.kind.custom!.schema(), dialect, descriptions))
  )
}

export function typesOf(items: readonly PathItem[]): Set<string> {
  const types = new Set<string>()
  for (const { operations } of items) {
    for (const { body, responses } of operations) {
      if (body) types.add(body.type)
      for (const type of Object.values(responses)) if (type) types.add(type)
    }
  }
  return types
}

const ref = (type: string) => ({ $ref: `${v3.refPrefix}${type}` })

function pathItem(item: PathItem, descriptions: Descriptions): Json {
  const out: Json = {}
  for (const operation of item.operations) out[operation.method] = operationObject(operation, descriptions)
  if (item.parameters.length > 0) out.parameters = item.parameters.map(p => parameterObject(p, descriptions))
  return out
}

function parameterObject(parameter: Parameter, descriptions: Descriptions): Json {
  const { name, type } = parameter
  const required = parameter.in === 'path' ? { required: true } : {}
  return { name, in: parameter.in, ...descriptions.parameter(parameter), ...required, schema: { type, uniqueItems: true } }
}

function operationObject(o: Operation, descriptions: Descriptions): Json {
  const content = (types: readonly string[], schema: unknown) => Object.fromEntries(types.map(t => [t, { schema }]))
  const responses: Json = {}
  for (const [code, type] of Object.entries(o.responses)) {
    responses[code] = {
      description: { 200: 'OK', 201: 'Created', 202: 'Accepted' }[code] ?? '',
      content: content(o.produces, type ? ref(type) : { type: 'string' })
    }
  }
  responses['401'] = { description: 'Unauthorized' }
  return {
    tags: [o.tag],
    description: o.description,
    operationId: o.id,
    ...(o.parameters.length > 0 ? { parameters: o.parameters.map(p => parameterObject(p, descriptions)) } : {}),
    ...(o.body
      ? { requestBody: { content: content(o.body.mediaTypes, ref(o.body.type)), ...(o.body.required ? { required: true } : {}) } }
      : {}),
    responses,
    ...(o.action ? { 'x-kubernetes-action': o.action } : {}),
    ...(o.gvk ? { 'x-kubernetes-group-version-kind': o.gvk } : {})
  }
}
