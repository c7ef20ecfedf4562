/** Makes the request that writes a set. */
import { setsPath } from '../apimachinery/request/sets-path.js'
import type { SetEntry, SetOptions } from './types.js'

export interface SetRequest {
  readonly method: 'POST'
  /** Path and query. */
  readonly url: string
  readonly body: unknown
}

export function setRequest(entries: readonly SetEntry[], options: SetOptions): SetRequest {
  const { namespace = 'default', dryRun, fieldManager, force, fieldValidation } = options
  const query = new URLSearchParams({ namespace })
  if (dryRun) query.set('dryRun', 'All')
  if (fieldManager) query.set('fieldManager', fieldManager)
  if (force) query.set('force', 'true')
  if (fieldValidation) query.set('fieldValidation', fieldValidation)
  return { method: 'POST', url: `${setsPath}?${query}`, body: { apiVersion: 'binnacle.dev/v1', kind: 'Set', entries } }
}
