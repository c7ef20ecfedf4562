/** Sets over HTTP: `POST /binnacle/v1/sets` (docs/sets.md). */
import type { PathHandler } from '../endpoints/dispatch.js'
import { setsPath } from '../request/sets-path.js'
import { methodNotAllowed, StatusError } from '../status/status.js'
import type { MemberParts } from './member.js'
import { writeSet } from './write-set.js'

/** `parts` is asked for with each set: the chain is made of the paths, among others. */
export const setsHandler = (parts: () => MemberParts): PathHandler => ({
  path: setsPath,
  handle(context) {
    if (context.request.method !== 'POST') throw new StatusError(methodNotAllowed().status, { allow: 'POST' })
    return writeSet(context, parts())
  }
})
