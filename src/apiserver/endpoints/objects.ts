/** Answers that hold one object: its stored bytes if the client asked for that form, otherwise a conversion. */

import type { OutputForm } from '../../apimachinery/formats/negotiate.js'
import { isNoList, partialObject } from '../../apimachinery/formats/partial.js'
import { cachedObject } from '../../apimachinery/formats/protobuf/cached.js'
import { includeOption, toTable } from '../../apimachinery/formats/table.js'
import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import { AuditLevel } from '../../apimachinery/request/record.js'
import { internalPackage } from '../../apimachinery/schema/registered.js'
import { plainError } from '../../apimachinery/status/status.js'
import type { Resource } from '../../registry/resource.js'
import { CachedObject } from '../../storage/cached-object.js'
import { parseExact } from '../../util/exact-json.js'
import { respondBytes, respondObject } from './respond.js'

export interface StoredObject {
  /** The object in the cached version; parsed from the bytes when missing. */
  readonly object?: any
  readonly bytes?: Buffer | undefined
}

/**
 * Answers with an object that is not stored. A Status keeps its form; other objects may be reduced to their metadata. `type` is
 * the internal Go type for error messages.
 */
export function respondMade(context: RequestContext, form: OutputForm, made: any, type: string, status: number): Response {
  const { transform, transformVersion } = form
  if (transform === 'Table') includeOption(context)
  if (transform === undefined || made.kind === 'Status') return respondObject(form, made, status)
  if (transform === 'PartialObjectMetadataList') throw isNoList(type)
  return respondObject(form, partialObject(made, transformVersion), status)
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
    if (mediaType === 'application/vnd.kubernetes.protobuf' && stored instanceof CachedObject) {
      const response = respondBytes(status, mediaType, cachedObject(resource, version, stored))
      if (context.record.auditLevel < AuditLevel.RequestResponse) return response
      return { ...response, object: resource.inVersion(resource.parse(stored), version) }
    }
  }
  const parsed = stored.object ?? parseExact(stored.bytes!.toString())
  if (transform === 'Table') {
    return respondObject(
      form,
      toTable(resource, [parsed], { context, form, now, metadata: { resourceVersion: parsed.metadata.resourceVersion } }),
      status
    )
  }
  const object = resource.inVersion(parsed, version)
  if (transform) return respondObject(form, partialObject(object, form.transformVersion, resource.kind), status)
  return respondObject(form, object, status, resource.kind.custom !== undefined)
}
