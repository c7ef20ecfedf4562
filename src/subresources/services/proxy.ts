import type { Service } from '../../api/generated/core-v1.js'
import * as refs from '../../api/resources.js'
import { notFound, unavailable } from '../../status/status.js'
import type { Implementation } from '../implementation.js'
import { parseProxyName } from '../proxy-name.js'

export const proxyToService: Implementation = {
  async connect({ resource, namespace, name: id, operation: { services } }) {
    const { name, port } = parseProxyName(id, 'service')
    const found = resource.get(namespace, name)
    if (/^\d+$/.test(port)) {
      if (!found) throw notFound({ group: '', resource: 'services' }, name)
      if (!(resource.parse(found) as Service).spec.ports?.some(p => p.port === Number(port)))
        throw unavailable(`no service port ${Number(port)} found for service ${JSON.stringify(name)}`)
    }
    const endpoints = services.registry.of(refs.endpoints).get(namespace, name)
    // the error names the Service, because that is what the client asked for
    if (!endpoints) throw notFound({ group: '', resource: 'services' }, name)
    throw unavailable(`no endpoints available for service ${JSON.stringify(name)}`)
  }
}
