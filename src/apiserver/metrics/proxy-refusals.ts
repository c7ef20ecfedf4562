/** Counts requests for extension API servers that the proxy answers with an error itself. */
import type { RequestContext } from '../../apimachinery/request/context.js'
import type { RequestFamilies } from './request-families.js'
import { scopeOf, verbOf } from './request-series.js'

/**
 * How many names of resources are remembered. Nobody knows which resources an unavailable server has, so clients can make up
 * names; further ones share an empty name.
 */
const maxNames = 1000

export class ProxyRefusals {
  readonly #terminations: RequestFamilies['terminations']
  readonly #names = new Set<string>()

  constructor(terminations: RequestFamilies['terminations']) {
    this.#terminations = terminations
  }

  count(context: RequestContext, status: number): void {
    const { info } = context
    const { isResourceRequest, path } = info
    // group and version are those of an APIService
    const { group, version, resource, subresource } = isResourceRequest
      ? info
      : { group: '', version: '', resource: '', subresource: path }
    const named = this.#isNamed(`${group}/${version}/${resource}/${subresource}`) ? [resource, subresource] : ['', '']
    const verb = verbOf(info, context.header('content-type'))
    this.#terminations.of(verb, group, version, named[0]!, named[1]!, scopeOf(info), 'aggregator', String(status)).add()
  }

  #isNamed(names: string): boolean {
    if (!this.#names.has(names) && this.#names.size < maxNames) this.#names.add(names)
    return this.#names.has(names)
  }
}
