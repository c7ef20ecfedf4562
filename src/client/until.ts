/** Waits for a state of an object by a watch. */
import type { KubeObject } from '../apimachinery/api/kube-object.js'
import { StatusError } from '../apimachinery/status/status.js'
import { checkMembers, type Shape, valueTypes } from '../util/members.js'
import type { BuiltinKinds, KubeClient, UntypedObject } from './types.js'

/**
 * What `until` waits for: a function that returns true, a condition in the object's status with the status `True` or another, or the
 * object's end.
 *
 * @example
 * const condition: UntilCondition<KubeObject> = { condition: 'Ready', status: 'False' }
 */
export type UntilCondition<T> =
  | ((object: T) => unknown)
  | { readonly condition: string; readonly status?: string | undefined }
  | { readonly deleted: true }

/**
 * Options of `until`.
 *
 * @example
 * const options: UntilOptions = { timeout: 500 }
 */
export interface UntilOptions {
  /** Milliseconds; 4000, which is less than tests have. */
  readonly timeout?: number | undefined
}

/**
 * The type of the object that `O` names: a built-in kind's by its apiVersion and kind, where they are literals, or that of `O`.
 *
 * @example
 * type Pod = NamedObject<{ apiVersion: 'v1'; kind: 'Pod'; metadata: { name: string } }>
 */
export type NamedObject<O extends KubeObject> = O extends {
  readonly apiVersion: infer V extends keyof BuiltinKinds
  readonly kind: infer K
}
  ? K extends keyof BuiltinKinds[V]
    ? BuiltinKinds[V][K]
    : UntypedObject
  : string extends O['apiVersion']
    ? O
    : undefined extends O['apiVersion']
      ? O
      : UntypedObject

const defaultTimeoutMs = 4000

/**
 * Resolves with an object as soon as a condition holds: with its present state, or with its last state for `{ deleted: true }`. Rejects
 * after `timeout` with an error that shows the object. It watches the object, and does not poll.
 *
 * @example
 * const pod = await pods.create({ metadata: { name: 'web' }, spec })
 * await until(client, pod, ({ status }) => status.phase === 'Running')
 * await until(client, pod, { condition: 'Ready' })
 * await until(client, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } }, { deleted: true }, { timeout: 500 })
 */
export async function until<const O extends KubeObject>(
  client: KubeClient,
  object: O,
  condition: UntilCondition<NamedObject<O>>,
  options: UntilOptions = {}
): Promise<NamedObject<O>> {
  checkMembers(options, { members: { timeout: valueTypes.number }, isData: true }, 'until.')
  if (typeof condition !== 'function') checkMembers(condition, conditionShape, 'until.condition.')
  const { timeout = defaultTimeoutMs } = options
  const { apiVersion = '', kind = '', metadata } = object
  const resource = client.untyped(apiVersion, kind)
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), timeout)
  const selection = { namespace: metadata.namespace, fieldSelector: { 'metadata.name': metadata.name ?? '' } }
  const found = new Found(object, condition)
  try {
    while (!abort.signal.aborted) {
      const { namespace = client.namespace } = metadata
      const list = await resource.list({ ...selection, namespace })
      if (found.is(list.items[0])) return found.last as NamedObject<O>
      const { resourceVersion } = list.metadata
      try {
        for await (const event of resource.watch({ ...selection, namespace, resourceVersion, signal: abort.signal }))
          if (found.is(event.type === 'DELETED' ? undefined : event.object, event.object)) return found.last as NamedObject<O>
      } catch (error) {
        // the server has been restored: another look
        if (!(error instanceof StatusError && error.code === 410)) throw error
      }
      // a server that is about to stop ends every watch at once
      await new Promise(resolve => setImmediate(resolve))
    }
    const name = metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`
    throw new Error(`${kind} ${JSON.stringify(name)}: ${found.wanted} after ${timeout} ms; ${found.shown}`)
  } finally {
    clearTimeout(timer)
  }
}

const { text } = valueTypes
const conditionShape: Shape = {
  members: { condition: text, status: text, deleted: { what: 'true', is: value => value === true } },
  isData: true
}

/** What has been seen of the object. */
class Found {
  readonly #uid: string | undefined
  readonly #condition: UntilCondition<any>
  #last: KubeObject
  #exists = false

  constructor(object: KubeObject, condition: UntilCondition<any>) {
    this.#uid = object.metadata.uid
    this.#last = object
    this.#condition = condition
  }

  get last(): KubeObject {
    return this.#last
  }

  /** Whether the condition holds. `present` is undefined for an object that does not exist. */
  is(present: KubeObject | undefined, last = present): boolean {
    const condition = this.#condition
    // an object of the same name that was made later is another one
    this.#exists =
      present !== undefined && (!('deleted' in condition) || (this.#uid ?? present.metadata.uid) === present.metadata.uid)
    if (last && (this.#exists || !present)) this.#last = last
    if ('deleted' in condition) return !this.#exists
    if (!present) return false
    if (typeof condition === 'function') return Boolean(condition(present))
    const { conditions } = (present as { status?: { conditions?: { type: string; status: string }[] } }).status ?? {}
    const wanted = condition.status ?? 'True'
    return conditions?.some(({ type, status }) => type === condition.condition && status === wanted) ?? false
  }

  get wanted(): string {
    const condition = this.#condition
    if (typeof condition === 'function') return 'the condition does not hold'
    if ('deleted' in condition) return 'the object still exists'
    return `the condition ${condition.condition} is not ${condition.status ?? 'True'}`
  }

  get shown(): string {
    if (!this.#exists) return 'the object does not exist'
    const { managedFields: _, ...metadata } = this.#last.metadata
    return `its last state: ${JSON.stringify({ ...this.#last, metadata }, undefined, 2)}`
  }
}
