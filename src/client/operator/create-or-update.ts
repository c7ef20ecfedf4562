/** Writes what an object should be, whether it exists or not: `controllerutil` and `client-go/util/retry`. */
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { StatusError } from '../../apimachinery/status/status.js'
import { cloneJson, isObject } from '../../util/json.js'
import type { AnyTypes } from '../typed/kind-types.js'
import type { KubeClient } from '../types.js'
import type { NamedObject } from '../until.js'

/**
 * What has become of an object.
 *
 * @example
 * const { result, object }: Written<ConfigMap> = await createOrUpdate(client, room, mutate)
 */
export interface Written<T> {
  readonly result: 'created' | 'updated' | 'unchanged'
  readonly object: T
}

/** What names an object: its kind, name and namespace. */
export interface NamedDraft extends KubeObject {
  readonly apiVersion: string
  readonly kind: string
}

async function present<T extends KubeObject>(client: KubeClient, object: KubeObject): Promise<T | undefined> {
  const { apiVersion = '', kind = '' } = object
  return client.of<T, AnyTypes>({ apiVersion, kind }).find(object as never)
}

/** The objects of an object's kind, whatever that is. */
const anyKind = (client: KubeClient, { apiVersion = '', kind = '' }: KubeObject) =>
  client.of<KubeObject, AnyTypes>({ apiVersion, kind })

function checkIdentity(before: KubeObject, after: KubeObject): void {
  if (before.metadata.name !== after.metadata.name || before.metadata.namespace !== after.metadata.namespace)
    throw new Error('mutate must not change the name or the namespace of the object')
}

/**
 * Creates an object, or updates the one that is there, when `mutate` changes it. `mutate` gets the object as it is, or as it is given, and changes it. Rejects with a 409
 * when somebody else has changed it meanwhile.
 *
 * @example
 * const room = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'room', namespace: 'team' } } as const
 * await createOrUpdate(client, room, map => {
 *   map.data = { ...map.data, seats: '20' }
 *   setControllerReference(course, map)
 * })
 */
export async function createOrUpdate<const O extends KubeObject>(
  client: KubeClient,
  object: O,
  mutate: (object: NamedObject<O>) => void | Promise<void>
): Promise<Written<NamedObject<O>>> {
  return write(client, object, mutate, (_, after) => anyKind(client, after).update(after))
}

/**
 * Creates an object, or patches the one that is there, when `mutate` changes it: like `createOrUpdate`, but only what `mutate` has changed is sent, so that changes of others to
 * other fields stay. A change of the status is sent to the status subresource.
 *
 * @example
 * await createOrPatch(client, course, object => {
 *   object.status = { room: 'A1' }
 * })
 */
export async function createOrPatch<const O extends KubeObject>(
  client: KubeClient,
  object: O,
  mutate: (object: NamedObject<O>) => void | Promise<void>
): Promise<Written<NamedObject<O>>> {
  return write(client, object, mutate, async (before, after) => {
    const resource = anyKind(client, after)
    const { status: oldStatus, ...oldRest } = before as KubeObject & { status?: unknown }
    const { status, ...rest } = after as KubeObject & { status?: unknown }
    let written = after
    const change = mergePatchOf(oldRest, rest)
    if (change) written = await resource.patch(after as never, change)
    const statusChange = mergePatchOf({ status: oldStatus }, { status })
    if (statusChange) written = await resource.subresource('status').patch(after as never, statusChange)
    return written
  })
}

async function write<O extends KubeObject>(
  client: KubeClient,
  draft: O,
  mutate: (object: NamedObject<O>) => void | Promise<void>,
  update: (before: KubeObject, after: KubeObject) => Promise<KubeObject>
): Promise<Written<NamedObject<O>>> {
  const before = await present(client, draft)
  const after = cloneJson(before ?? draft) as NamedObject<O> & KubeObject
  await mutate(after)
  checkIdentity(before ?? draft, after)
  if (!before) {
    const { status, ...rest } = after as KubeObject & { status?: unknown }
    const object = await anyKind(client, draft).create(rest)
    const hasStatus = status !== undefined && !isDeepStrictEqual(status, (object as { status?: unknown }).status)
    const written = hasStatus ? await updateStatus(client, object, status) : object
    return { result: 'created', object: written as NamedObject<O> }
  }
  if (isDeepStrictEqual(before, after)) return { result: 'unchanged', object: before as NamedObject<O> }
  return { result: 'updated', object: (await update(before, after)) as NamedObject<O> }
}

/** A kind without a status subresource has taken the status with the object, and answers 404. */
async function updateStatus(client: KubeClient, object: KubeObject, status: unknown): Promise<KubeObject> {
  try {
    const resource = anyKind(client, object)
    return await resource.subresource('status').patch(object as never, { status })
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) return object
    throw error
  }
}

/** The merge patch (RFC 7386) that makes one object of another; undefined when they are the same. */
export function mergePatchOf(before: object, after: object): object | undefined {
  const [old, now] = [before as Record<string, unknown>, after as Record<string, unknown>]
  const patch: [string, unknown][] = []
  for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (isDeepStrictEqual(old[key], now[key])) continue
    const [a, b] = [old[key], now[key]]
    patch.push([key, b === undefined ? null : isObject(a) && isObject(b) ? mergePatchOf(a, b) : b])
  }
  return patch.length === 0 ? undefined : Object.fromEntries(patch)
}

/**
 * Options of `retryOnConflict`.
 *
 * @example
 * const options: RetryOptions = { attempts: 10 }
 */
export interface RetryOptions {
  /** 5. */
  readonly attempts?: number | undefined
  /** Milliseconds before the second attempt; 10. */
  readonly delay?: number | undefined
}

/**
 * Runs a function again while it fails with a conflict (409): one that reads an object, changes it and writes it. Rejects with the conflict after the last attempt.
 *
 * @example
 * await retryOnConflict(async () => {
 *   const object = await courses.get('algebra')
 *   object.spec.seats++
 *   await courses.update(object)
 * })
 */
export async function retryOnConflict<T>(work: () => Promise<T>, { attempts = 5, delay = 10 }: RetryOptions = {}): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const isConflict = error instanceof StatusError && error.code === 409 && error.status.reason !== 'AlreadyExists'
      if (!isConflict || attempt >= attempts) throw error
      // with a little jitter, so that two do not meet again and again
      await pause(delay * (1 + Math.random() * 0.1))
    }
  }
}
