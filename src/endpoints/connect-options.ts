/** What a connection asks for, as an object: PodExecOptions and the like, which admission sees. */
import type { RequestContext } from '../server/context.js'
import { isTrue } from '../server/request-info.js'
import type { JsonObject } from '../util/json.js'

type Form = 'boolean' | 'string' | 'strings' | 'integers'

const streams = { stdin: 'boolean', stdout: 'boolean', stderr: 'boolean', tty: 'boolean', container: 'string' } as const

const fields: Readonly<Record<string, Readonly<Record<string, Form>>>> = {
  PodAttachOptions: streams,
  PodExecOptions: { ...streams, command: 'strings' },
  PodPortForwardOptions: { ports: 'integers' },
  PodProxyOptions: { path: 'string' },
  ServiceProxyOptions: { path: 'string' },
  NodeProxyOptions: { path: 'string' }
}

/** undefined for what is no connection, such as logs. */
export function connectOptions(kind: string, { query, info }: RequestContext): JsonObject | undefined {
  if (!Object.hasOwn(fields, kind)) return undefined
  const options: JsonObject = { kind, apiVersion: 'v1' }
  // pods, a, proxy, and the path that is meant
  const below = info.parts
    .slice(3)
    .map(part => `/${part}`)
    .join('')
  for (const [field, form] of Object.entries(fields[kind]!)) {
    const given = query.getAll(field)
    const value = field === 'path' ? below || given[0] : read(form, given)
    if (value) options[field] = value
  }
  return options
}

/** What is left out is no value: false and nothing are not written. */
function read(form: Form, given: readonly string[]): unknown {
  if (given.length === 0) return undefined
  if (form === 'boolean') return isTrue(given[0]!)
  if (form === 'string') return given[0]
  return form === 'strings' ? given : given.map(Number)
}
