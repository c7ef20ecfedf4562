/** Answers that hold one object: as stored bytes where that is what was asked for, otherwise converted. */
import type { OutputForm } from '../formats/negotiate.js'
import { isNoList, partialObject } from '../formats/partial.js'
import { cachedObject } from '../formats/protobuf/cached.js'
import { toTable } from '../formats/table.js'
import type { Resource } from '../registry/resource.js'
import type { RequestContext, Response } from '../server/context.js'
import { plainError } from '../server/status.js'
import { CachedObject } from '../storage/cached-object.js'
import { parseExact } from '../util/exact-json.js'
import { internalPackage } from './decode-object.js'
import { respondBytes, respondObject } from './respond.js'

export interface StoredObject {
  /** In the memory version; parsed from the bytes when missing. */
  readonly object?: any
  readonly bytes?: Buffer | undefined
}

export function respondStored(
  context: RequestContext,
  form: OutputForm,
  resource: Resource,
  stored: StoredObject,
  now: number,
  status = 200
): Response {
  const { version } = context.info
  const { transform, mediaType, pretty } = form
  if (transform === 'PartialObjectMetadataList')
    throw resource.kind.custom
      ? plainError('content is not a list')
      : isNoList(`${internalPackage(resource.group)}.${resource.kind.kind}`)
  if (transform === undefined) {
    const asStored = mediaType === 'application/json' && !pretty && version === resource.memoryVersion.name
    if (asStored && stored.bytes) return respondBytes(status, mediaType, stored.bytes)
    if (mediaType === 'application/vnd.kubernetes.protobuf' && stored instanceof CachedObject)
      return respondBytes(status, mediaType, cachedObject(resource, version, stored))
  }
  const object = resource.inVersion(stored.object ?? parseExact(stored.bytes!.toString()), version)
  if (transform === 'Table') {
    return respondObject(
      form,
      toTable(resource, [object], { context, form, now, metadata: { resourceVersion: object.metadata.resourceVersion } }),
      status
    )
  }
  return respondObject(form, transform ? partialObject(object, form.transformVersion, resource.kind) : object, status)
}
