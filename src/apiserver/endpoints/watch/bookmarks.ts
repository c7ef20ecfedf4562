/** Bookmarks: when they come, and what they are. */

import { decode } from '../../../apimachinery/schema/decode.js'
import type { Resource } from '../../../registry/resource.js'

/** The interval between bookmarks: about a minute, as in kube-apiserver. */
const periodMs = 60_000
/** The last bookmark comes this long before the watch ends, so that the client resumes from a recent version. */
const beforeEndMs = 2000

/** Returns the time of the next bookmark in a watch that ends at `deadline`; undefined after the last, or if it is too short. */
export function nextBookmark(now: number, deadline: number): number | undefined {
  const next = Math.min(now + periodMs, deadline - beforeEndMs)
  return next > now ? next : undefined
}

/** The object of a bookmark: one of the watched kind without content, but for this metadata. */
export function bookmarkObject(resource: Resource, version: string, metadata: Record<string, unknown>): any {
  const { kind } = resource
  const { object } = decode(resource.type(version), { kind: kind.kind, apiVersion: resource.apiVersion(version) })
  kind.empty?.(object)
  const { annotations, ...others } = metadata
  Object.assign(object.metadata, others)
  if (annotations) object.metadata.annotations = { ...object.metadata.annotations, ...annotations }
  return object
}
