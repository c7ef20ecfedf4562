import type { EndpointAddress, EndpointSubset, Endpoints } from '../../apimachinery/api/generated/core-v1.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { ipWarnings, isIP, validateEndpointIP, validateIP } from '../../apimachinery/validation/ip.js'
import { isDns1123Label, isDns1123Subdomain, isPortNumber, isQualifiedName } from '../../apimachinery/validation/names.js'
import { changesThenAsNew } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'

const shown = 3

export const endpoints = defineKind<Endpoints>({
  group: '',
  kind: 'Endpoints',
  resource: 'endpoints',
  singular: 'endpoints',
  shortNames: ['ep'],
  namespaced: true,
  versions: [
    {
      name: 'v1',
      type: 'core.v1.Endpoints',
      deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'
    }
  ],
  storage: { path: 'services/endpoints' },
  table: {
    columns: builtinColumns<Endpoints>('endpoints', {
      Endpoints: summary
    })
  },
  strategy: {
    allowCreateOnUpdate: true,
    default({ subsets }) {
      for (const subset of subsets ?? []) for (const port of subset.ports ?? []) port.protocol ??= 'TCP'
    },
    updateChecks: changesThenAsNew,
    validate({ subsets }, errors) {
      subsets?.forEach((subset, i) => void validateSubset(subset, Path.of('subsets').index(i), errors))
    },
    warnings: ({ subsets = [] }) =>
      subsets.flatMap((subset, i) =>
        (['addresses', 'notReadyAddresses'] as const).flatMap(field =>
          (subset[field] ?? []).flatMap(({ ip }, j) =>
            ipWarnings(ip, Path.of('subsets').index(i).child(field).index(j).child('ip'))
          )
        )
      )
  }
})

function validateSubset(subset: EndpointSubset, path: Path, errors: FieldErrors): void {
  const { addresses = [], notReadyAddresses = [], ports = [] } = subset
  if (addresses.length + notReadyAddresses.length === 0) errors.required(path, 'must specify `addresses` or `notReadyAddresses`')
  addresses.forEach((address, i) => void validateAddress(address, path.child('addresses').index(i), errors))
  notReadyAddresses.forEach((address, i) => void validateAddress(address, path.child('notReadyAddresses').index(i), errors))
  ports.forEach((port, i) => {
    const at = path.child('ports').index(i)
    if (!port.name) {
      if (ports.length > 1) errors.required(at.child('name'))
    } else for (const e of isDns1123Label(port.name)) errors.invalid(at.child('name'), port.name, e)
    for (const e of isPortNumber(port.port)) errors.invalid(at.child('port'), port.port, e)
    if (!port.protocol) errors.required(at.child('protocol'))
    else if (!['SCTP', 'TCP', 'UDP'].includes(port.protocol))
      errors.notSupported(at.child('protocol'), port.protocol, ['SCTP', 'TCP', 'UDP'])
    if (port.appProtocol !== undefined)
      for (const e of isQualifiedName(port.appProtocol)) errors.invalid(at.child('appProtocol'), port.appProtocol, e)
  })
}

function validateAddress(address: EndpointAddress, path: Path, errors: FieldErrors): void {
  validateIP(address.ip, path.child('ip'), errors)
  if (address.hostname)
    for (const e of isDns1123Label(address.hostname)) errors.invalid(path.child('hostname'), address.hostname, e)
  if (address.nodeName !== undefined)
    for (const e of isDns1123Subdomain(address.nodeName)) errors.invalid(path.child('nodeName'), address.nodeName, e)
  if (isIP(address.ip)) validateEndpointIP(address.ip, path.child('ip'), errors)
  else errors.invalid(path.child('ip'), address.ip, 'must be a valid IP address')
}

function summary({ subsets }: Endpoints): string {
  const all = (subsets ?? []).flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0
      ? addresses.map(a => a.ip)
      : ports.flatMap(port => addresses.map(a => (a.ip.includes(':') ? `[${a.ip}]:${port.port}` : `${a.ip}:${port.port}`)))
  )
  if (all.length === 0) return '<none>'
  return all.length > shown ? `${all.slice(0, shown).join(',')} + ${all.length - shown} more...` : all.join(',')
}
