import type { Backend } from '../endpoints/backend.js'
import type { PathHandler } from '../endpoints/dispatch.js'
import { respondBytes } from '../endpoints/respond.js'
import { encodeObject } from '../formats/encode.js'
import { groupPrefix } from '../openapi/operation.js'

/** What `/` lists: the paths that are there, and those of built-in groups. */
export function rootPath(paths: readonly PathHandler[], backends: readonly Backend[]): PathHandler {
  const own = paths.map(p => p.path).filter(path => path !== '/api/')
  const list = () => {
    const routed = backends.flatMap(backend => backend.groups()).filter(group => group.hasRoutes)
    const groups = routed.flatMap(({ name, versions }) => {
      const ofVersions = versions.map(version => groupPrefix(name, version.name))
      return name === '' ? ofVersions : [`/apis/${name}`, ...ofVersions]
    })
    return [...new Set([...own, ...groups])].sort()
  }
  return {
    path: '/',
    // JSON, whatever is accepted
    handle: () => respondBytes(200, 'application/json', encodeObject({ paths: list() }, 'application/json', true))
  }
}
