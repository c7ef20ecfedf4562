/** Answers that hold one object: as stored bytes where that is what was asked for, otherwise converted. */
import type { OutputForm } from '../formats/negotiate.js'
import { partialObject } from '../formats/partial.js'
import { toTable } from '../formats/table.js'
import type { Resource } from '../registry/resource.js'
import type { RequestContext, Response } from '../server/context.js'
import { respondBytes, respondObject } from './respond.js'

export interface StoredObject {
  /** In the storage version; parsed from the bytes when missing. */
  readonly object?: any
  readonly bytes?: Buffer | undefined
}

export function respondStored(context: RequestContext, form: OutputForm, resource: Resource, stored: StoredObject, now: number, status = 200): Response {
  const { version } = context.info
  const plain = form.transform === undefined && !form.pretty && form.mediaType === 'application/json'
  if (plain && stored.bytes && version === resource.storageVersion.name) return respondBytes(status, 'application/json', stored.bytes)
  const object = resource.inVersion(stored.object ?? JSON.parse(stored.bytes!.toString()), version)
  if (form.transform === 'Table') {
    return respondObject(form, toTable(resource, [object], { context, form, now, metadata: { resourceVersion: object.metadata.resourceVersion } }), status)
  }
  return respondObject(form, form.transform === 'PartialObjectMetadata' ? partialObject(object, form.transformVersion) : object, status)
}
