import { request } from './request.js'
import type { Resource } from './types.js'

/** What the console reads of a schema of OpenAPI v3. */
export interface Schema {
  readonly type?: string
  readonly description?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly allOf?: readonly Schema[]
  readonly $ref?: string
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string
    readonly version: string
    readonly kind: string
  }[]
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
  readonly [member: string]: unknown
}

interface OpenApiDocument {
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

/** The schema of a kind, with what it refers to. */
export class KindSchema {
  readonly root: Schema
  readonly #schemas: Readonly<Record<string, Schema>>
  constructor(root: Schema, schemas: Readonly<Record<string, Schema>>) {
    this.root = root
    this.#schemas = schemas
  }

  /** Follows references: the fields of the schema that is meant, with the description of the place that refers to it. */
  resolve(schema: Schema | undefined): Schema | undefined {
    const reference = schema?.$ref ?? (schema?.allOf?.length === 1 ? schema.allOf[0]?.$ref : undefined)
    if (!schema || !reference) return schema
    const name = reference.slice(reference.lastIndexOf('/') + 1)
    const target = Object.hasOwn(this.#schemas, name) ? this.#schemas[name] : undefined
    return {
      ...target,
      ...(schema.description ? { description: schema.description } : {}),
      ...('default' in schema ? { default: schema.default } : {})
    }
  }

  /** The schema at a path: of a member, of all values of a map, of the items of a list. */
  at(path: readonly (string | number)[]): Schema | undefined {
    let schema = this.resolve(this.root)
    for (const step of path) {
      if (typeof step === 'number') schema = this.resolve(schema?.items)
      else if (schema?.properties && Object.hasOwn(schema.properties, step)) schema = this.resolve(schema.properties[step])
      else if (typeof schema?.additionalProperties === 'object') schema = this.resolve(schema.additionalProperties)
      else return undefined
    }
    return schema
  }
}

// Documents are large, and the same until the server is another one.
const documents = new Map<string, Promise<OpenApiDocument>>()

/** Reads the schema of a kind. Undefined if the server does not describe it. */
export async function schemaOf({
  group,
  version,
  kind
}: Pick<Resource, 'group' | 'version' | 'kind'>): Promise<KindSchema | undefined> {
  const path = group ? `/openapi/v3/apis/${group}/${version}` : `/openapi/v3/api/${version}`
  let reading = documents.get(path)
  if (!reading) {
    reading = request<OpenApiDocument>(path)
    documents.set(path, reading)
    reading.catch(() => documents.delete(path))
  }
  const schemas = (await reading).components?.schemas ?? {}
  const isIt = (schema: Schema) =>
    schema['x-kubernetes-group-version-kind']?.some(is => is.group === group && is.version === version && is.kind === kind)
  const root = Object.values(schemas).find(isIt)
  return root && new KindSchema(root, schemas)
}

/** Forgets what has been read: definitions may have changed. */
export const forgetSchemas = (): void => documents.clear()
