import type {
  IPBlock,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec
} from '../../apimachinery/api/generated/networking-v1.js'
import { formatLabelSelector } from '../../apimachinery/selectors/labels.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { cidrWarnings, containedIn, isCIDR, validateCIDR } from '../../apimachinery/validation/ip.js'
import { validateLabelSelector } from '../../apimachinery/validation/label-selector.js'
import { isPortName, isPortNumber } from '../../apimachinery/validation/names.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'

const path = Path.of('spec')
const protocols = ['TCP', 'UDP', 'SCTP']
const policyTypes = ['Ingress', 'Egress']

export const networkPolicy = defineKind<NetworkPolicy>({
  group: 'networking.k8s.io',
  kind: 'NetworkPolicy',
  resource: 'networkpolicies',
  shortNames: ['netpol'],
  namespaced: true,
  versions: [{ name: 'v1', type: 'networking.v1.NetworkPolicy' }],
  table: {
    columns: builtinColumns<NetworkPolicy>('networking.k8s.io/networkpolicies', {
      'Pod-Selector': o => formatLabelSelector(o.spec.podSelector)
    })
  },
  generation: { emptyIsChange: true },
  strategy: {
    default({ spec }) {
      const { ingress = [], egress = [] } = spec
      for (const { ports } of [...ingress, ...egress]) for (const port of ports ?? []) port.protocol ??= 'TCP'
      if (!spec.policyTypes?.length) spec.policyTypes = egress.length > 0 ? ['Ingress', 'Egress'] : ['Ingress']
    },
    validate({ spec }, errors, _, old) {
      const known = knownCIDRs(old?.spec)
      validateLabelSelector(spec.podSelector, path.child('podSelector'), errors)
      spec.ingress?.forEach(
        ({ ports, from }, i) => void validateRule(ports, from, 'from', known, path.child('ingress').index(i), errors)
      )
      spec.egress?.forEach(({ ports, to }, i) => void validateRule(ports, to, 'to', known, path.child('egress').index(i), errors))
      const types = spec.policyTypes ?? []
      const at = path.child('policyTypes')
      if (types.length > policyTypes.length) return errors.invalid(at, types, 'may not specify more than two policyTypes')
      types.forEach((type, i) => {
        if (!policyTypes.includes(type)) errors.notSupported(at.index(i), type, policyTypes)
      })
    },
    warnings: ({ spec }) => [
      ...(spec.ingress ?? []).flatMap(({ from }, i) => peerWarnings(from, path.child('ingress').index(i).child('from'))),
      ...(spec.egress ?? []).flatMap(({ to }, i) => peerWarnings(to, path.child('egress').index(i).child('to')))
    ]
  }
})

function peerWarnings(peers: readonly NetworkPolicyPeer[] | undefined, path: Path): string[] {
  return (peers ?? []).flatMap(({ ipBlock }, i) => {
    if (!ipBlock) return []
    const at = path.index(i).child('ipBlock')
    const { cidr, except = [] } = ipBlock
    return [...cidrWarnings(cidr, at.child('cidr')), ...except.flatMap((e, k) => cidrWarnings(e, at.child('except').index(k)))]
  })
}

function validateRule(
  ports: NetworkPolicyPort[] | undefined,
  peers: NetworkPolicyPeer[] | undefined,
  field: string,
  known: ReadonlySet<string>,
  path: Path,
  errors: FieldErrors
): void {
  ports?.forEach((port, i) => void validatePort(port, path.child('ports').index(i), errors))
  peers?.forEach((peer, i) => void validatePeer(peer, known, path.child(field).index(i), errors))
}

function validatePort({ protocol, port, endPort }: NetworkPolicyPort, path: Path, errors: FieldErrors): void {
  if (protocol !== undefined && !protocols.includes(protocol)) errors.notSupported(path.child('protocol'), protocol, protocols)
  const end = path.child('endPort')
  if (port === undefined) {
    if (endPort !== undefined) errors.invalid(end, endPort, 'may not be specified when `port` is not specified')
  } else if (typeof port === 'number') {
    for (const e of isPortNumber(port)) errors.invalid(path.child('port'), port, e)
    if (endPort === undefined) return
    if (endPort < port) errors.invalid(end, endPort, 'must be greater than or equal to `port`')
    for (const e of isPortNumber(endPort)) errors.invalid(end, endPort, e)
  } else {
    if (endPort !== undefined) errors.invalid(end, endPort, 'may not be specified when `port` is non-numeric')
    for (const e of isPortName(port)) errors.invalid(path.child('port'), port, e)
  }
}

function validatePeer(
  { podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer,
  known: ReadonlySet<string>,
  path: Path,
  errors: FieldErrors
): void {
  validateLabelSelector(podSelector, path.child('podSelector'), errors)
  validateLabelSelector(namespaceSelector, path.child('namespaceSelector'), errors)
  if (ipBlock) validateIPBlock(ipBlock, known, path.child('ipBlock'), errors)
  if (!podSelector && !namespaceSelector && !ipBlock) errors.required(path, 'must specify a peer')
  if (ipBlock && (podSelector || namespaceSelector)) errors.forbidden(path, 'may not specify both ipBlock and another peer')
}

/** Returns the CIDRs of the policy before an update, which stay valid wherever they are. */
function knownCIDRs({ ingress = [], egress = [] }: Partial<NetworkPolicySpec> = {}): ReadonlySet<string> {
  const peers = [...ingress.flatMap(({ from }) => from ?? []), ...egress.flatMap(({ to }) => to ?? [])]
  return new Set(peers.flatMap(({ ipBlock }) => (ipBlock ? [ipBlock.cidr, ...(ipBlock.except ?? [])] : [])))
}

function validateIPBlock({ cidr, except = [] }: IPBlock, known: ReadonlySet<string>, path: Path, errors: FieldErrors): void {
  if (cidr === '') {
    errors.required(path.child('cidr'))
    return
  }
  validateCIDR(cidr, path.child('cidr'), errors, known)
  if (!isCIDR(cidr)) return
  const isContained = containedIn(cidr)
  except.forEach((excluded, i) => {
    const at = path.child('except').index(i)
    validateCIDR(excluded, at, errors, known)
    if (isCIDR(excluded) && !isContained(excluded)) errors.invalid(at, excluded, 'must be a strict subset of `cidr`')
  })
}
