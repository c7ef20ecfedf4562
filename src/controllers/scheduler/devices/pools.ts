/** The devices that drivers offer on a Node: https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/#resourceslice */
import type { NodeSelector } from '../../../apimachinery/api/generated/core-v1.js'
import type {
  Counter,
  Device,
  DeviceTaint,
  DeviceTaintRule,
  ResourceSlice
} from '../../../apimachinery/api/generated/resource-v1.js'
import { integerValue, parseQuantity } from '../../../util/quantity.js'
import { nodeMatcher, type Selectable } from '../node-selector.js'

export interface OfferedDevice {
  /** `driver/pool/device`. */
  readonly id: string
  readonly driver: string
  readonly pool: string
  readonly device: Device
  /** With those of rules. */
  readonly taints: readonly DeviceTaint[]
  /** Where it can be used: on one Node, on those selected, or everywhere. */
  readonly nodeName: string | undefined
  readonly nodeSelector: NodeSelector | undefined
}

export interface Pool {
  readonly driver: string
  readonly name: string
  /** Some of its slices are not there yet: its devices cannot be allocated. */
  readonly isIncomplete: boolean
  /** The same device or set of counters is there twice, or a device needs a counter that is not: nothing of it can be allocated. */
  readonly isInvalid: boolean
  /** Those that can be used on the Node. */
  readonly devices: readonly OfferedDevice[]
  /** What its devices, also those of other Nodes, take from the counters that they share, by the device's name. */
  readonly consumption: ReadonlyMap<string, Amounts>
  readonly counters: Amounts
}

/** Amounts of counters, by `set/counter`. */
export type Amounts = ReadonlyMap<string, number>

interface Place {
  readonly nodeName?: string | undefined
  readonly nodeSelector?: NodeSelector | undefined
  readonly allNodes?: boolean | undefined
}

function isAt({ nodeName, nodeSelector, allNodes }: Place, node: Selectable): boolean {
  if (nodeName) return nodeName === node.name
  return allNodes === true || (nodeSelector !== undefined && nodeMatcher(nodeSelector)(node))
}

const amountsOf = (
  sets: readonly { readonly name: string; readonly counters?: Record<string, Counter> | undefined }[]
): Amounts =>
  new Map(
    sets.flatMap(({ name, counters }) =>
      Object.entries(counters ?? {}).map(
        ([counter, { value }]) => [`${name}/${counter}`, Number(integerValue(parseQuantity(value)))] as const
      )
    )
  )

/** The slices of a pool in its newest generation, in the order of their names; never none. */
export type PoolSlices = readonly ResourceSlice[]

/** Sorts slices by their pools, once for all Nodes. The pools are in the order of their names. */
export function slicesByPool(slices: readonly ResourceSlice[]): PoolSlices[] {
  const pools = new Map<string, ResourceSlice[]>()
  for (const slice of slices) {
    const name = `${slice.spec.driver}/${slice.spec.pool.name}`
    const found = pools.get(name)
    if (found) found.push(slice)
    else pools.set(name, [slice])
  }
  return [...pools.keys()].sort().map(name => {
    const all = pools.get(name)!
    const newest = all.reduce((most, { spec }) => Math.max(most, spec.pool.generation), 0)
    return all
      .filter(({ spec }) => spec.pool.generation === newest)
      .sort((a, b) => (a.metadata.name! < b.metadata.name! ? -1 : 1))
  })
}

/** Returns the pools that have devices for the Node. Those with devices that have to be made ready come last. */
export function poolsOn(node: Selectable, pools: readonly PoolSlices[], rules: readonly DeviceTaintRule[]): Pool[] {
  const found = pools.flatMap(slices => poolOf(slices, node, rules) ?? [])
  const isReady = ({ devices }: Pool) => devices.every(({ device }) => !device.bindingConditions)
  return [...found.filter(isReady), ...found.filter(pool => !isReady(pool))]
}

/** Whether names are there twice among what can be used on the Node, or counters are missing. */
function isInvalid(slices: PoolSlices, node: Selectable): boolean {
  const isHere = ({ spec }: ResourceSlice) =>
    spec.perDeviceNodeSelection ? (spec.devices ?? []).some(device => isAt(device, node)) : isAt(spec, node)
  const here = slices.filter(isHere).flatMap(({ spec }) => (spec.devices ?? []).map(({ name }) => name))
  const sets = slices.flatMap(({ spec }) => spec.sharedCounters ?? [])
  const byName = new Map(sets.map(({ name, counters }) => [name, counters ?? {}]))
  if (new Set(here).size < here.length || byName.size < sets.length) return true
  return slices.some(({ spec }) =>
    (spec.devices ?? []).some(({ consumesCounters = [] }) =>
      consumesCounters.some(({ counterSet, counters }) => {
        const given = byName.get(counterSet)
        return !given || Object.keys(counters ?? {}).some(name => !Object.hasOwn(given, name))
      })
    )
  )
}

function poolOf(slices: PoolSlices, node: Selectable, rules: readonly DeviceTaintRule[]): Pool | undefined {
  const { driver, pool } = slices[0]!.spec
  const devices = slices.flatMap(({ spec }) =>
    (spec.devices ?? []).flatMap((device): OfferedDevice[] => {
      const place: Place = spec.perDeviceNodeSelection ? device : spec
      if (!isAt(place, node)) return []
      const { nodeName, nodeSelector } = place
      const taints = [...(device.taints ?? []), ...taintsBy(rules, driver, pool.name, device.name)]
      return [{ id: `${driver}/${pool.name}/${device.name}`, driver, pool: pool.name, device, taints, nodeName, nodeSelector }]
    })
  )
  if (devices.length === 0) return undefined
  const isIncomplete = slices.length !== pool.resourceSliceCount
  const everyDevice = slices.flatMap(({ spec }) => spec.devices ?? [])
  return {
    driver,
    name: pool.name,
    isIncomplete,
    isInvalid: !isIncomplete && isInvalid(slices, node),
    devices,
    consumption: new Map(
      everyDevice.map(({ name, consumesCounters = [] }) => [
        name,
        amountsOf(consumesCounters.map(({ counterSet, counters }) => ({ name: counterSet, counters })))
      ])
    ),
    counters: amountsOf(slices.flatMap(({ spec }) => spec.sharedCounters ?? []))
  }
}

const taintsBy = (rules: readonly DeviceTaintRule[], driver: string, pool: string, device: string): DeviceTaint[] =>
  rules.flatMap(({ spec: { deviceSelector: of, taint } }) => {
    const fits = (wanted: string | undefined, found: string) => wanted === undefined || wanted === found
    return of && fits(of.driver, driver) && fits(of.pool, pool) && fits(of.device, device) ? [taint] : []
  })
