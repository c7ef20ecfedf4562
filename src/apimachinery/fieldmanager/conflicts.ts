import { goQuote } from '../../util/go-format.js'
import type { ManagedFieldsEntry } from '../api/generated/meta-v1.js'
import { applyConflict, type StatusError } from '../status/status.js'
import type { FieldTree } from './fields-v1.js'
import { pathsOf } from './paths.js'

/** The fields of another manager that an apply would change. */
export interface Conflict {
  readonly owner: ManagedFieldsEntry
  readonly fields: FieldTree
}

export function conflictError(conflicts: readonly Conflict[]): StatusError {
  const found = conflicts
    .toSorted((a, b) => (identityOf(a.owner) < identityOf(b.owner) ? -1 : 1))
    .flatMap(({ owner, fields }) => pathsOf(fields).map(path => ({ owner: printed(owner), path })))
  const causes = found.map(({ owner, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${owner}`,
    field: path
  }))
  if (found.length === 1)
    return applyConflict(`Apply failed with 1 conflict: conflict with ${found[0]!.owner}: ${found[0]!.path}`, causes)
  const lines: string[] = []
  let last: string | undefined
  for (const { owner, path } of found) {
    if (owner !== last) lines.push(`conflicts with ${owner}:`)
    lines.push(`- ${path}`)
    last = owner
  }
  return applyConflict(`Apply failed with ${found.length} conflicts: ${lines.join('\n')}`, causes)
}

/** kube-apiserver sorts managers by their identity as JSON. */
const identityOf = ({ manager, operation, apiVersion, subresource }: ManagedFieldsEntry) =>
  JSON.stringify({
    manager,
    operation,
    apiVersion: operation === 'Apply' ? undefined : apiVersion,
    subresource: subresource || undefined
  })

function printed({ manager, operation, apiVersion, subresource }: ManagedFieldsEntry): string {
  const name = goQuote(manager ?? '') + (subresource ? ` with subresource ${goQuote(subresource)}` : '')
  return operation === 'Update' ? `${name} using ${apiVersion}` : name
}
