import type { PathHandler } from '../endpoints/dispatch.js'
import { respondBytes } from '../endpoints/respond.js'
import { encodeObject } from '../formats/encode.js'
import { groupPrefix } from '../openapi/operation.js'
import type { Registry } from '../registry/registry.js'

/** What `/` lists: the paths that are there, and those of built-in groups. */
export function rootPath(paths: readonly PathHandler[], registry: Registry): PathHandler {
  const own = paths.map(p => p.path).filter(path => path !== '/api/')
  const list = () => {
    const resources = [...registry.served()].filter(resource => !resource.kind.custom)
    const groups = resources.flatMap(({ group, versions }) => {
      const ofVersions = [...versions.keys()].map(version => groupPrefix(group, version))
      return group === '' ? ofVersions : [`/apis/${group}`, ...ofVersions]
    })
    return [...new Set([...own, ...groups])].sort()
  }
  return {
    path: '/',
    // JSON, whatever is accepted
    handle: () => respondBytes(200, 'application/json', encodeObject({ paths: list() }, 'application/json', true))
  }
}
