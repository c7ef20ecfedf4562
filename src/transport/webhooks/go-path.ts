import { posix } from 'node:path'
import { escapedPath } from '../../util/url-parts.js'

/** Returns the path that Go's REST client asks for: without doubled and trailing slashes, with `.` and `..` resolved, in Go's escapes. */
export function cleanedPath(path: string): string {
  const joined = posix.join('/', decoded(path))
  const cleaned = joined.length > 1 && joined.endsWith('/') ? joined.slice(0, -1) : joined
  return escapedPath(cleaned)
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
