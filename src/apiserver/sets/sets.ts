/** Sets over HTTP: `POST /binnacle/v1/sets` (docs/sets.md), and the document that describes it. */

import { setsDocumentPath, setsPath } from '../../apimachinery/request/sets-path.js'
import { methodNotAllowed, StatusError } from '../../apimachinery/status/status.js'
import type { PathHandler } from '../endpoints/dispatch.js'
import { respondBytes } from '../endpoints/respond.js'
import { setsDocument } from './document.js'
import type { MemberParts } from './member.js'
import { writeSet } from './write-set.js'

/** `parts` is called for each set, because the chain is made of the paths, among others. */
export const setsHandlers = (parts: () => MemberParts): PathHandler[] => [
  {
    path: setsPath,
    bodyTypes: undefined,
    handle(context) {
      if (context.request.method !== 'POST') throw new StatusError(methodNotAllowed().status, { allow: 'POST' })
      return writeSet(context, parts())
    }
  },
  {
    path: setsDocumentPath,
    handle(context) {
      if (context.request.method !== 'GET') throw new StatusError(methodNotAllowed().status, { allow: 'GET' })
      return respondBytes(200, 'application/json', Buffer.from(JSON.stringify(setsDocument())))
    }
  }
]
