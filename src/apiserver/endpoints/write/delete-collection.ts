import { isNotFound } from '../../../apimachinery/status/status.js'
import { deleteObject } from '../../../registry/write/delete.js'
import { Operation } from '../../../registry/write/operation.js'
import type { CachedObject } from '../../../storage/cached-object.js'
import { type Endpoint, operationFor, requestedForm } from '../endpoint.js'
import { respondPage, selectPage } from '../read/list.js'
import { listOptions } from '../read/list-options.js'
import { deleteOptions, orphanWarning, warnsAboutOrphans } from './delete.js'
import { notForCollections } from './remove-unreadable.js'

/** The number of deletions that are written side by side. */
const width = 16

/** Deletes the objects that a list with the same parameters would return, and answers with that list. */
export const removeCollection: Endpoint = async request => {
  const { context, resource } = request
  const form = requestedForm(request)
  // mistakes in the list's parameters are reported first
  listOptions(context, resource, undefined)
  const options = await deleteOptions(context, request.server.services)
  if (options.ignoreStoreReadErrorWithClusterBreakingPotential) throw notForCollections()
  if (warnsAboutOrphans(resource, context.info.version, options)) context.warn(orphanWarning)
  const page = await selectPage(request)
  const base = operationFor(request, { dryRun: options.dryRun, fieldManager: undefined }, options)
  const { signal } = context
  const remove = async (object: CachedObject, admitted: () => void) => {
    const operation = new Operation(
      { ...base, namespace: object.namespace, manager: base.manager.name },
      base.services,
      base.admission
    )
    try {
      await deleteObject(operation, object.name, options, admitted)
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
  const running = new Set<Promise<void>>()
  const failures: unknown[] = []
  for (const object of page.objects) {
    if (running.size >= width) await Promise.race(running)
    // like kube-apiserver, which deletes one after the other: when one is refused, those after it stay
    await new Promise<void>(admitted => {
      const deletion = remove(object, admitted)
        .catch(error => void failures.push(error))
        .finally(() => {
          running.delete(deletion)
          admitted()
        })
      running.add(deletion)
    })
    if (failures.length > 0 || signal.aborted) break
  }
  await Promise.all(running)
  if (failures.length > 0) throw failures[0]
  signal.throwIfAborted()
  return respondPage(request, form, page)
}
