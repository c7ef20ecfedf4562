import { StatusError } from '../../../apimachinery/status/status.js'
import { deleteObject } from '../../../registry/write/delete.js'
import { Operation } from '../../../registry/write/operation.js'
import { type Endpoint, operationFor, requestedForm } from '../endpoint.js'
import { respondPage, selectPage } from '../read/list.js'
import { listOptions } from '../read/list-options.js'
import { deleteOptions, orphanWarning, warnsAboutOrphans } from './delete.js'

/** The number of concurrent deletions. */
const width = 16

/** Deletes the objects that a list with the same parameters would return, and answers with that list. */
export const removeCollection: Endpoint = async request => {
  const { context, resource } = request
  const form = requestedForm(request)
  // mistakes in the list's parameters are reported first
  listOptions(context, resource, undefined)
  const options = await deleteOptions(context)
  if (warnsAboutOrphans(resource, context.info.version, options)) context.warn(orphanWarning)
  const page = await selectPage(request)
  const base = operationFor(request, { dryRun: options.dryRun, fieldManager: undefined }, options)
  const queue = page.objects.values()
  const { signal } = context
  await Promise.all(
    Array.from({ length: Math.min(width, page.objects.length) }, async () => {
      for (const object of queue) {
        signal.throwIfAborted()
        const operation = new Operation(
          { ...base, namespace: object.namespace, manager: base.manager.name },
          base.services,
          base.admission
        )
        await deleteObject(operation, object.name, options).catch(error => {
          if (!(error instanceof StatusError && error.code === 404)) throw error
        })
      }
    })
  )
  return respondPage(request, form, page)
}
