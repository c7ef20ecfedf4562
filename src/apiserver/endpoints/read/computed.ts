/** Computes the objects of kinds that are never stored, for each request. */
import { CachedObject } from '../../../storage/cached-object.js'
import { exactJson } from '../../../util/exact-json.js'
import { computations, resourceKey } from '../../subresources/index.js'
import type { EndpointRequest } from '../endpoint.js'
import type { Page } from './list.js'
import { listOptions } from './list-options.js'
import { watchMatcher } from './query-page.js'
import { selectionOf } from './select.js'

export async function computedObject({ resource, server }: EndpointRequest, name: string): Promise<CachedObject | undefined> {
  const { kind, memoryVersion } = resource
  if (!kind.computed?.names.includes(name)) return undefined
  const found = await computations[resourceKey(kind)]!(name, server.services)
  const object = { kind: kind.kind, apiVersion: resource.apiVersion(memoryVersion.name), ...found }
  return new CachedObject(name, 0, { bytes: Buffer.from(`${exactJson(object)}\n`), object }, undefined)
}

export async function computedPage(request: EndpointRequest): Promise<Page> {
  const { context, resource } = request
  const given = listOptions(context, resource, undefined)
  const matches = watchMatcher(request, selectionOf(given), given)
  const objects = await Promise.all(resource.kind.computed!.names.map(name => computedObject(request, name)))
  return { objects: objects.filter(o => o !== undefined && (matches?.(o) ?? true)) as CachedObject[], metadata: {} }
}
