import { notFound } from '../../status/status.js'
import type { Implementation } from '../implementation.js'
import { noConnectionTo } from '../pods/node-connection.js'
import { parseProxyName } from '../proxy-name.js'

export const proxyToNode: Implementation = {
  async connect({ resource, name }) {
    const host = parseProxyName(name, 'node').name
    const found = resource.get('', host)
    if (!found) throw notFound({ group: '', resource: 'nodes' }, host)
    throw noConnectionTo(resource.parse(found))
  }
}
