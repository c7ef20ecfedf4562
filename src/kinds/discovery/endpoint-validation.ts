import type { Endpoint, EndpointHints, EndpointPort, EndpointSlice } from '../../apimachinery/api/generated/discovery-v1.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { namedText } from '../../apimachinery/validation/go-value.js'
import { ipFamily, isCanonicalIP, validateEndpointIP, validateIP } from '../../apimachinery/validation/ip.js'
import { validateLabelKey } from '../../apimachinery/validation/label-selector.js'
import { isDns1123Label, isDns1123Subdomain, isLabelValue } from '../../apimachinery/validation/names.js'
import { validateLabels } from '../../apimachinery/validation/object-meta.js'

const protocols = ['SCTP', 'TCP', 'UDP']
const maxPorts = 20_000
const maxEndpoints = 1000
const maxAddresses = 100
const maxTopologyLabels = 16
const maxHints = 8

export function validatePorts(ports: readonly EndpointPort[], path: Path, errors: FieldErrors): void {
  if (ports.length > maxPorts) {
    errors.tooMany(path, ports.length, maxPorts)
    return
  }
  const names = new Set<string>()
  ports.forEach(({ name = '', protocol = '', appProtocol }, i) => {
    const at = path.index(i)
    if (name !== '') for (const e of isDns1123Label(name)) errors.invalid(at.child('name'), name, e)
    if (names.has(name)) errors.duplicate(at.child('name'), namedText(name))
    names.add(name)
    if (!protocols.includes(protocol)) errors.notSupported(at.child('protocol'), protocol, protocols)
    if (appProtocol !== undefined) validateLabelKey(appProtocol, at.child('appProtocol'), errors)
  })
}

export function validateEndpoints({ endpoints, addressType }: EndpointSlice, path: Path, errors: FieldErrors): void {
  if ((endpoints?.length ?? 0) > maxEndpoints) {
    errors.tooMany(path, endpoints!.length, maxEndpoints)
    return
  }
  endpoints?.forEach((endpoint, i) => void validateEndpoint(endpoint, addressType, path.index(i), errors))
}

function validateEndpoint(endpoint: Endpoint, addressType: string, path: Path, errors: FieldErrors): void {
  const addresses = endpoint.addresses ?? []
  const at = path.child('addresses')
  if (addresses.length === 0) errors.required(at, 'must contain at least 1 address')
  else if (addresses.length > maxAddresses) errors.tooMany(at, addresses.length, maxAddresses)
  for (const [i, address] of addresses.entries()) {
    if (addressType === 'FQDN') validateFullDomain(address, at.index(i), errors)
    else if (addressType === 'IPv4' || addressType === 'IPv6') validateAddress(address, addressType, at, i, errors)
  }
  const { nodeName, hostname, hints, deprecatedTopology: topology } = endpoint
  if (nodeName !== undefined) for (const e of isDns1123Subdomain(nodeName)) errors.invalid(path.child('nodeName'), nodeName, e)
  const labels = Object.keys(topology ?? {}).length
  if (labels > maxTopologyLabels) errors.tooMany(path.child('deprecatedTopology'), labels, maxTopologyLabels)
  validateLabels(topology, path.child('deprecatedTopology'), errors)
  if (hostname !== undefined) for (const e of isDns1123Label(hostname)) errors.invalid(path.child('hostname'), hostname, e)
  if (hints) validateHints(hints, path.child('hints'), errors)
}

/** Validates a domain that contains a dot; it may also end with one. */
function validateFullDomain(given: string, path: Path, errors: FieldErrors): void {
  const name = given.replace(/\.$/, '')
  const wrong = isDns1123Subdomain(name)
  const label = name.split('.').find(l => isDns1123Label(l).length > 0)
  if (given === '') errors.required(path)
  else if (wrong.length > 0) errors.invalid(path, name, wrong.join(','))
  else if (!name.includes('.')) errors.invalid(path, name, 'should be a domain with at least two segments separated by dots')
  else if (label !== undefined) errors.invalid(path, label, isDns1123Label(label).join(','))
}

function validateAddress(address: string, family: 'IPv4' | 'IPv6', path: Path, index: number, errors: FieldErrors): void {
  const at = path.index(index)
  const wrong = family === 'IPv6' ? isCanonicalIP(address) : []
  for (const e of wrong) errors.invalid(at, address, e)
  if (wrong.length > 0 || (family === 'IPv4' && !validateIP(address, at, errors))) return
  if (ipFamily(address) !== family) errors.invalid(path, address, `must be an ${family} address`)
  validateEndpointIP(address, at, errors)
}

function validateHints({ forZones = [], forNodes = [] }: EndpointHints, path: Path, errors: FieldErrors): void {
  for (const [field, hints] of Object.entries({ forZones, forNodes })) {
    const at = path.child(field)
    if (hints.length > maxHints) {
      errors.tooMany(at, hints.length, maxHints)
      return
    }
    const names = new Set<string>()
    hints.forEach(({ name }, i) => {
      if (names.has(name)) errors.duplicate(at.index(i).child('name'), name)
      names.add(name)
      for (const e of field === 'forNodes' ? isDns1123Subdomain(name) : isLabelValue(name))
        errors.invalid(at.index(i).child('name'), name, e)
    })
  }
}
