/** Clears the fields that clients may not set, and sets those that only the server sets. */

import { asSettled, cloneDecoded } from '../../../apimachinery/schema/decode.js'
import { asGiven } from '../../../apimachinery/schema/given.js'
import { equalJson, own } from '../../../util/json.js'
import { timestamp } from '../../../util/time.js'
import { dropGatedFields } from '../../gated-fields.js'
import { keepChangeableMeta, keepField } from '../../keep.js'
import type { AnyObject } from '../../kind.js'
import { comparable, sameSpelling } from '../compare.js'
import { hasOwnStatus, type Operation, statusOf } from '../operation.js'
import { forgetMetadata } from '../unread.js'
import type { Admitted, Found, Missing, Prepared } from './value.js'

/** A longer generateName is cut to leave room for the suffix. */
const maxGenerateName = 58
/** How many names are generated before the server gives up because all were taken (KEP-4420). */
const generateNameTries = 8

export async function prepareNew(write: Admitted<Missing>): Promise<Prepared<Missing>> {
  const { operation } = write
  const { kind, namespaced } = operation.resource
  // when another request has taken an address or port that this one chooses, it begins here again
  const prepared = kind.strategy?.companionWrites ? { ...write, object: cloneDecoded(write.object) } : write
  const { object } = prepared
  const meta = object.metadata
  const isGenerated = !meta.name && !!meta.generateName
  if (isGenerated) meta.name = generateName(operation, meta.generateName)
  meta.uid = operation.services.random.uuid()
  meta.creationTimestamp = timestamp(operation.now)
  if (namespaced) meta.namespace = operation.namespace
  else delete meta.namespace
  if (hasGeneration(operation)) meta.generation = 1
  dropGatedFields(kind, operation.services.features, object)
  const pending = kind.strategy?.prepareForCreate?.(object, operation)
  if (pending) await pending
  return Object.assign(prepared, { names: isGenerated ? { left: generateNameTries } : undefined })
}

export function generateName(operation: Operation, base = ''): string {
  if (operation.resource.kind.strategy?.takesGenerateName) return base
  return base.slice(0, maxGenerateName) + operation.services.random.suffix()
}

export async function prepareChanges(write: Admitted<Found>): Promise<Prepared<Found>> {
  const { operation, object, old } = write
  const { kind } = operation.resource
  const meta = object.metadata
  const before = old.metadata
  if (before.generation === undefined) delete meta.generation
  else meta.generation = before.generation
  // kube-apiserver drops it where it stores the object, which a dry run does not
  if (!operation.dryRun) delete meta.selfLink
  const early = typeof kind.generation === 'object' && kind.generation.beforeGates && generationChanged(operation, object, old)
  dropGatedFields(kind, operation.services.features, object, old)
  const subresource = own(kind.subresources?.others, operation.subresource)
  if (operation.subresource === 'status') prepareStatus(operation, object, old)
  else if (subresource?.prepareForUpdate) subresource.prepareForUpdate(object, old, operation)
  else {
    if (hasOwnStatus(operation)) keepField(object, old, 'status')
    const pending = kind.strategy?.prepareForUpdate?.(object, old, operation)
    if (pending) await pending
    if (hasGeneration(operation) && (early || generationChanged(operation, object, old)))
      meta.generation = (before.generation ?? 0) + 1
  }
  // a kind's own preparation may replace the metadata
  const kept = object.metadata
  kept.uid ??= before.uid
  kept.creationTimestamp = before.creationTimestamp
  if (before.deletionTimestamp) kept.deletionTimestamp = before.deletionTimestamp
  if (before.deletionGracePeriodSeconds !== undefined) kept.deletionGracePeriodSeconds ??= before.deletionGracePeriodSeconds
  return Object.assign(write, { names: undefined })
}

/** A status update changes the status and, as far as the kind allows it, metadata. */
function prepareStatus(operation: Operation, object: AnyObject, old: AnyObject): void {
  forgetMetadata(object)
  if (operation.resource.kind.custom) for (const field of ['kind', 'apiVersion']) keepField(object, old, field)
  for (const field of new Set([...Object.keys(object), ...Object.keys(old)])) {
    if (field !== 'status' && field !== 'metadata' && field !== 'kind' && field !== 'apiVersion') keepField(object, old, field)
  }
  const definition = statusOf(operation)
  const { managedFields, resourceVersion } = object.metadata
  if (definition?.metadata === 'all but labels') keepField(object.metadata, old.metadata, 'labels')
  if (definition?.metadata === 'reset') keepChangeableMeta(object, old)
  if (definition?.metadata === 'none') {
    object.metadata = { ...old.metadata, resourceVersion }
    if (managedFields) object.metadata.managedFields = managedFields
    else delete object.metadata.managedFields
  }
  definition?.prepareForUpdate?.(object, old, operation)
}

const specOf = (object: AnyObject) => object.spec

function generationChanged(operation: Operation, object: AnyObject, old: AnyObject): boolean {
  const { generation } = operation.resource.kind
  const { of: observed = specOf, emptyIsChange = false } = typeof generation === 'object' ? generation : {}
  const before = observed(comparable(operation, sameSpelling(operation, object, old)))
  return !equalJson(
    emptyIsChange ? asGiven(observed(object)) : observed(comparable(operation, settledForm(operation, object))),
    before
  )
}

const settledForm = ({ resource }: Operation, object: AnyObject) => asSettled(resource.type(resource.memoryVersion.name), object)

/** Whether objects of the kind have a generation. */
function hasGeneration({ resource: { kind }, services }: Operation): boolean {
  const { generation } = kind
  return typeof generation === 'object' && generation.gate ? services.features.enabled(generation.gate) : generation !== undefined
}
