/** The last stage of the chain: finds the backend, or the handler of a path, that answers a request. */
import type { RequestContext } from '../../apimachinery/request/context.js'
import { isForeignPage, isSafe } from '../../apimachinery/request/foreign-page.js'
import type { Response } from '../../apimachinery/request/message.js'
import type { Handle } from '../../apimachinery/request/stage.js'
import { foreignPage, noSuchResource } from '../../apimachinery/status/status.js'
import type { Store } from '../../storage/contract.js'
import type { Backend } from './backend.js'
import { pageNotFound } from './route-rules.js'

/** Answers paths outside the resources: discovery, OpenAPI, health, version, metrics. */
export interface PathHandler {
  /** "/version" matches only itself, "/healthz/" everything below. */
  readonly path: string
  /** The media types that bodies may have: JSON when left out, which no form of another page can send; undefined where the handler decides. */
  readonly bodyTypes?: readonly string[] | undefined
  handle(context: RequestContext): Response | Promise<Response>
}

export interface DispatchOptions {
  /** Each request tries the backends in this order. */
  readonly backends: readonly Backend[]
  readonly paths: readonly PathHandler[]
  readonly store: Pick<Store, 'currentRevision'>
}

const onlyJson: readonly string[] = ['application/json']

/** Paths that may end with a slash. */
const trailing = /^\/(?:apis?|version)\/$/

/** Paths whose router in kube-apiserver answers for everything below them. */
const routers = ['/version', '/.well-known/openid-configuration', '/openid/v1/jwks']

export function createDispatch({ backends, paths, store }: DispatchOptions): Handle {
  const answerPath = pathDispatch(paths)
  const withPaths = backends.filter(({ handlePath }) => handlePath !== undefined)
  return context => {
    if (!context.info.isResourceRequest) {
      for (const backend of withPaths) {
        const answer = backend.handlePath!(context)
        if (answer) return answer
      }
      return answerPath(context)
    }
    const answer = ask(context)
    if (answer) return answer
    // another server on the same store may just have established the resource's definition
    const fresh = store.currentRevision()
    if (typeof fresh === 'number') return missing(context)
    const again = () => ask(context) ?? missing(context)
    return fresh.then(again, again)
  }

  function ask(context: RequestContext): Response | Promise<Response> | undefined {
    for (const backend of backends) {
      const answer = backend.handle(context)
      if (answer) return answer
    }
    return undefined
  }

  function missing(context: RequestContext): Response {
    return backends.find(backend => backend.hasGroup(context.info.group))?.missing(context) ?? pageNotFound()
  }
}

function pathDispatch(paths: readonly PathHandler[]): Handle {
  const isPrefix = ({ path }: PathHandler) => path.length > 1 && path.endsWith('/')
  const exact = new Map(paths.filter(p => !isPrefix(p)).map(p => [p.path, p]))
  const prefixes = paths.filter(isPrefix)
  return context => {
    const { info, record } = context
    const path = trailing.test(info.path) ? info.path.slice(0, -1) : info.path
    const handler = exact.get(path) ?? prefixes.find(p => info.path.startsWith(p.path))
    if (handler) {
      record.route = { group: '', version: '', resource: '', subresource: handler.path }
      // whatever these paths change, a page of another origin has no part in it
      if (isForeignPage(context)) throw foreignPage()
      context.bodyTypes = 'bodyTypes' in handler ? handler.bodyTypes : onlyJson
      // a form may be empty
      if (!isSafe(context.request.method) && context.header('content-type') !== undefined) context.checkBodyType()
      return handler.handle(context)
    }
    if (routers.some(p => info.path.startsWith(`${p}/`))) throw noSuchResource()
    return pageNotFound()
  }
}
