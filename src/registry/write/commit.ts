import { checkGrownKeys, fewestBytesOfKeys } from '../../apimachinery/formats/value-limit.js'
import { settle } from '../../apimachinery/schema/decode.js'
import { tooLarge } from '../../apimachinery/status/status.js'
import type { CachedObject } from '../../storage/cached-object.js'
import type { CommitResult } from '../../storage/contract.js'
import { isKey, maxKeyBytes } from '../../storage/keys.js'
import { traced } from '../../util/trace.js'
import type { AnyObject } from '../kind.js'
import type { PreparedCommit } from './committer.js'
import type { CompanionWrite } from './companion-write.js'
import { commitOneByOne } from './one-by-one.js'
import type { Operation, Written } from './operation.js'

/**
 * Patches could make an object larger again and again, until no request for it ends. etcd takes 1.5 MiB, of Protobuf where it can be; this
 * is as much as a client may send.
 */
export const maxObjectBytes = 3 * 1024 * 1024

/** A change of one key, on condition of its present revision (0: there is no object). */
interface Change {
  /** The object's key in the watch cache. */
  readonly key: string
  readonly name: string
  /** In the version of the cache; undefined for a deletion. */
  readonly object: AnyObject | undefined
  readonly expected: number
  /** What the cache has. */
  readonly before: CachedObject | undefined
  /** The encoded object, where the caller has encoded it. */
  readonly encoded: Buffer | undefined
}

/** What a write ends with. Resolves with the revision; with undefined when the condition does not hold, or that of a companion write. */
type LastStep = (operation: Operation, change: Change) => Promise<number | undefined>

const lastStep = ({ dryRun }: Operation): LastStep => (dryRun ? rehearse : commit)

/**
 * Writes an object on condition of its present revision (0: it does not exist). Returns undefined when this condition or that of
 * a companion write does not hold. `encoded` is the encoded object, if the caller has settled and encoded it.
 */
export async function commitObject(
  operation: Operation,
  object: AnyObject,
  expected: number,
  created: boolean,
  encoded?: Buffer
): Promise<Written | undefined> {
  const { resource, namespace, dryRun } = operation
  const name = object.metadata.name!
  const key = resource.key(namespace, name)
  // etcd accepts keys of a megabyte, but no request could reach their objects
  if (!isKey(resource.prefix + key)) throw tooLarge(maxKeyBytes)
  if (!encoded) settle(resource.type(resource.memoryVersion.name), object)
  const before = resource.cache.get(key)
  const revision = await lastStep(operation)(operation, { key, name, object, expected, before, encoded })
  if (revision === undefined) return undefined
  if (!dryRun) object.metadata.resourceVersion = String(revision)
  const cached = dryRun ? undefined : resource.cache.get(key)
  const bytes = cached?.revision === revision ? cached.bytes : undefined
  noteWrite(operation, name, before, () => bytes ?? resource.form.splice(resource.form.encode(object), revision))
  return { object: dryRun ? await resource.rehearsed(object) : resource.asStored(object), bytes, created }
}

/** Deletes an object on condition of its revision. Returns the revision of the deletion; undefined when the condition does not hold. */
export async function commitDelete(operation: Operation, name: string, expected: number): Promise<number | undefined> {
  const { resource, namespace, dryRun } = operation
  const key = resource.key(namespace, name)
  const before = resource.cache.get(key)
  const change: Change = { key, name, object: undefined, expected, before, encoded: undefined }
  const revision = await lastStep(operation)(operation, change)
  if (revision !== undefined && !dryRun) noteWrite(operation, name, before, () => undefined)
  return revision
}

/** The last step of a dry run: only checks the condition. The objects of a set see what it would write. */
const rehearse: LastStep = async ({ resource, origin, services }, { key, object, expected, before }) => {
  if ((before?.revision ?? 0) !== expected) return undefined
  await services.committer?.commit({ resource, origin, key, object, expected, writes: noWrites })
  return expected
}

const noWrites: readonly never[] = []

/** The usual last step: commits to the store, or together with the other objects of a set. */
const commit: LastStep = async (operation, change) => {
  const { resource, origin } = operation
  const { key, name, object, expected, before } = change
  const write = object ? writeOf(operation, object, change) : { key: resource.prefix + key, value: undefined, expected }
  const companions = resource.kind.strategy?.companionWrites?.(object, before && resource.parse(before), operation) ?? []
  const prepared: PreparedCommit = { resource, origin, key, object, expected, writes: [write, ...companions] }
  const attributes = () => ({ key: write.key, type: resource.kind.kind, resource: resource.resource })
  if (!object) {
    const deleted = await traced('Delete etcd3', 'internal', attributes, () => committed(operation, prepared, 'delete', name))
    return deleted.ok ? deleted.revision : undefined
  }
  const committing = traced(
    expected === 0 ? 'Create etcd3' : 'GuaranteedUpdate etcd3',
    'internal',
    () => ({ 'audit-id': origin.record?.auditId ?? '', ...attributes() }),
    () => committed(operation, prepared, expected === 0 ? 'create' : 'update', name)
  )
  const result = await (origin.record?.time('etcd', committing) ?? committing)
  return result.ok ? result.revision : undefined
}

/** Makes the write of an object. Throws a 413 for one that is larger than a body may be, and larger than it was. */
function writeOf({ resource }: Operation, object: AnyObject, { key, expected, before, encoded }: Change): CompanionWrite {
  delete object.metadata.resourceVersion
  const { value, attachment } = resource.stored(object, encoded)
  // the cache holds the present object with its resourceVersion
  const room = (present: CachedObject) =>
    present.length - resource.form.lengthAt(encoded ?? resource.form.encode(object), present.revision)
  // one that is there already can be made smaller
  const grows = () => !(before && room(before) >= 0)
  if (value.length > maxObjectBytes && grows()) throw tooLarge(maxObjectBytes)
  if (value.length > fewestBytesOfKeys && grows()) checkGrownKeys(encoded ?? resource.form.encode(object))
  return { key: resource.prefix + key, value, expected, ttl: resource.ttl, attachment }
}

/** Tells the recorder, where there is one. */
function noteWrite(operation: Operation, name: string, before: CachedObject | undefined, after: () => Buffer | undefined): void {
  const steps = operation.origin.record?.steps
  if (!steps) return
  const { resource, subresource, namespace, dryRun } = operation
  const { group } = resource
  steps.wrote({ group, resource: resource.resource, subresource, namespace, name, dryRun, before: before?.bytes, after: after() })
}

function committed(operation: Operation, prepared: PreparedCommit, verb: string, name: string): Promise<CommitResult> {
  const { resource, origin, writes } = prepared
  const [own, ...companions] = writes
  if (companions.length === 0 || !resource.store.singleWrites) return committedTogether(operation, prepared, verb, name)
  return commitOneByOne(resource.store, companions, origin, () =>
    committedTogether(operation, { ...prepared, writes: [own!] }, verb, name)
  )
}

function committedTogether(operation: Operation, prepared: PreparedCommit, verb: string, name: string): Promise<CommitResult> {
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
