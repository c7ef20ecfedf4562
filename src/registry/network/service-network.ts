/**
 * Allocates the addresses and node ports of Services. Watch caches show which are taken: of Services, of IPAddresses and of the
 * allocation of node ports. This class remembers the choices of requests in flight. If another server makes the same choice, the store
 * refuses one of the two commits (claims.ts).
 */
import type { Service } from '../../apimachinery/api/generated/core-v1.js'
import { canonicalIP } from '../../apimachinery/validation/ip.js'
import type { CachedObject, ObjectCodec } from '../../storage/cached-object.js'
import type { Store, WatchHandle } from '../../storage/contract.js'
import { follow } from '../../storage/follow.js'
import { WatchCache } from '../../storage/watch-cache.js'
import { Metrics } from '../../util/instruments/metrics.js'
import { UserError } from '../../util/user-error.js'
import type { CompanionWrite } from '../write/companion-write.js'
import { AddressRange, staticBand } from './address-range.js'
import { addressesOf } from './addresses-of.js'
import { AllocationMetrics, type NetworkUse } from './allocation-metrics.js'
import { allocatedPorts, isAllocated, newAllocation, reallocated } from './port-allocation.js'
import { ServiceRanges } from './service-ranges.js'

export type IPFamily = 'IPv4' | 'IPv6'

/** The reason why an address or port cannot be allocated, in kube-apiserver's words. */
export class AllocationError extends Error {}

/** No address is left. For kube-apiserver, that is an error of the server. */
export class RangeFullError extends Error {}

export interface ServiceNetworkOptions {
  /** One CIDR, or two of different families, such as "10.0.0.0/24,fd00::/112". Services use the first family by default. */
  readonly clusterIPRange?: string | undefined
  /** "30000-32767" */
  readonly nodePortRange?: string | undefined
}

/** The watch caches of resources. */
interface Caches {
  has(group: string, resource: string): boolean
  resource(group: string, resource: string): { readonly cache: WatchCache }
}

export class ServiceNetwork {
  /** One CIDR for each family. The Service `kubernetes` has the first address of the first CIDR. */
  readonly clusterIPRanges: readonly string[]
  /** The configured address families, the default one first. */
  readonly families: readonly IPFamily[]
  readonly #ranges: ServiceRanges
  readonly #ports: { readonly from: number; readonly to: number }
  /** How many Services have an address ("10.0.0.1") or port ("30000"): more than one only after races in older versions. */
  readonly #shown = new Map<string, number>()
  /** The addresses and ports that requests in flight have chosen, with the Service's key. */
  readonly #reserved = new Map<string, string>()
  #nextPort: number
  #addresses: WatchCache | undefined
  #claims: WatchCache | undefined
  #shared = false
  readonly #metrics: AllocationMetrics
  readonly #following: WatchHandle[] = []

  constructor(options: ServiceNetworkOptions = {}, metrics = new Metrics()) {
    this.#metrics = new AllocationMetrics(metrics, () => this.#use())
    const given = (options.clusterIPRange ?? '10.0.0.0/24').split(',').map(cidr => cidr.trim())
    const configured = given.map(configuredRange)
    this.#ranges = new ServiceRanges(configured)
    this.clusterIPRanges = configured.map(({ cidr }) => cidr)
    this.families = configured.map(({ family }) => family)
    this.#ports = parsePortRange(options.nodePortRange ?? '30000-32767')
    this.#nextPort = this.#ports.from + staticBand(this.#ports.to - this.#ports.from + 1, 32, 128)
  }

  /** Follows the Services, ServiceCIDRs, the IPAddress objects and the allocation of node ports, as far as they are served. `isShared`: others allocate, too. */
  async start(resources: Caches, store: Store, now: () => number, isShared = store.shared): Promise<void> {
    const find = (group: string, plural: string) =>
      resources.has(group, plural) ? resources.resource(group, plural).cache : undefined
    const services = find('', 'services')
    if (!services) return
    this.#addresses = find('networking.k8s.io', 'ipaddresses')
    this.#shared = isShared
    this.#claims = new WatchCache(store, `${store.root}/ranges/`, claimCodec, now)
    await this.#claims.load()
    const serviceCidrs = find('networking.k8s.io', 'servicecidrs')
    if (serviceCidrs) this.#following.push(this.#ranges.follow(serviceCidrs))
    this.#following.push(
      follow(services, {
        changed: ({ current, previous }) => {
          if (previous) this.#count(previous, -1)
          if (current) this.#count(current, 1)
        }
      })
    )
  }

  /** Counts what the Services in the watch cache have. */
  #use(): NetworkUse {
    const items = [...this.#shown.keys()]
    const { from, to } = this.#ports
    return {
      ranges: [...this.#ranges.all].map(range => ({
        cidr: range.cidr,
        allocated: items.filter(item => !isPort(item) && range.contains(item)).length,
        size: range.usable
      })),
      ports: { allocated: items.filter(isPort).length, size: to - from + 1 }
    }
  }

  /** Returns the write that gives a node port up which an older version of this server took, with a key for each port. */
  givesUpPort(port: string): CompanionWrite | undefined {
    const claim = this.#claims?.get(`${nodePorts}/${port}`)
    return claim && { key: this.#claims!.prefix + claim.key, value: undefined, expected: claim.revision, givesUp: true }
  }

  /**
   * Returns the write that changes the allocation of node ports, which all servers on a store share. One write holds any number
   * of ports, because etcd accepts only 128 writes at a time. Returns undefined when no other server shares the store.
   */
  reallocation(gained: readonly number[], lost: readonly number[]): CompanionWrite | undefined {
    const claims = this.#claims
    if (!claims || gained.length + lost.length === 0) return undefined
    const key = claims.prefix + nodePorts
    const present = claims.get(nodePorts)
    const onto = (value: Buffer) => reallocated(value, gained, lost)
    const undo = (value: Buffer) => reallocated(value, lost, gained)
    const givesUp = gained.length === 0 ? { givesUp: true as const } : undefined
    if (present) return { key, value: onto(present.bytes), expected: present.revision, onto, undo, ...givesUp }
    if (!this.#shared || gained.length === 0) return undefined
    const taken = [...this.#shown.keys()].filter(isPort).map(Number)
    for (const { name } of claims.range(`${nodePorts}/`)) taken.push(Number(name))
    const { from, to } = this.#ports
    return { key, value: newAllocation(`${from}-${to}`, [...taken, ...gained]), expected: 0, onto, undo }
  }

  /** Whether a Service has the address or port, or a request in flight has chosen it for one. */
  isUsed(item: string): boolean {
    return this.#shown.has(item) || this.#reserved.has(item)
  }

  /** Whether an address is in one of the ranges of Services, ready or not. */
  isInRange(address: string): boolean {
    return [...this.#ranges.all].some(range => range.contains(address))
  }

  /** Returns the node ports that are allocated, and that nobody uses. */
  unusedPorts(): number[] {
    const allocation = this.#claims?.get(nodePorts)
    return allocation ? allocatedPorts(allocation.bytes).filter(port => !this.isUsed(String(port))) : []
  }

  /** Releases node ports that no Service has. Resolves with false when the allocation has changed meanwhile. */
  async releasePorts(ports: readonly number[], store: Store): Promise<boolean> {
    const write = this.reallocation([], ports)
    if (!write || !(await store.commit([write])).ok) return false
    this.#metrics.leaked(ports.length)
    return true
  }

  stop(): void {
    for (const handle of this.#following) handle.close()
    this.#claims?.close()
  }

  #count(object: CachedObject, by: 1 | -1): void {
    const service: Service = JSON.parse(object.bytes.toString())
    for (const item of taken(service)) {
      const count = (this.#shown.get(item) ?? 0) + by
      if (count > 0) this.#shown.set(item, count)
      else this.#shown.delete(item)
      if (by === 1) this.#reserved.delete(item)
    }
  }

  /** Takes one address. `owner` is the Service's key, undefined in a dry run, which takes nothing. */
  takeAddress(address: string, family: IPFamily, owner: string | undefined): void {
    const ranges = this.#ready(family)
    const item = canonicalIP(address)
    const fail = (why: string) => new AllocationError(`failed to allocate IP ${address}: ${why}`)
    const range = ranges.find(range => range.contains(item))
    if (owner === undefined) {
      // a dry run does not check whether the address is free
      if (range) return
      if (!ranges[0]) throw fail(notReady)
      throw fail(`the provided IP (${address}) is not in the valid range. The range of valid IPs is ${ranges[0].cidr}`)
    }
    if (!range) throw fail('the provided network does not match the current range')
    this.#metrics.address(range.cidr, true, () => {
      if (this.#isTaken(item)) throw fail('provided IP is already allocated')
      this.#reserve(item, owner)
    })
  }

  /** Throws a RangeFullError when no range has a free address. */
  takeAnyAddress(family: IPFamily, owner: string | undefined): string {
    const ranges = this.#ready(family)
    // a dry run takes nothing, and shows an address that no Service can have
    if (owner === undefined) {
      if (!ranges[0]) throw new AllocationError(`failed to allocate IP: ${notReady}`)
      return ranges[0].network
    }
    for (const range of ranges) {
      try {
        const address = this.#metrics.address(range.cidr, false, () => this.#takeFrom(range, owner))
        this.#ranges.prefer(range)
        return address
      } catch (error) {
        if (!(error instanceof RangeFullError)) throw error
      }
    }
    throw new RangeFullError('range is full')
  }

  #takeFrom(range: AddressRange, owner: string): string {
    const address = range.nextFree(candidate => !this.#isTaken(candidate))
    if (address === undefined) throw new RangeFullError('range is full')
    this.#reserve(address, owner)
    return address
  }

  takePort(port: number, owner: string | undefined): void {
    if (owner === undefined) this.#takePort(port, owner)
    else this.#metrics.port(true, () => this.#takePort(port, owner))
  }

  #takePort(port: number, owner: string | undefined): void {
    const { from, to } = this.#ports
    if (owner !== undefined && (port < from || port > to))
      throw new AllocationError(`provided port is not in the valid range. The range of valid ports is ${from}-${to}`)
    if (this.#isTaken(String(port))) throw new AllocationError('provided port is already allocated')
    this.#reserve(String(port), owner)
  }

  takeAnyPort(owner: string): number {
    return this.#metrics.port(false, () => this.#takeAnyPort(owner))
  }

  #takeAnyPort(owner: string): number {
    const { from, to } = this.#ports
    const size = to - from + 1
    for (let tries = 0; tries < size; tries++) {
      const port = this.#nextPort
      this.#nextPort = port === to ? from : port + 1
      if (this.#isTaken(String(port))) continue
      this.#reserve(String(port), owner)
      return port
    }
    throw new AllocationError('range is full')
  }

  /** Releases the choices of a failed request. Addresses and ports of stored Services stay taken. */
  release(service: Service, owner: string): void {
    for (const item of taken(service)) if (this.#reserved.get(item) === owner) this.#reserved.delete(item)
  }

  #ready(family: IPFamily): readonly AddressRange[] {
    if (!this.families.includes(family)) throw new AllocationError(`${family} is not configured on this cluster`)
    return this.#ranges.ready(family)
  }

  #isTaken(item: string): boolean {
    return (
      this.#shown.has(item) ||
      this.#reserved.has(item) ||
      this.#addresses?.get(item) !== undefined ||
      (isPort(item) && this.#isPortTaken(item))
    )
  }

  #isPortTaken(port: string): boolean {
    if (this.#claims?.get(`${nodePorts}/${port}`) !== undefined) return true
    const allocation = this.#claims?.get(nodePorts)
    return allocation !== undefined && isAllocated(allocation.bytes, Number(port))
  }

  #reserve(item: string, owner: string | undefined): void {
    if (owner !== undefined) this.#reserved.set(item, owner)
  }
}

/** kube-apiserver's message for a dry run when no ServiceCIDR is ready. */
const notReady = 'allocator not ready'

function configuredRange(cidr: string): AddressRange {
  const range = AddressRange.parse(cidr)
  if (range) return range
  throw new UserError(
    `--service-cluster-ip-range ${cidr}: must be a CIDR with room for more than one address, such as 10.0.0.0/24`
  )
}

const isPort = (item: string): boolean => /^\d+$/.test(item)

/** Below /registry/ranges/: the key of the allocation of node ports, and the prefix of claims from older versions of Binnacle. */
const nodePorts = 'servicenodeports'

const claimCodec: ObjectCodec = {
  read: bytes => ({ bytes, object: { metadata: {} } }),
  splice: bytes => bytes,
  parse: () => ({ metadata: {} }),
  fields: () => undefined,
  fieldsIn: () => undefined
}

/** Returns the addresses and node ports of a Service. */
export function taken(service: Service): Set<string> {
  const { spec } = service
  const items = new Set(addressesOf(service))
  for (const { nodePort } of spec.ports ?? []) if (nodePort) items.add(String(nodePort))
  if (spec.healthCheckNodePort) items.add(String(spec.healthCheckNodePort))
  return items
}

function parsePortRange(text: string): { from: number; to: number } {
  const match = /^(\d{1,5})-(\d{1,5})$/.exec(text)
  const from = Number(match?.[1])
  const to = Number(match?.[2])
  if (!match || from > to || to > 65535)
    throw new UserError(`--service-node-port-range ${text}: must be a range of ports, such as 30000-32767`)
  return { from, to }
}
