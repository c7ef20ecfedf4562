/** What claims ask for, in the form in which devices are searched. */
import type {
  CapacityRequirements,
  DeviceClass,
  DeviceSelector,
  DeviceToleration,
  ExactDeviceRequest,
  ResourceClaim
} from '../../../apimachinery/api/generated/resource-v1.js'
import { deviceEnvironment } from '../../../apimachinery/cel/device-environment.js'
import { DeviceValue } from '../../../apimachinery/cel/device-value.js'
import { compile, type Program } from '../../../apimachinery/cel/program.js'
import { CelError } from '../../../apimachinery/cel/values/value.js'
import type { OfferedDevice } from './pools.js'

/** One way to satisfy a request: the only one, or one of those of `firstAvailable`. */
export interface Alternative {
  /** `request` or `request/subrequest`. */
  readonly name: string
  readonly class: DeviceClass
  readonly count: number | 'All'
  readonly adminAccess: boolean
  readonly tolerations: readonly DeviceToleration[]
  /** How much of a device's capacity it takes. */
  readonly capacity: CapacityRequirements | undefined
  /** Throws where an expression fails. */
  selects(device: OfferedDevice): boolean
}

export interface Wanted {
  /** The place of the claim among those that are to be allocated. */
  readonly claim: number
  readonly request: string
  /** The one that is liked best first. */
  readonly alternatives: readonly Alternative[]
}

type Classes = (name: string) => DeviceClass | undefined

/** Why a class is missing that a request names; undefined when all are there. */
export function missingClass({ spec }: ResourceClaim, classes: Classes): string | undefined {
  for (const { name, exactly, firstAvailable } of spec.devices.requests ?? [])
    for (const one of exactly ? [{ ...exactly, name: '' }] : (firstAvailable ?? []))
      if (!classes(one.deviceClassName)) {
        const request = one.name === '' ? name : `${name}/${one.name}`
        return `request ${request}: device class ${one.deviceClassName} does not exist`
      }
  return undefined
}

export function wantedBy(claims: readonly ResourceClaim[], classes: Classes): Wanted[] {
  return claims.flatMap((claim, i) =>
    (claim.spec.devices.requests ?? []).map(({ name: request, exactly, firstAvailable }): Wanted => {
      const alternative = (given: ExactDeviceRequest, name: string): Alternative => {
        const found = classes(given.deviceClassName)!
        const where = `${claim.metadata.namespace}/${claim.metadata.name}`
        const selectors = [
          ...selectorsOf(found.spec.selectors, `class ${found.metadata.name}`),
          ...selectorsOf(given.selectors, `claim ${where}`)
        ]
        return {
          name,
          class: found,
          count: given.allocationMode === 'All' ? 'All' : (given.count ?? 1),
          adminAccess: given.adminAccess ?? false,
          tolerations: given.tolerations ?? [],
          capacity: given.capacity,
          selects: remembered(device => selectors.every(selects => selects(device)))
        }
      }
      const alternatives = exactly
        ? [alternative(exactly, request)]
        : (firstAvailable ?? []).map(one => alternative(one, `${request}/${one.name}`))
      return { claim: i, request, alternatives }
    })
  )
}

function remembered(selects: (device: OfferedDevice) => boolean): (device: OfferedDevice) => boolean {
  const known = new Map<string, boolean>()
  return device => {
    let result = known.get(device.id)
    if (result === undefined) known.set(device.id, (result = selects(device)))
    return result
  }
}

const selectorsOf = (selectors: readonly DeviceSelector[] | undefined, owner: string) =>
  (selectors ?? []).map(({ cel }, i) => {
    const program = programOf(cel?.expression ?? '')
    return ({ driver, device, id }: OfferedDevice): boolean => {
      const failed = (how: string) => new Error(`${owner}: selector #${i} on device ${id}: CEL ${how}`)
      if (typeof program === 'string') throw failed(`compile error: ${program}`)
      const value = new DeviceValue(driver, device)
      const { value: result } = program.evaluate(name => (name === 'device' ? value : undefined))
      if (result instanceof CelError) throw failed(`runtime error: ${withAdvice(result.message)}`)
      if (typeof result !== 'boolean') throw failed('runtime error: expression did not return bool')
      return result
    }
  })

const withAdvice = (problem: string): string =>
  problem.includes('no such key:')
    ? `${problem}. consider using CEL optional chaining (.? followed by orValue()) or guarding the check with has() for optional fields`
    : problem

const mostPrograms = 1000
/** Compiled expressions, or what is wrong with them. */
const programs = new Map<string, Program | string>()

function programOf(expression: string): Program | string {
  let found = programs.get(expression)
  if (found === undefined) {
    const { program, issues } = compile(expression, deviceEnvironment)
    found = program ?? issues!
    if (programs.size >= mostPrograms) programs.clear()
    programs.set(expression, found)
  }
  return found
}
