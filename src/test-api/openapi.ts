/** The OpenAPI document of the test API, made of its routes. */
import type { AnswerDescription, Route, Schema } from './route.js'
import { nameSchema } from './route.js'

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

const description = `The test kit of a Binnacle server. Paths begin with the URL of the server that is meant: the one that was started, or one
that it hosts at /servers/NAME. Clients need the permissions of the paths, which members of system:masters have.`

/** `root`: the path of the test API. */
export function openApiDocument(routes: readonly Route[], root: string, version: string): object {
  const components: Record<string, object> = {}
  /** Puts schemas with titles among the components, and refers to them. */
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
  const operation = ({ path, id, summary, body, query = [], answers }: Route) => ({
    operationId: id,
    summary,
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: nameSchema })),
      ...query.map(({ name, description, schema }) => ({ name, in: 'query', description, schema }))
    ],
    ...(body && { requestBody: { content: { 'application/json': { schema: refer(body) } } } }),
    responses: { ...mapped(answers, answer), default: answer({ description: 'What went wrong.' }) }
  })
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) (paths[root + route.path] ??= {})[route.method.toLowerCase()] = operation(route)
  return {
    openapi: '3.0.3',
    info: { title: 'Binnacle test API', version, description: description.replaceAll('\n', ' ') },
    paths,
    components: { schemas: components }
  }
}

const reference = (title: string) => ({ $ref: `#/components/schemas/${title}` })

const mapped = <T>(values: Readonly<Record<string, T>>, map: (value: T) => object) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]))
