/** Allocates addresses and node ports of Services, before validation as in kube-apiserver: a taken address hides other errors. */

import type { Service, ServicePort } from '../../../apimachinery/api/generated/core-v1.js'
import { internalError, plainError } from '../../../apimachinery/status/status.js'
import { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { invalidObject } from '../../../apimachinery/validation/invalid.js'
import { ipFamily } from '../../../apimachinery/validation/ip.js'
import { AllocationError, type IPFamily, RangeFullError } from '../../../registry/network/service-network.js'
import type { StrategyContext } from '../../../registry/strategy-context.js'
import { goQuote } from '../../../util/go-format.js'
import { equalJson } from '../../../util/json.js'
import { validateParent } from '../../networking/ip-address.js'
import { isHeadless, mayHaveNodePorts, needsClusterIP, needsHealthCheckPort, needsNodePorts } from './defaults.js'
import { validateClusterIPs } from './validation.js'

const path = Path.of('spec')
const isDual = (policy: string | undefined) => policy === 'RequireDualStack' || policy === 'PreferDualStack'

export function allocate(service: Service, old: Service | undefined, context: StrategyContext): void {
  chooseFamilies(service, old, context)
  takeAddresses(service, old, context)
  takePorts(service, old, context)
}

/** The key under which a Service reserves addresses and ports; dry runs reserve nothing. */
const owner = ({ metadata }: Service, { dryRun }: StrategyContext) =>
  dryRun ? undefined : `${metadata.namespace}/${metadata.name}`

export function release(service: Service, context: StrategyContext): void {
  const key = owner(service, context)
  if (key !== undefined) context.services.network.release(service, key)
}

function throwIfAny(service: Service, errors: FieldErrors): void {
  if (errors.any) throw invalidService(service, errors)
}

const invalidService = ({ metadata }: Service, errors: FieldErrors) =>
  invalidObject({ group: '', kind: 'Service' }, metadata.name ?? '', errors)

function chooseFamilies(service: Service, old: Service | undefined, { services }: StrategyContext): void {
  const { spec } = service
  if (spec.type === 'ExternalName') return
  const configured = services.network.families
  const errors = new FieldErrors(services.features)
  const alone = isHeadless(spec) && Object.keys(spec.selector ?? {}).length === 0
  spec.ipFamilyPolicy ??= old?.spec.ipFamilyPolicy ?? (alone ? 'RequireDualStack' : 'SingleStack')
  validateClusterIPs(service, old, errors)
  throwIfAny(service, errors)
  if (old) stepDown(service, old, errors)
  if (spec.ipFamilyPolicy === 'SingleStack') {
    const multiple = (what: string) =>
      errors.invalid(
        path.child('ipFamilyPolicy'),
        spec.ipFamilyPolicy,
        `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`
      )
    if (spec.clusterIPs?.length === 2) multiple('cluster IPs')
    if (spec.ipFamilies?.length === 2) multiple('IP families')
  }
  const families: string[] = [...(spec.ipFamilies ?? [])]
  for (const [i, ip] of (spec.clusterIPs ?? []).entries()) {
    if (ip === 'None' || i < families.length) continue
    const family = ipFamily(ip)
    if (configured.includes(family)) families.push(family)
    else errors.invalid(path.child('clusterIPs').index(i), spec.clusterIPs, `${family} is not configured on this cluster`)
  }
  throwIfAny(service, errors)
  const set = () => {
    spec.ipFamilies = families
  }
  if (alone) {
    // only the user knows its endpoints, which may be of both families even when the cluster is single-stack
    if (families.length === 0) families.push(configured[0]!)
    if (families.length === 1 && isDual(spec.ipFamilyPolicy)) families.push(otherFamily(families[0]!))
    return set()
  }
  if (spec.ipFamilyPolicy === 'RequireDualStack' && configured.length < 2) {
    errors.invalid(path.child('ipFamilyPolicy'), spec.ipFamilyPolicy, 'this cluster is not configured for dual-stack services')
  }
  families.forEach((family, i) => {
    if (!configured.includes(family as IPFamily))
      errors.invalid(path.child('ipFamilies').index(i), family, 'not configured on this cluster')
  })
  throwIfAny(service, errors)
  if (families.length === 0) families.push(configured[0]!)
  if (isDual(spec.ipFamilyPolicy) && families.length === 1 && configured.length === 2) families.push(otherFamily(families[0]!))
  set()
}

const otherFamily = (family: string) => (family === 'IPv4' ? 'IPv6' : 'IPv4')

/** Validates a change from two families to one: the policy must change, and that alone suffices. */
function stepDown({ spec }: Service, { spec: old }: Service, errors: FieldErrors): void {
  const same = (field: 'clusterIPs' | 'ipFamilies') => equalJson(spec[field] ?? [], old[field] ?? [])
  if (spec.ipFamilyPolicy === 'SingleStack') {
    if (same('clusterIPs') && spec.clusterIPs && spec.clusterIPs.length > 1) spec.clusterIPs = spec.clusterIPs.slice(0, 1)
    if (same('ipFamilies') && spec.ipFamilies && spec.ipFamilies.length > 1) spec.ipFamilies = spec.ipFamilies.slice(0, 1)
    return
  }
  for (const [field, what] of [
    ['clusterIPs', 'cluster IP'],
    ['ipFamilies', 'IP family']
  ] as const) {
    if (spec[field]?.length === 1 && old[field]?.length === 2)
      errors.invalid(path.child('ipFamilyPolicy'), spec.ipFamilyPolicy, `must be 'SingleStack' to release the secondary ${what}`)
  }
}

function takeAddresses(service: Service, old: Service | undefined, context: StrategyContext): void {
  const { spec } = service
  if (!needsClusterIP(spec) || isHeadless(spec)) return
  const { network } = context.services
  const before = old && needsClusterIP(old.spec) ? old.spec : undefined
  if (before && isHeadless(before)) return
  const had = new Set(before?.clusterIPs)
  const asked = spec.clusterIPs ?? []
  const ips = [...asked]
  const took: string[] = []
  const key = owner(service, context)
  const errors = new FieldErrors()
  // an address that another request for this Service holds stays taken
  const giveBack = () => {
    if (key !== undefined) network.release({ ...service, spec: { clusterIPs: took } }, key)
  }
  spec.ipFamilies?.forEach((family, i) => {
    const wanted = ips[i] ?? ''
    // validation refuses another address in the place of one
    if (wanted !== '' && (had.has(wanted) || i < had.size)) return
    try {
      if (wanted !== '') network.takeAddress(wanted, family as IPFamily, key)
      else ips[i] = network.takeAnyAddress(family as IPFamily, key)
      took.push(ips[i]!)
      // kube-apiserver makes an IPAddress that names the Service, before it looks at the name itself
      const why = key === undefined ? undefined : whyNoAddressObject(service, ips[i]!)
      if (why) throw new AllocationError(`failed to allocate IP${wanted && ` ${wanted}`}: ${why}`)
    } catch (error) {
      if (error instanceof RangeFullError) {
        giveBack()
        throw internalError(`failed to allocate a serviceIP for Service ${goQuote(service.metadata.name!)}: ${error.message}`)
      }
      if (!(error instanceof AllocationError)) throw error
      errors.invalid(path.child('clusterIPs'), asked.length === 0 ? [''] : asked, error.message)
    }
  })
  if (errors.any) giveBack()
  throwIfAny(service, errors)
  spec.clusterIPs = ips
  spec.clusterIP = ips[0]
}

/** Returns why an IPAddress could not name the Service as the one that has the address. */
function whyNoAddressObject({ metadata }: Service, address: string): string | undefined {
  const errors = new FieldErrors()
  validateParent({ resource: 'services', name: metadata.name }, errors)
  return errors.any ? invalidObject({ group: 'networking.k8s.io', kind: 'IPAddress' }, address, errors).message : undefined
}

/** The node port from which kube-apiserver counts in dry runs. */
const firstDryPort = 32768

/** Takes ports for one request. */
class PortTaking {
  /** The ports that this request has taken. */
  readonly mine = new Set<number>()
  #highest = 0
  readonly #network: StrategyContext['services']['network']
  readonly #owner: string | undefined

  constructor(service: Service, context: StrategyContext) {
    this.#network = context.services.network
    this.#owner = owner(service, context)
  }

  take(port: number): void {
    if (this.mine.has(port)) throw new AllocationError('provided port is already allocated')
    this.#network.takePort(port, this.#owner)
    this.#add(port)
  }

  /** Takes any free port. A dry run takes none, and shows one behind the range. */
  takeAny(): number {
    const dry = this.#owner === undefined
    const port = dry ? (this.#highest || firstDryPort) + 1 : this.#network.takeAnyPort(this.#owner)
    this.#add(port)
    return port
  }

  #add(port: number): void {
    this.mine.add(port)
    this.#highest = Math.max(this.#highest, port)
  }
}

function takePorts(service: Service, old: Service | undefined, context: StrategyContext): void {
  const ports = new PortTaking(service, context)
  try {
    if (mayHaveNodePorts(service.spec)) {
      if (old) takeChangedNodePorts(service, old, ports)
      else takeNewNodePorts(service, ports)
    }
    takeHealthCheckPort(service, old, ports)
  } catch (error) {
    release(service, context)
    throw error
  }
}

/** Takes a node port for the `i`th port: the wanted one, or any. Throws the answer to the request when that is impossible. */
function takeNodePort(service: Service, i: number, wanted: number | undefined, ports: PortTaking): number {
  try {
    if (!wanted) return ports.takeAny()
    ports.take(wanted)
    return wanted
  } catch (error) {
    if (!(error instanceof AllocationError)) throw error
    if (!wanted) throw internalError(`failed to allocate a nodePort: ${error.message}`)
    const errors = new FieldErrors()
    errors.invalid(path.child('ports').index(i).child('nodePort'), wanted, error.message)
    throw invalidService(service, errors)
  }
}

/** Takes the node ports of a new Service, requested ones and others. Several protocols of one port share a node port. */
function takeNewNodePorts(service: Service, ports: PortTaking): void {
  const { spec } = service
  const shared = new Map<number, number>()
  const requested = requestedPorts(spec.ports ?? [])
  spec.ports?.forEach((port, i) => {
    if (!port.nodePort && !needsNodePorts(spec)) return
    const known = shared.get(port.port)
    if (known === undefined) {
      const taken = takeNodePort(service, i, requested.get(port.port), ports)
      port.nodePort = taken
      shared.set(port.port, taken)
    } else if (!port.nodePort) port.nodePort = known
    else if (port.nodePort !== known) takeNodePort(service, i, port.nodePort, ports)
  })
}

function takeChangedNodePorts(service: Service, { spec: before }: Service, ports: PortTaking): void {
  const { spec } = service
  const had = new Set((mayHaveNodePorts(before) ? before.ports : undefined)?.map(p => p.nodePort))
  const used = new Set<string>()
  spec.ports?.forEach((port, i) => {
    if (!port.nodePort && !needsNodePorts(spec)) return
    const { nodePort: wanted } = port
    if (!wanted || !(had.has(wanted) || ports.mine.has(wanted))) port.nodePort = takeNodePort(service, i, wanted, ports)
    const both = `${port.protocol} ${port.nodePort}`
    if (used.has(both)) throw plainError(`duplicate nodePort: {${both}}`)
    used.add(both)
  })
}

function takeHealthCheckPort({ spec }: Service, old: Service | undefined, ports: PortTaking): void {
  if (!needsHealthCheckPort(spec) || (old && needsHealthCheckPort(old.spec))) return
  const wanted = spec.healthCheckNodePort
  try {
    if (wanted) ports.take(wanted)
    else spec.healthCheckNodePort = ports.takeAny()
  } catch (error) {
    if (!(error instanceof AllocationError)) throw error
    throw internalError(`failed to allocate ${wanted ? 'requested' : 'a'} HealthCheck NodePort ${wanted ?? 0}: ${error.message}`)
  }
}

/** Returns the requested node ports by port; of several for one port, the first one counts. */
const requestedPorts = (ports: readonly ServicePort[]) =>
  new Map(ports.toReversed().flatMap(({ port, nodePort }): [number, number][] => (nodePort ? [[port, nodePort]] : [])))
