import { checkGrownKeys, fewestBytesOfKeys } from '../../apimachinery/formats/value-limit.js'
import { settle } from '../../apimachinery/schema/decode.js'
import { tooLarge } from '../../apimachinery/status/status.js'
import type { CachedObject } from '../../storage/cached-object.js'
import type { CommitResult } from '../../storage/contract.js'
import { isKey, maxKeyBytes } from '../../storage/keys.js'
import { traced } from '../../util/trace.js'
import type { PreparedCommit } from './committer.js'
import type { CompanionWrite } from './companion-write.js'
import type { Operation, Written } from './operation.js'

/**
 * Patches could make an object larger again and again, until no request for it ends. etcd takes 1.5 MiB, of Protobuf where it can be; this
 * is as much as a client may send.
 */
export const maxObjectBytes = 3 * 1024 * 1024

/**
 * Writes an object on condition of its present revision (0: it does not exist). Returns undefined when this condition or that of
 * a companion write does not hold. A dry run only checks the condition. `encoded` is the encoded object, if the caller has
 * settled and encoded it.
 */
export async function commitObject(
  operation: Operation,
  object: any,
  expected: number,
  created: boolean,
  encoded?: Buffer
): Promise<Written | undefined> {
  const { resource } = operation
  const key = resource.key(operation.namespace, object.metadata.name)
  // etcd accepts keys of a megabyte, but no request could reach their objects
  if (!isKey(resource.prefix + key)) throw tooLarge(maxKeyBytes)
  if (!encoded) settle(resource.type(resource.memoryVersion.name), object)
  if (operation.dryRun) {
    const current = resource.cache.get(key)
    if ((current?.revision ?? 0) !== expected) return undefined
    await operation.services.committer?.commit({ resource, origin: operation.origin, key, object, expected, writes: noWrites })
    noteWrite(operation, object.metadata.name, current, () =>
      resource.form.splice(encoded ?? resource.form.encode(object), expected)
    )
    return { object: resource.asStored(object), bytes: undefined, created }
  }
  delete object.metadata.resourceVersion
  const { value, attachment } = resource.stored(object, encoded)
  const write: CompanionWrite = { key: resource.prefix + key, value, expected, ttl: resource.ttl, attachment }
  const before = resource.cache.get(key)
  // the cache holds the present object with its resourceVersion
  const room = (present: CachedObject) =>
    present.length - resource.form.lengthAt(encoded ?? resource.form.encode(object), present.revision)
  // one that is there already can be made smaller
  const grows = () => !(before && room(before) >= 0)
  if (value.length > maxObjectBytes && grows()) throw tooLarge(maxObjectBytes)
  if (value.length > fewestBytesOfKeys && grows()) checkGrownKeys(encoded ?? resource.form.encode(object))
  const writes = [write, ...companionWrites(operation, object, before)]
  const commit = traced(
    expected === 0 ? 'Create etcd3' : 'GuaranteedUpdate etcd3',
    'internal',
    () => ({
      'audit-id': operation.origin.record?.auditId ?? '',
      key: write.key,
      type: resource.kind.kind,
      resource: resource.resource
    }),
    () =>
      committed(
        operation,
        { resource, origin: operation.origin, key, object, expected, writes },
        expected === 0 ? 'create' : 'update',
        object.metadata.name
      )
  )
  const result = await (operation.origin.record?.time('etcd', commit) ?? commit)
  if (!result.ok) return undefined
  object.metadata.resourceVersion = String(result.revision)
  const cached = resource.cache.get(key)
  const bytes = cached?.revision === result.revision ? cached.bytes : undefined
  noteWrite(
    operation,
    object.metadata.name,
    before,
    () => bytes ?? resource.form.splice(resource.form.encode(object), result.revision)
  )
  return { object: resource.asStored(object), bytes, created }
}

/** Deletes an object on condition of its revision. Returns the revision of the deletion; undefined when the condition does not hold. */
export async function commitDelete(operation: Operation, name: string, expected: number): Promise<number | undefined> {
  const { resource } = operation
  const key = resource.key(operation.namespace, name)
  if (operation.dryRun) {
    if (resource.cache.get(key)?.revision !== expected) return undefined
    await operation.services.committer?.commit({
      resource,
      origin: operation.origin,
      key,
      object: undefined,
      expected,
      writes: noWrites
    })
    return expected
  }
  const write: CompanionWrite = { key: resource.prefix + key, value: undefined, expected }
  const before = resource.cache.get(key)
  const writes = [write, ...companionWrites(operation, undefined, before)]
  const attributes = () => ({ key: write.key, type: resource.kind.kind, resource: resource.resource })
  const result = await traced('Delete etcd3', 'internal', attributes, () =>
    committed(operation, { resource, origin: operation.origin, key, object: undefined, expected, writes }, 'delete', name)
  )
  if (!result.ok) return undefined
  noteWrite(operation, name, before, () => undefined)
  return result.revision
}

/** Tells the recorder, where there is one. */
function noteWrite(operation: Operation, name: string, before: CachedObject | undefined, after: () => Buffer | undefined): void {
  const steps = operation.origin.record?.steps
  if (!steps) return
  const { resource, subresource, namespace, dryRun } = operation
  const { group } = resource
  steps.wrote({ group, resource: resource.resource, subresource, namespace, name, dryRun, before: before?.bytes, after: after() })
}

const noWrites: readonly never[] = []

function committed(operation: Operation, prepared: PreparedCommit, verb: string, name: string): Promise<CommitResult> {
  const { resource, origin, writes } = prepared
  const { faults, committer } = operation.services
  if (!faults || faults.storage.length === 0) return committer?.commit(prepared) ?? resource.store.commit(writes, origin)
  const subject = {
    user: operation.user.name,
    isOwn: !origin.record,
    verb: operation.request.verb || verb,
    group: resource.group,
    resource: resource.resource,
    subresource: operation.subresource,
    namespace: operation.namespace,
    name,
    path: '',
    userAgent: origin.header?.('user-agent') ?? '',
    steps: origin.record?.steps
  }
  return committer?.commit({ ...prepared, subject }) ?? faults.commit(resource.store, subject, writes, origin)
}

function companionWrites(operation: Operation, object: any, old: CachedObject | undefined): CompanionWrite[] {
  const { resource } = operation
  return resource.kind.strategy?.companionWrites?.(object, old && resource.parse(old), operation) ?? []
}
