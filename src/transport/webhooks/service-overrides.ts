/**
 * Reads the addresses that the user gives for Services: `default/hooks=127.0.0.1:9443`, or `default/hooks:443=…` for a single
 * port.
 */
import { UserError } from '../../util/user-error.js'

export interface Address {
  readonly host: string
  readonly port: number
}

/** Finds an address of a Service. Throws with a message for the operator when there is none. */
export type ResolveService = (namespace: string, name: string, port: number) => Address

const serviceForm = /^[a-z0-9-]+\/[a-z0-9-]+(?::\d{1,5})?$/
const addressForm = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/

export function isServiceOverride(service: string, address: string): boolean {
  return serviceForm.test(service) && parseAddress(address) !== undefined
}

function parseAddress(text: string): Address | undefined {
  const found = addressForm.exec(text)
  const port = Number(found?.[3])
  return found && port <= 65535 ? { host: (found[1] ?? found[2])!, port } : undefined
}

/** Throws a UserError that names the invalid entry. */
export function serviceOverrides(given: Readonly<Record<string, string>>): ReadonlyMap<string, Address> {
  return new Map(
    Object.entries(given).map(([service, address]) => {
      if (!isServiceOverride(service, address))
        throw new UserError(`resolveService: ${service} → ${address} must look like namespace/name → 127.0.0.1:9443`)
      return [service, parseAddress(address)!]
    })
  )
}
