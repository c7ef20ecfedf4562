import { encodeObject } from '../apimachinery/formats/body.js'
import { explainPath } from '../apimachinery/request/explain-path.js'
import { historyPath } from '../apimachinery/request/history-path.js'
import { setsDocumentPath, setsPath } from '../apimachinery/request/sets-path.js'
import type { Backend } from '../apiserver/endpoints/backend.js'
import type { PathHandler } from '../apiserver/endpoints/dispatch.js'
import { respondBytes } from '../apiserver/endpoints/respond.js'
import { groupPrefix } from '../apiserver/openapi/operation.js'

/** Makes the handler of `/`, which lists the server's own paths and those of groups with routes. */
export function rootPath(
  paths: readonly PathHandler[],
  backends: readonly Backend[]
): PathHandler & { list(): readonly string[] } {
  // paths that only this server has would distinguish it from kube-apiserver
  const hidden = new Set(['/', '/api/', setsPath, setsDocumentPath, explainPath, historyPath])
  const own = () => paths.map(p => p.path).filter(path => !hidden.has(path) && !path.startsWith('/debug/'))
  const list = () => {
    const routed = backends
      .flatMap(backend => backend.groups())
      .filter(group => group.hasRoutes || group.versions.some(version => version.remote))
    const groups = routed.flatMap(({ name, versions }) => {
      const ofVersions = versions.map(version => groupPrefix(name, version.name))
      return name === '' ? ofVersions : [`/apis/${name}`, ...ofVersions]
    })
    return [...new Set([...own(), ...groups])].sort()
  }
  return {
    path: '/',
    list,
    // always JSON, whatever the Accept header says
    handle: () => respondBytes(200, 'application/json', encodeObject({ paths: list() }, 'application/json', true))
  }
}
