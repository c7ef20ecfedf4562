import type { PathHandler } from '../endpoints/dispatch.js'
import { outputForm, respondBytes } from '../endpoints/respond.js'
import { encodeObject } from '../formats/encode.js'

/** What `/` lists: the paths that are there. */
export function rootPath(paths: readonly PathHandler[]): PathHandler {
  const list = paths.map(p => p.path).sort()
  return {
    path: '/',
    handle(context) {
      outputForm(context)
      return respondBytes(200, 'application/json', encodeObject({ paths: list }, 'application/json', true))
    }
  }
}
