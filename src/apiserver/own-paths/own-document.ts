/** Makes the OpenAPI documents of what this server has beside Kubernetes' API, from descriptions of the routes. */

/** The part of JSON Schema in which the routes describe their bodies. A schema with a title becomes a component of the document. */
export interface Schema {
  readonly title?: string
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean'
  readonly description?: string
  readonly format?: string
  readonly pattern?: string
  readonly maxLength?: number
  readonly enum?: readonly string[]
  readonly items?: Schema
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly oneOf?: readonly Schema[]
}

/** A route, as a document describes it. */
export interface Described {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path below the document's root: `/servers/{name}`. */
  readonly path: string
  /** The operationId of the document. */
  readonly id: string
  readonly summary: string
  /** The schema of the body, for a route that takes one; the handler validates what the schema cannot express. */
  readonly body?: Schema
  /** Media types of the body; JSON alone by default. */
  readonly bodyTypes?: readonly string[]
  readonly query?: readonly QueryParameter[]
  readonly answers: Readonly<Record<number, AnswerDescription>>
}

export interface QueryParameter {
  readonly name: string
  readonly description: string
  readonly schema: Schema
}

export interface AnswerDescription {
  readonly description: string
  /** The schema of a body in JSON. */
  readonly schema?: Schema
  /** Further media types of the body. */
  readonly mediaTypes?: readonly string[]
}

const status: Schema = {
  title: 'Status',
  type: 'object',
  description: 'The answer to a request that failed. details.causes name the field that is wrong.',
  properties: {
    kind: { type: 'string' },
    apiVersion: { type: 'string' },
    metadata: { type: 'object' },
    status: { type: 'string', enum: ['Success', 'Failure'] },
    message: { type: 'string' },
    reason: { type: 'string' },
    details: { type: 'object' },
    code: { type: 'integer' }
  }
}

export interface DocumentHead {
  readonly title: string
  readonly version: string
  readonly description: string
  /** What all paths begin with. */
  readonly root: string
  /** The schema of the parameters in paths. */
  readonly pathParameter?: Schema
}

export function ownDocument(head: DocumentHead, routes: readonly Described[]): object {
  const { title, version, description, root, pathParameter = {} } = head
  const components: Record<string, object> = {}
  /** Moves schemas with titles to the components, and refers to them. */
  const refer = (schema: Schema): object => {
    const { title, items, properties, oneOf, ...rest } = schema
    if (title !== undefined && title in components) return reference(title)
    if (title !== undefined) components[title] = {}
    const whole = {
      ...rest,
      ...(items && { items: refer(items) }),
      ...(properties && { properties: mapped(properties, refer) }),
      ...(oneOf && { oneOf: oneOf.map(refer) })
    }
    if (title === undefined) return whole
    components[title] = whole
    return reference(title)
  }
  const answer = ({ description, schema = status, mediaTypes = [] }: AnswerDescription) => ({
    description,
    content: {
      'application/json': { schema: refer(schema) },
      ...Object.fromEntries(mediaTypes.map(type => [type, { schema: { type: 'string' } }]))
    }
  })
  const operation = ({ path, id, summary, body, bodyTypes = ['application/json'], query = [], answers }: Described) => ({
    operationId: id,
    summary,
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: pathParameter })),
      ...query.map(({ name, description, schema }) => ({ name, in: 'query', description, schema }))
    ],
    ...(body && {
      requestBody: { content: Object.fromEntries(bodyTypes.map(type => [type, { schema: refer(body) }])) }
    }),
    responses: { ...mapped(answers, answer), default: answer({ description: 'What went wrong.' }) }
  })
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) (paths[root + route.path] ??= {})[route.method.toLowerCase()] = operation(route)
  return {
    openapi: '3.0.3',
    info: { title, version, description },
    paths,
    components: { schemas: components }
  }
}

const reference = (title: string) => ({ $ref: `#/components/schemas/${title}` })

const mapped = <T>(values: Readonly<Record<string, T>>, map: (value: T) => object) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]))
