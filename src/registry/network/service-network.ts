/**
 * Allocates the addresses and node ports of Services. The watch caches of Services, IPAddresses and the allocation of node ports
 * show which are taken. This class only remembers the choices of requests in flight besides. When another server makes the same
 * choice, the store refuses the commit of one of them (claims.ts).
 */
import type { Service } from '../../api/generated/core-v1.js'
import { ipAddressBytes } from '../../certificates/ip-address.js'
import { Metrics } from '../../instruments/metrics.js'
import type { CachedObject, ObjectCodec } from '../../storage/cached-object.js'
import type { Store, WatchHandle } from '../../storage/contract.js'
import { follow } from '../../storage/follow.js'
import { WatchCache } from '../../storage/watch-cache.js'
import { UserError } from '../../util/user-error.js'
import { canonicalIP } from '../../validation/ip.js'
import type { CompanionWrite } from '../write/companion-write.js'
import { AllocationMetrics, type NetworkUse } from './allocation-metrics.js'
import { isAllocated, newAllocation, reallocated } from './port-allocation.js'

export type IPFamily = 'IPv4' | 'IPv6'

/** The reason why an address or port cannot be allocated, in kube-apiserver's words. */
export class AllocationError extends Error {}

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
  readonly #ranges: readonly AddressRange[]
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
  #following: WatchHandle | undefined

  constructor(options: ServiceNetworkOptions = {}, metrics = new Metrics()) {
    this.#metrics = new AllocationMetrics(metrics, () => this.#use())
    const given = (options.clusterIPRange ?? '10.0.0.0/24').split(',').map(cidr => cidr.trim())
    this.#ranges = given.map(cidr => new AddressRange(cidr))
    this.clusterIPRanges = this.#ranges.map(range => range.cidr)
    this.#ports = parsePortRange(options.nodePortRange ?? '30000-32767')
    this.#nextPort = this.#ports.from + staticBand(this.#ports.to - this.#ports.from + 1, 32, 128)
  }

  /** Follows the Services, the IPAddress objects and the allocation of node ports, as far as they are served. `isShared`: others allocate, too. */
  async start(resources: Caches, store: Store, now: () => number, isShared = store.shared): Promise<void> {
    const find = (group: string, plural: string) =>
      resources.has(group, plural) ? resources.resource(group, plural).cache : undefined
    const services = find('', 'services')
    if (!services) return
    this.#addresses = find('networking.k8s.io', 'ipaddresses')
    this.#shared = isShared
    this.#claims = new WatchCache(store, `${store.root}/ranges/`, claimCodec, now)
    await this.#claims.load()
    this.#following = follow(services, {
      changed: ({ current, previous }) => {
        if (previous) this.#count(previous, -1)
        if (current) this.#count(current, 1)
      }
    })
  }

  /** Counts what the Services in the watch cache have. */
  #use(): NetworkUse {
    const items = [...this.#shown.keys()]
    const { from, to } = this.#ports
    return {
      ranges: this.#ranges.map(range => ({
        cidr: range.cidr,
        allocated: items.filter(item => !isPort(item) && range.contains(item)).length,
        size: range.usable
      })),
      ports: { allocated: items.filter(isPort).length, size: to - from + 1 }
    }
  }

  /** The key with which older versions of this server took a node port. */
  portKey(port: string): string {
    return `${this.#claims!.prefix}${nodePorts}/${port}`
  }

  isPortClaimed(port: string): boolean {
    return this.#claims?.get(`${nodePorts}/${port}`) !== undefined
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
    if (present) return { key, value: onto(present.bytes), expected: present.revision, onto }
    if (!this.#shared || gained.length === 0) return undefined
    const taken = [...this.#shown.keys()].filter(isPort).map(Number)
    for (const { name } of claims.range(`${nodePorts}/`)) taken.push(Number(name))
    const { from, to } = this.#ports
    return { key, value: newAllocation(`${from}-${to}`, [...taken, ...gained]), expected: 0, onto }
  }

  stop(): void {
    this.#following?.close()
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

  /** The configured families, the default one first. */
  get families(): IPFamily[] {
    return this.#ranges.map(r => r.family)
  }

  /** Takes one address. `owner` is the Service's key, undefined in a dry run, which takes nothing. */
  takeAddress(address: string, family: IPFamily, owner: string | undefined): void {
    const range = this.#range(family)
    // a dry run takes nothing
    if (owner === undefined) this.#takeAddress(address, range, owner)
    else this.#metrics.address(range.cidr, true, () => this.#takeAddress(address, range, owner))
  }

  #takeAddress(address: string, range: AddressRange, owner: string | undefined): void {
    const item = canonicalIP(address)
    if (!range.contains(item)) {
      const why =
        owner === undefined
          ? `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${range.cidr}`
          : 'the provided network does not match the current range'
      throw new AllocationError(`failed to allocate IP ${address}: ${why}`)
    }
    // a dry run does not check whether the address is free
    if (owner === undefined) return
    if (this.#isTaken(item)) throw new AllocationError(`failed to allocate IP ${address}: provided IP is already allocated`)
    this.#reserve(item, owner)
  }

  takeAnyAddress(family: IPFamily, owner: string | undefined): string {
    const range = this.#range(family)
    // a dry run takes nothing, and shows an address that no Service can have
    if (owner === undefined) return range.network
    const take = () => {
      const address = range.nextFree(candidate => !this.#isTaken(candidate))
      if (address === undefined) throw new AllocationError('failed to allocate a serviceIP: range is full')
      this.#reserve(address, owner)
      return address
    }
    return this.#metrics.address(range.cidr, false, take)
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

  #range(family: IPFamily): AddressRange {
    const range = this.#ranges.find(r => r.family === family)
    if (!range) throw new AllocationError(`${family} is not configured on this cluster`)
    return range
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
    if (this.isPortClaimed(port)) return true
    const allocation = this.#claims?.get(nodePorts)
    return allocation !== undefined && isAllocated(allocation.bytes, Number(port))
  }

  #reserve(item: string, owner: string | undefined): void {
    if (owner !== undefined) this.#reserved.set(item, owner)
  }
}

const isPort = (item: string): boolean => /^\d+$/.test(item)

/** Below /registry/ranges/: the key of the allocation of node ports, and the prefix of claims from older versions of Binnacle. */
const nodePorts = 'servicenodeports'

const claimCodec: ObjectCodec = {
  read: bytes => ({ bytes, object: { metadata: {} } }),
  splice: bytes => bytes,
  parse: () => ({ metadata: {} }),
  fields: () => undefined
}

/** Returns the addresses and node ports of a Service. */
export function taken({ spec }: Service): Set<string> {
  const items = new Set<string>()
  for (const ip of spec.clusterIPs ?? []) if (ip !== 'None' && ip !== '') items.add(canonicalIP(ip))
  for (const { nodePort } of spec.ports ?? []) if (nodePort) items.add(String(nodePort))
  if (spec.healthCheckNodePort) items.add(String(spec.healthCheckNodePort))
  return items
}

/** The size of the lower part of a range, which is kept for Services that request a certain value while the rest has room. */
function staticBand(size: number, divisor: number, most: number): number {
  return size < 32 ? 0 : Math.min(most, Math.max(16, Math.floor(size / divisor)))
}

class AddressRange {
  readonly family: IPFamily
  /** The network's own address: 10.0.0.0 of 10.0.0.7/24. */
  readonly network: string
  /** The range with the network's own address: 10.0.0.7/24 is 10.0.0.0/24. */
  readonly cidr: string
  readonly #bytes: number
  readonly #base: bigint
  readonly #size: bigint
  #next: bigint

  constructor(cidr: string) {
    const [address = '', prefix = ''] = cidr.split('/')
    const bytes = ipAddressBytes(address)
    const bits = bytes && /^\d{1,3}$/.test(prefix) ? bytes.length * 8 - Number(prefix) : -1
    if (!bytes || bits < 1)
      throw new UserError(
        `--service-cluster-ip-range ${cidr}: must be a CIDR with room for more than one address, such as 10.0.0.0/24`
      )
    this.family = bytes.length === 4 ? 'IPv4' : 'IPv6'
    this.#bytes = bytes.length
    this.#base = (BigInt(`0x${bytes.toString('hex')}`) >> BigInt(bits)) << BigInt(bits)
    this.#size = 1n << BigInt(bits)
    this.network = this.address(0n)
    this.cidr = `${this.network}/${Number(prefix)}`
    const usable = Number(this.#size < 4096n ? this.#size : 4096n)
    this.#next = BigInt(1 + staticBand(usable, 16, 256))
  }

  address(offset: bigint): string {
    return formatAddress(this.#base + offset, this.#bytes)
  }

  /** The last offset in use: the network address and, in IPv4, the broadcast address are never allocated. */
  get #last(): bigint {
    return this.family === 'IPv4' ? this.#size - 2n : this.#size - 1n
  }

  /** The number of addresses that may be allocated. */
  get usable(): number {
    return Number(this.#last)
  }

  contains(address: string): boolean {
    const bytes = ipAddressBytes(address)
    if (!bytes || bytes.length !== this.#bytes) return false
    const offset = BigInt(`0x${bytes.toString('hex')}`) - this.#base
    return offset >= 1n && offset <= this.#last
  }

  nextFree(isFree: (address: string) => boolean): string | undefined {
    for (let tries = 0n; tries < this.#last; tries++) {
      const candidate = this.address(this.#next)
      this.#next = this.#next >= this.#last ? 1n : this.#next + 1n
      if (isFree(candidate)) return candidate
    }
    return undefined
  }
}

function formatAddress(value: bigint, bytes: number): string {
  const hex = value.toString(16).padStart(bytes * 2, '0')
  if (bytes === 4)
    return hex
      .match(/../g)!
      .map(b => parseInt(b, 16))
      .join('.')
  // URL hosts are written in the canonical form of RFC 5952
  return new URL(`http://[${hex.match(/..../g)!.join(':')}]/`).hostname.slice(1, -1)
}

function parsePortRange(text: string): { from: number; to: number } {
  const match = /^(\d{1,5})-(\d{1,5})$/.exec(text)
  const from = Number(match?.[1])
  const to = Number(match?.[2])
  if (!match || from > to || to > 65535)
    throw new UserError(`--service-node-port-range ${text}: must be a range of ports, such as 30000-32767`)
  return { from, to }
}
