/** Keeps secrets out of records: tokens in URLs, the data of Secrets, tokens in reviews and answers. */
import type { ShownResource } from '../../apimachinery/request/steps.js'
import { parseExact } from '../../util/exact-json.js'
import { isObject, type JsonObject } from '../../util/json.js'

const secretParameter = /token|secret|password|passwd|credential|signature|authorization|api[-_]?key/i

/** Replaces the values of query parameters that name a secret, and user and password. A path without a query stays as it is. */
export function safeUrl(url: string): string {
  const question = url.indexOf('?')
  if (question < 0) return url
  const query = url
    .slice(question + 1)
    .split('&')
    .map(parameter => {
      const equals = parameter.indexOf('=')
      return equals >= 0 && secretParameter.test(parameter.slice(0, equals)) ? `${parameter.slice(0, equals)}=…` : parameter
    })
  return `${url.slice(0, question)}?${query.join('&')}`
}

type Redact = (object: JsonObject, other: JsonObject | undefined) => void

/** The annotation in which kubectl apply keeps the whole object. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

const ofSecret: Redact = (secret, other) => {
  for (const field of ['data', 'stringData']) hideAll(secret, other, field)
  const [annotations, others] = [inside(secret, 'metadata', 'annotations'), inside(other, 'metadata', 'annotations')]
  if (annotations) hide(annotations, others, lastApplied)
}
const tokenIn =
  (field: string): Redact =>
  (object, other) => {
    const part = inside(object, field)
    if (part) hide(part, inside(other, field), 'token')
  }

const redactions: ReadonlyMap<string, Redact> = new Map([
  ['/secrets', ofSecret],
  ['/serviceaccounts/token', tokenIn('status')],
  ['authentication.k8s.io/tokenreviews', tokenIn('spec')]
])

function inside(object: unknown, ...path: string[]): JsonObject | undefined {
  let value: unknown = object
  for (const field of path) value = isObject(value) && Object.hasOwn(value, field) ? value[field] : undefined
  return isObject(value) ? value : undefined
}

function hideAll(object: JsonObject, other: JsonObject | undefined, field: string): void {
  const values = inside(object, field)
  if (!values) {
    if (object[field] !== undefined) object[field] = '<hidden>'
    return
  }
  for (const key of Object.keys(values)) hide(values, inside(other, field), key)
}

/** Replaces a value by its length, and says whether it has changed, because its length may not. */
function hide(values: JsonObject, others: JsonObject | undefined, key: string): void {
  if (!Object.hasOwn(values, key)) return
  const value = values[key]
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const isChanged = others !== undefined && Object.hasOwn(others, key) && others[key] !== value
  const hidden = `<${Buffer.byteLength(text ?? '')} bytes${isChanged ? ', changed' : ''}>`
  Object.defineProperty(values, key, { value: hidden, enumerable: true, configurable: true, writable: true })
}

/** Returns how objects of the resource are redacted, if they contain secrets. */
const redactionOf = ({ group, resource, subresource }: ShownResource): Redact | undefined =>
  redactions.get(`${group}/${resource}${subresource === '' || resource === 'secrets' ? '' : `/${subresource}`}`)

export interface Change {
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Returns both objects without secrets. Objects of other resources stay the same text. */
export function safeChange(of: ShownResource, { before, after }: Change): Change {
  const redact = redactionOf(of)
  if (!redact) return { before, after }
  // parsed twice, because each is compared with the other as it was
  const read = (text: string | undefined) => (text === undefined ? undefined : (parseExact(text) as JsonObject))
  const shown = (text: string | undefined, other: string | undefined) => {
    const object = read(text)
    if (!isObject(object)) return undefined
    redact(object, other === undefined ? undefined : read(other))
    return JSON.stringify(object, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  }
  return { before: shown(before, undefined), after: shown(after, before) }
}
