/** The resourceVersion parameter (https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions). */
import { badRequest, plainError, type StatusError, timeout } from '../../status/status.js'
import type { Clock } from '../../util/clock.js'
import { goQuote } from '../../util/go-format.js'
import type { EndpointRequest } from '../endpoint.js'

/** One that a double cannot hold is none that there is; it is kept for what is said of it. */
export type Version = number | bigint

const largest = 2n ** 64n - 1n

/** Reads a version as Go reads a uint64. Of what is none, kube-apiserver's words. */
export function readVersion(text: string): Version | string {
  const problem = !/^\d{1,1000}$/.test(text) ? 'invalid syntax' : BigInt(text) > largest ? 'value out of range' : undefined
  if (problem) return `resourceVersion: Invalid value: ${goQuote(text)}: strconv.ParseUint: parsing ${goQuote(text)}: ${problem}`
  const version = Number(text)
  return Number.isSafeInteger(version) ? version : BigInt(text)
}

/** Milliseconds that a request waits for a version that does not exist yet, and between two looks for it. */
const waitMs = 3000
const lookMs = 50

/** Where the time comes from, and what ends the wait early. */
export type Waiting = Pick<EndpointRequest, 'resource'> & {
  readonly services: { readonly clock: Clock }
  readonly context: { throwIfAborted(): void }
}

/** Waits until the resource's data is at least as new as `version`. Throws 504 when it does not become so. Storage does not wait. */
export async function waitForVersion({ resource, services: { clock }, context }: Waiting, version: Version): Promise<void> {
  if (resource.kind.storage?.uncached && resource.cache.revision < version)
    throw tooLargeVersion(version, resource.cache.revision, false)
  const deadline = clock.now() + waitMs
  while (resource.cache.revision < version && clock.now() < deadline) {
    await new Promise<void>(resolve => void clock.setTimeout(resolve, lookMs))
    context.throwIfAborted()
  }
  if (resource.cache.revision < version) throw tooLargeVersion(version, resource.cache.revision)
}

export function tooLargeVersion(version: Version, current: number, worthRetrying = true): StatusError {
  const message = `Too large resource version: ${version}, current: ${current}`
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }]
  return timeout(`Timeout: ${message}`, { causes }, worthRetrying ? 1 : undefined)
}

/** GET takes any version that exists by now as "not older than". */
export async function waitForGet(waiting: Waiting, text: string): Promise<void> {
  const version = readVersion(text)
  if (typeof version === 'string')
    throw waiting.resource.kind.storage?.uncached ? badRequest(`invalid resource version: ${version}`) : plainError(version)
  await waitForVersion(waiting, version)
}
