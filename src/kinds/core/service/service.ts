import type { LoadBalancerIngress, Service } from '../../../api/generated/core-v1.js'
import { age } from '../../../formats/table.js'
import { defineKind } from '../../../registry/kind.js'
import { notFound, unavailable } from '../../../status/status.js'
import { type FieldErrors, Path } from '../../../validation/field.js'
import { ipWarnings, isIP, validateIP } from '../../../validation/ip.js'
import { isDns1123Subdomain, nameIsLabel } from '../../../validation/names.js'
import { builtinColumns } from '../../columns.js'
import { allocate, release } from './allocation.js'
import { claims } from './claims.js'
import { defaultService } from './defaults.js'
import { parseProxyName } from './proxy-name.js'
import { dropInternalTraffic, dropMeaningless, keepAllocated, normalizeClusterIPs } from './update.js'
import { validateService, validateServiceUpdate } from './validation.js'
import { serviceWarnings } from './warnings.js'

export const service = defineKind<Service>({
  group: '',
  kind: 'Service',
  resource: 'services',
  singular: 'service',
  shortNames: ['svc'],
  categories: ['all'],
  namespaced: true,
  storagePath: 'services/specs',
  versions: [{ name: 'v1', type: 'core.v1.Service' }],
  validateName: nameIsLabel,
  allowCreateOnUpdate: true,
  returnsDeletedObject: true,
  selectableFields: { 'spec.clusterIP': o => o.spec.clusterIP ?? '', 'spec.type': o => o.spec.type ?? '' },
  columns: builtinColumns('services', {
    Name: o => o.metadata.name,
    Type: o => o.spec.type,
    'Cluster-IP': o => o.spec.clusterIPs?.[0] || '<none>',
    'External-IP': externalIP,
    'Port(s)': o =>
      (o.spec.ports ?? [])
        .map(p => (p.nodePort ? `${p.port}:${p.nodePort}/${p.protocol}` : `${p.port}/${p.protocol}`))
        .join(',') || '<none>',
    Age: age,
    Selector: o =>
      Object.entries(o.spec.selector ?? {})
        .map(pair => pair.join('='))
        .sort()
        .join(',') || '<none>'
  }),
  default: defaultService,
  prepareForCreate(o, context) {
    o.status = { loadBalancer: {} }
    normalizeClusterIPs(o.spec, undefined)
    dropInternalTraffic(o.spec)
    allocate(o, undefined, context)
  },
  prepareForUpdate(o, old, context) {
    normalizeClusterIPs(o.spec, old.spec)
    keepAllocated(o.spec, old.spec)
    dropMeaningless(o, old)
    dropInternalTraffic(o.spec)
    allocate(o, old, context)
  },
  release: (o, _old, context) => release(o, context),
  accompany: claims,
  validate: validateService,
  validateUpdate: validateServiceUpdate,
  warnings: serviceWarnings,
  status: {
    validateUpdate({ spec, status }, _old, errors) {
      const path = Path.of('status', 'loadBalancer', 'ingress')
      const ingress = status.loadBalancer.ingress ?? []
      if (ingress.length > 0 && spec.type !== 'LoadBalancer')
        return errors.forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'")
      ingress.forEach((address, i) => void validateIngress(address, path.index(i), errors))
    },
    warnings({ status }) {
      const path = Path.of('status', 'loadBalancer', 'ingress')
      return (status.loadBalancer.ingress ?? []).flatMap(({ ip }, i) => (ip ? ipWarnings(ip, path.index(i)) : []))
    }
  },
  subresources: {
    proxy: {
      kind: { group: '', version: 'v1', kind: 'ServiceProxyOptions' },
      type: 'core.v1.Service',
      verbs: ['create', 'delete', 'get', 'patch', 'update'],
      async connect({ resource, namespace, name: id, context: { services } }) {
        const { name, port } = parseProxyName(id, 'service')
        const found = resource.get(namespace, name)
        if (/^\d+$/.test(port)) {
          if (!found) throw notFound({ group: '', resource: 'services' }, name)
          if (!(resource.parse(found) as Service).spec.ports?.some(p => p.port === Number(port)))
            throw unavailable(`no service port ${Number(port)} found for service ${JSON.stringify(name)}`)
        }
        const endpoints = services.registry.resource('', 'endpoints').get(namespace, name)
        // what is missing is called as what was asked for
        if (!endpoints) throw notFound({ group: '', resource: 'services' }, name)
        throw unavailable(`no endpoints available for service ${JSON.stringify(name)}`)
      }
    }
  }
})

function externalIP({ spec, status }: Service): string {
  const external = spec.externalIPs ?? []
  if (spec.type === 'ExternalName') return spec.externalName ?? ''
  if (spec.type !== 'LoadBalancer') return external.join(',') || '<none>'
  const all = [...(status.loadBalancer.ingress ?? []).map(i => i.ip || i.hostname || ''), ...external].filter(Boolean)
  return all.join(',') || '<pending>'
}

const ipModes = ['Proxy', 'VIP']

function validateIngress({ ip, ipMode, hostname }: LoadBalancerIngress, path: Path, errors: FieldErrors): void {
  if (ip) validateIP(ip, path.child('ip'), errors)
  const mode = path.child('ipMode')
  if (ipMode === undefined) {
    if (ip) errors.required(mode, 'must be specified when `ip` is set')
  } else if (!ip) errors.forbidden(mode, 'may not be specified when `ip` is not set')
  else if (!ipModes.includes(ipMode)) errors.notSupported(mode, ipMode, ipModes)
  if (!hostname) return
  for (const e of isDns1123Subdomain(hostname)) errors.invalid(path.child('hostname'), hostname, e)
  if (isIP(hostname)) errors.invalid(path.child('hostname'), hostname, 'must be a DNS name, not an IP address')
}
