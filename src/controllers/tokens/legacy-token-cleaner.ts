/**
 * Deletes tokens in Secrets that were generated for service accounts and that nobody has used for a year: first it marks them as
 * invalid, and a year later it deletes them (KEP-2799).
 */
import type { Secret, ServiceAccount } from '../../apimachinery/api/generated/core-v1.js'
import { podReferences } from '../../apimachinery/api/pod-references.js'
import * as refs from '../../apimachinery/api/resources.js'
import type { Client } from '../../registry/client.js'
import type { Services } from '../../registry/services.js'
import {
  accountOf,
  invalidSinceLabel,
  lastUsedLabel,
  tokenTracking,
  tokenTrackingNamespace
} from '../../registry/tokens/legacy-tokens.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import { sweep } from '../sweep.js'

const dayMs = 24 * 60 * 60 * 1000
/** How long an unused token is kept: as kube-controller-manager's --legacy-service-account-token-clean-up-period. */
const unusedMs = 365 * dayMs

const dayOf = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10)
const isDay = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

/** Decides what happens to a Secret's token. `isMounted` says that a Pod uses it. */
export function fateOf(secret: Secret, account: ServiceAccount | undefined, isMounted: () => boolean, now: number) {
  const { creationTimestamp, deletionTimestamp, labels = {}, name } = secret.metadata
  const limit = now - unusedMs
  const isRecent = (day: string) => day >= dayOf(limit)
  const lastUsed = labels[lastUsedLabel]
  if (deletionTimestamp != null || creationTimestamp == null || Date.parse(creationTimestamp) >= limit) return 'keep'
  if (lastUsed !== undefined && (!isDay(lastUsed) || isRecent(lastUsed))) return 'keep'
  // a token that its account does not name was made by hand
  if (!account?.secrets?.some(reference => reference.name === name) || isMounted()) return 'keep'
  const invalidSince = labels[invalidSinceLabel]
  if (!isDay(invalidSince)) return 'invalidate'
  return isRecent(invalidSince) ? 'keep' : 'delete'
}

export function legacyTokenCleaner(services: Services, client: Client, log: Logger): Part {
  const { registry, clock } = services
  const secrets = registry.of(refs.secrets)

  /** `mounted`: the Secrets that Pods use, by namespace, as far as they are known. */
  async function clean(secret: Secret, mounted: Map<string, ReadonlySet<string>>): Promise<void> {
    const { namespace = '', name = '', uid, resourceVersion } = secret.metadata
    const owner = accountOf(secret)
    if (!owner) return
    const account = registry.of(refs.serviceAccounts).read(namespace, owner.name)
    const isOwner = owner.uid === undefined || owner.uid === account?.metadata.uid
    const now = clock.now()
    const isMounted = () => {
      const names = mounted.get(namespace) ?? secretsOfPods(namespace)
      mounted.set(namespace, names)
      return names.has(name)
    }
    const fate = fateOf(secret, isOwner ? account : undefined, isMounted, now)
    if (fate === 'invalidate')
      await client.update<Secret>(secrets, namespace, name, object => {
        if (object.metadata.uid === uid) object.metadata.labels = { ...object.metadata.labels, [invalidSinceLabel]: dayOf(now) }
      })
    // a use that is noted meanwhile keeps the Secret
    if (fate === 'delete') await client.delete(secrets, namespace, name, { preconditions: { resourceVersion } })
  }

  function secretsOfPods(namespace: string): ReadonlySet<string> {
    const pods = registry.of(refs.pods)
    return new Set([...pods.cache.range(`${namespace}/`)].flatMap(cached => podReferences(pods.parse(cached)).secrets))
  }

  return sweep(services, log, {
    name: 'legacy-service-account-token-cleaner',
    resource: secrets,
    interval: dayMs,
    begin() {
      const since = registry.of(refs.configMaps).read(tokenTrackingNamespace, tokenTracking)?.data?.since
      // uses are known from the day after the tracking began
      if (!isDay(since) || clock.now() < Date.parse(since) + dayMs + unusedMs) return undefined
      const mounted = new Map<string, ReadonlySet<string>>()
      return secret => clean(secret, mounted)
    }
  })
}
