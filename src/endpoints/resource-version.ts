/** The resourceVersion parameter (https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions). */
import type { Resource } from '../registry/resource.js'
import { plainError, type StatusError, timeout } from '../server/status.js'
import { goQuote } from '../util/go-format.js'

export const isVersion = (text: string): boolean => /^\d{1,19}$/.test(text)

/** What kube-apiserver says of a version that is no number. */
export const invalidVersion = (text: string): string =>
  `resourceVersion: Invalid value: ${goQuote(text)}: strconv.ParseUint: parsing ${goQuote(text)}: invalid syntax`

/** How long a request waits for a version that does not exist yet. */
const waitMs = 3000

/** Waits until the resource's data is at least as new as `revision`; 504 when it does not become so. */
async function waitFor(resource: Resource, revision: number): Promise<void> {
  const deadline = Date.now() + waitMs
  while (resource.cache.revision < revision && Date.now() < deadline) await new Promise(resolve => setTimeout(resolve, 50))
  if (resource.cache.revision < revision) throw tooLargeVersion(revision, resource.cache.revision)
}

export function tooLargeVersion(revision: number, current: number): StatusError {
  const message = `Too large resource version: ${revision}, current: ${current}`
  return timeout(
    `Timeout: ${message}`,
    { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }] },
    1
  )
}

export const parseResourceVersion = {
  waitFor,
  /** GET takes any version that exists by now as "not older than". */
  async forGet(text: string, resource: Resource): Promise<void> {
    if (!isVersion(text)) throw plainError(invalidVersion(text))
    await waitFor(resource, Number(text))
  }
}
