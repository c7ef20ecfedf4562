import type { Endpoint, EndpointPort, EndpointSlice } from '../../apimachinery/api/generated/discovery-v1.js'
import { Path } from '../../apimachinery/validation/field.js'
import { ipWarnings } from '../../apimachinery/validation/ip.js'
import { isDns1123Subdomain } from '../../apimachinery/validation/names.js'
import { asNewThenOwnChanges } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { equalJson } from '../../util/json.js'
import { builtinColumns } from '../columns.js'
import { validateImmutable } from '../immutable.js'
import { validateEndpoints, validatePorts } from './endpoint-validation.js'

const addressTypes = ['FQDN', 'IPv4', 'IPv6']
/** The number of ports and addresses that are shown before "+ n more...". */
const shown = 3

export const endpointSlice = defineKind<EndpointSlice>({
  group: 'discovery.k8s.io',
  kind: 'EndpointSlice',
  resource: 'endpointslices',
  namespaced: true,
  versions: [{ name: 'v1', type: 'discovery.v1.EndpointSlice' }],
  table: {
    columns: builtinColumns<EndpointSlice>('discovery.k8s.io/endpointslices', {
      AddressType: o => o.addressType,
      Ports: o => list((o.ports ?? []).map(portName)),
      Endpoints: o => list((o.endpoints ?? []).flatMap((endpoint: Endpoint) => endpoint.addresses ?? []))
    })
  },
  generation: {
    // prepareForUpdate counts, because dropped fields count as changes, too
    of: () => undefined
  },
  gatedFields: [{ gates: 'PreferSameTrafficDistribution', fields: ['endpoints.*.hints.forNodes'] }],
  strategy: {
    default(o) {
      for (const port of o.ports ?? []) {
        port.name ??= ''
        port.protocol ??= 'TCP'
      }
    },
    prepareForCreate: o => dropTopology(o),
    prepareForUpdate(o, old) {
      if (!equalJson(counted(o), counted(old))) o.metadata.generation = (old.metadata.generation ?? 0) + 1
      dropTopology(o, old)
    },
    updateChecks: asNewThenOwnChanges,
    validate(o, errors) {
      if (o.addressType === '') errors.required('addressType')
      else if (!addressTypes.includes(o.addressType)) errors.notSupported('addressType', o.addressType, addressTypes)
      validatePorts(o.ports ?? [], Path.of('ports'), errors)
    },
    validateCreate: (o, errors) => validateEndpoints(o, Path.of('endpoints'), errors),
    validateUpdate(o, old, errors) {
      // a value that was accepted before may stay
      if (!equalJson(o.endpoints, old.endpoints)) validateEndpoints(o, Path.of('endpoints'), errors)
      validateImmutable('addressType', o.addressType, old.addressType, errors)
    },
    warnings: (o, old) => [
      ...(o.addressType === 'FQDN' && !old ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
      ...(ownManagers.includes(o.metadata.labels?.[managedBy] ?? '') ? [] : addressWarnings(o))
    ]
  }
})

const managedBy = 'endpointslice.kubernetes.io/managed-by'
const ownManagers = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io']

function addressWarnings({ endpoints }: EndpointSlice): string[] {
  return (endpoints ?? []).flatMap(({ addresses }, i) =>
    (addresses ?? []).flatMap((address, j) => ipWarnings(address, Path.of('endpoints').index(i).child('addresses').index(j)))
  )
}

const counted = ({ addressType, endpoints, ports, metadata: { labels } }: EndpointSlice) => [
  addressType,
  endpoints ?? [],
  ports ?? [],
  labels ?? {}
]

const hostname = 'kubernetes.io/hostname'

/**
 * Drops the topology, a field of v1beta1 that clients cannot set any more. The node that it named becomes the endpoint's node.
 */
function dropTopology(o: EndpointSlice, old?: EndpointSlice): void {
  if (old && equalJson(o.endpoints, old.endpoints)) return
  const known = new Set(old?.endpoints?.map(e => e.deprecatedTopology?.[hostname]))
  for (const endpoint of o.endpoints ?? []) {
    const node = endpoint.deprecatedTopology?.[hostname]
    if (endpoint.nodeName === undefined && node !== undefined && known.has(node) && isDns1123Subdomain(node).length === 0)
      endpoint.nodeName = node
    delete endpoint.deprecatedTopology
  }
}

const portName = ({ port, name }: EndpointPort) => (port === undefined ? (name ?? '*') : String(port))

function list(items: readonly string[]): string {
  const more = items.length - shown
  const text = items.slice(0, shown).join(',')
  return more > 0 ? `${text} + ${more} more...` : text || '<unset>'
}
