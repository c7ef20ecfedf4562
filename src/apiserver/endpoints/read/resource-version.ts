/** The resourceVersion parameter (https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions). */
import { badRequest, plainError, type StatusError, timeout } from '../../../apimachinery/status/status.js'
import type { Clock } from '../../../util/clock.js'
import { goQuote } from '../../../util/go-format.js'
import type { EndpointRequest } from '../endpoint.js'

/** A version too large for a double cannot exist; the bigint keeps its digits for the error message. */
export type Version = number | bigint

const largest = 2n ** 64n - 1n

/** Reads a version as Go reads a uint64. Returns kube-apiserver's message for an invalid one. */
export function readVersion(text: string): Version | string {
  const problem = !/^\d{1,1000}$/.test(text) ? 'invalid syntax' : BigInt(text) > largest ? 'value out of range' : undefined
  if (problem) return `resourceVersion: Invalid value: ${goQuote(text)}: strconv.ParseUint: parsing ${goQuote(text)}: ${problem}`
  const version = Number(text)
  return Number.isSafeInteger(version) ? version : BigInt(text)
}

/** Milliseconds that a request waits for a version that does not exist yet, and between two checks. */
const waitMs = 3000
const lookMs = 50

/** The resource, the clock, and the context whose abort ends the wait early. */
export type Waiting = Pick<EndpointRequest, 'resource'> & {
  readonly server: { readonly services: { readonly clock: Clock } }
  readonly context: { throwIfAborted(): void }
}

/** Waits until the cache is at least at `version`. Throws 504 after the time is over, and at once for an uncached resource. */
export async function waitForVersion({ resource, server, context }: Waiting, version: Version): Promise<void> {
  const { clock } = server.services
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

/** Waits for the version that a GET names, which means "not older than". Throws for an invalid one. */
export async function waitForGet(waiting: Waiting, text: string): Promise<void> {
  const version = readVersion(text)
  if (typeof version === 'string')
    throw waiting.resource.kind.storage?.uncached ? badRequest(`invalid resource version: ${version}`) : plainError(version)
  await waitForVersion(waiting, version)
}
