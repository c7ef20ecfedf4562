import type { ApiGroup, Backend } from '../endpoints/backend.js'
import { groupRank } from './priorities.js'

/** The groups of all backends, in the order of discovery. */
export const apiGroups = (backends: readonly Backend[]): ApiGroup[] =>
  backends
    .flatMap(backend => backend.groups())
    .sort((a, b) => groupRank(b.name) - groupRank(a.name) || (a.name < b.name ? -1 : 1))
