/** URLs. */

import { ForeignValue } from '../../../util/go-format.js'
import {
  escapedPath,
  formatUrl,
  type GoUrl,
  hostname,
  isRequestUri,
  parseRequestUri,
  parseUrl,
  port,
  query,
  UrlError
} from '../../../util/go-url.js'
import { constant, traversal } from '../cost/call-cost.js'
import { type Implementation, type Library, overload } from '../declarations.js'
import { objectType } from '../types.js'
import { ArrayList, CelError, EntryMap, mapKey, ObjectValue, type Value } from '../values/value.js'

const urlType = objectType('kubernetes.URL')
const types = { URL: urlType }

class Url extends ObjectValue {
  readonly type = urlType
  readonly url: GoUrl
  constructor(url: GoUrl) {
    super()
    this.url = url
  }

  override get foreign(): ForeignValue {
    const text = formatUrl(this.url)
    return new ForeignValue(text, '(*url.URL)(0xc000000000)', '*url.URL')
  }

  equals(other: ObjectValue): boolean {
    return other instanceof Url && formatUrl(this.url) === formatUrl(other.url)
  }
}

function url(text: string): Value {
  try {
    parseRequestUri(text)
    return new Url(parseUrl(text))
  } catch (error) {
    if (error instanceof UrlError) return new CelError(`URL parse error during conversion from string: ${error.message}`)
    throw error
  }
}

const queryMap = (url: GoUrl) =>
  new EntryMap(new Map([...query(url)].map(([key, values]) => [mapKey(key)!, [key, new ArrayList(values)] as const])))

const part = (id: string, result: string, read: (url: GoUrl) => Value) => [
  overload(id, `URL.() -> ${result}`, ((u: Url) => read(u.url)) as Implementation, { types, cost: constant(1) })
]

export const urls: Library = {
  functions: {
    url: [overload('string_to_url', 'string -> URL', url, { types, cost: traversal(0, { sized: true }) })],
    isURL: [overload('is_url_string', 'string -> bool', isRequestUri)],
    getScheme: part('url_get_scheme', 'string', u => u.scheme),
    getHost: part('url_get_host', 'string', u => u.host),
    getHostname: part('url_get_hostname', 'string', hostname),
    getPort: part('url_get_port', 'string', port),
    getEscapedPath: part('url_get_escaped_path', 'string', escapedPath),
    getQuery: part('url_get_query', 'map(string, list(string))', queryMap)
  }
}
