import type { LoadBalancerIngress, Service } from '../../../apimachinery/api/generated/core-v1.js'
import { age } from '../../../apimachinery/formats/table.js'
import { type FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { ipWarnings, isIP, validateIP } from '../../../apimachinery/validation/ip.js'
import { isDns1123Subdomain, nameIsDns1035Label, nameIsLabel } from '../../../apimachinery/validation/names.js'
import { changesFirst } from '../../../registry/checks.js'
import { defineKind } from '../../../registry/kind.js'
import { serviceClaims } from '../../../registry/network/claims.js'
import { builtinColumns } from '../../columns.js'
import { allocate, release } from './allocation.js'
import { defaultService } from './defaults.js'
import { dropInternalTraffic, dropMeaningless, keepAllocated, normalizeClusterIPs, withInternalTraffic } from './update.js'
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
  validateName: (name, prefix, _, gates) =>
    (gates.enabled('RelaxedServiceNameValidation') ? nameIsLabel : nameIsDns1035Label)(name, prefix),
  versions: [{ name: 'v1', type: 'core.v1.Service' }],
  storage: { path: 'services/specs' },
  fieldSelectors: { fields: { 'spec.clusterIP': o => o.spec.clusterIP ?? '', 'spec.type': o => o.spec.type ?? '' } },
  table: {
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
    })
  },
  strategy: {
    allowCreateOnUpdate: true,
    default: defaultService,
    withUnseen: withInternalTraffic,
    prepareForCreate(o, context) {
      o.status = { loadBalancer: {} }
      // what is created through its status gets no addresses
      if (context.subresource !== '') return dropInternalTraffic(o.spec)
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
    updateChecks: changesFirst,
    validate: validateService,
    validateUpdate: validateServiceUpdate,
    warnings: serviceWarnings,
    companionWrites: serviceClaims,
    release: (o, _old, context) => release(o, context)
  },
  deletion: { returnsObject: true },
  subresources: {
    status: {
      creates: 'apply and put',
      prepareForUpdate: ({ spec }) => dropInternalTraffic(spec),
      validateUpdate({ spec, status }, old, errors) {
        const path = Path.of('status', 'loadBalancer', 'ingress')
        const ingress = status.loadBalancer.ingress ?? []
        if (ingress.length > 0 && spec.type !== 'LoadBalancer')
          return errors.forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'")
        const known = new Set((old.status.loadBalancer.ingress ?? []).flatMap(({ ip }) => ip || []))
        ingress.forEach((address, i) => void validateIngress(address, known, path.index(i), errors))
      },
      warnings({ status }) {
        const path = Path.of('status', 'loadBalancer', 'ingress')
        return (status.loadBalancer.ingress ?? []).flatMap(({ ip }, i) => (ip ? ipWarnings(ip, path.index(i)) : []))
      }
    },
    others: {
      proxy: {
        kind: { group: '', version: 'v1', kind: 'ServiceProxyOptions' },
        type: 'core.v1.Service',
        verbs: ['create', 'delete', 'get', 'patch', 'update'],
        connects: true
      }
    }
  }
})

function externalIP({ spec, status }: Service): string {
  const external = spec.externalIPs ?? []
  if (!spec.type) return '<unknown>'
  if (spec.type === 'ExternalName') return spec.externalName ?? ''
  if (spec.type !== 'LoadBalancer') return external.join(',') || '<none>'
  const all = [...(status.loadBalancer.ingress ?? []).map(i => i.ip || i.hostname || ''), ...external].filter(Boolean)
  return all.join(',') || '<pending>'
}

const ipModes = ['Proxy', 'VIP']

/** `known` are the addresses that the old object has. */
function validateIngress(
  { ip, ipMode, hostname }: LoadBalancerIngress,
  known: ReadonlySet<string>,
  path: Path,
  errors: FieldErrors
): void {
  if (ip) validateIP(ip, path.child('ip'), errors, known)
  const mode = path.child('ipMode')
  if (ipMode === undefined) {
    if (ip) errors.required(mode, 'must be specified when `ip` is set')
  } else if (!ip) errors.forbidden(mode, 'may not be specified when `ip` is not set')
  else if (!ipModes.includes(ipMode)) errors.notSupported(mode, ipMode, ipModes)
  if (!hostname) return
  for (const e of isDns1123Subdomain(hostname)) errors.invalid(path.child('hostname'), hostname, e)
  if (isIP(hostname)) errors.invalid(path.child('hostname'), hostname, 'must be a DNS name, not an IP address')
}
