/** The resourceVersion parameter (https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions). */
import type { Resource } from '../../registry/resource.js'
import { badRequest, plainError, type StatusError, timeout } from '../../status/status.js'
import { goQuote } from '../../util/go-format.js'

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

/** How long a request waits for a version that does not exist yet. */
const waitMs = 3000

/** Waits until the resource's data is at least as new as `version`; 504 when it does not become so. Storage does not wait. */
async function waitFor(resource: Resource, version: Version): Promise<void> {
  if (resource.kind.storage?.uncached && resource.cache.revision < version)
    throw tooLargeVersion(version, resource.cache.revision, false)
  const deadline = Date.now() + waitMs
  while (resource.cache.revision < version && Date.now() < deadline) await new Promise(resolve => setTimeout(resolve, 50))
  if (resource.cache.revision < version) throw tooLargeVersion(version, resource.cache.revision)
}

export function tooLargeVersion(version: Version, current: number, worthRetrying = true): StatusError {
  const message = `Too large resource version: ${version}, current: ${current}`
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }]
  return timeout(`Timeout: ${message}`, { causes }, worthRetrying ? 1 : undefined)
}

export const parseResourceVersion = {
  waitFor,
  /** GET takes any version that exists by now as "not older than". */
  async forGet(text: string, resource: Resource): Promise<void> {
    const version = readVersion(text)
    if (typeof version === 'string')
      throw resource.kind.storage?.uncached ? badRequest(`invalid resource version: ${version}`) : plainError(version)
    await waitFor(resource, version)
  }
}
