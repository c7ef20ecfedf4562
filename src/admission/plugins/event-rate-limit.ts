import type { Event } from '../../apimachinery/api/generated/core-v1.js'
import { rateLimited } from '../../apimachinery/status/status.js'
import type { Clock } from '../../util/clock.js'
import { aggregateText } from '../../util/go-format.js'
import type { AdmissionAttributes, BuiltinPlugin } from '../admission.js'
import type { EventRateLimit, LimitType } from '../configuration/event-rate-limits.js'
import { TokenBuckets } from '../token-buckets.js'

const keys: Readonly<Record<LimitType, (attributes: AdmissionAttributes) => string>> = {
  Server: () => '',
  Namespace: ({ namespace }) => namespace,
  User: ({ context }) => context.user.name,
  SourceAndObject: ({ object }) => {
    const { source = {}, involvedObject: of = {} }: Partial<Event> = object
    const parts = [source.component, source.host, of.kind, of.namespace, of.name, of.uid, of.apiVersion]
    return parts.map(part => part ?? '').join('')
  }
}

/** Refuses Events of the core group that come faster than its configuration allows. */
export function eventRateLimit(limits: readonly EventRateLimit[], clock: Clock): BuiltinPlugin {
  const all = limits.map(limit => ({ type: limit.type, keyOf: keys[limit.type], buckets: new TokenBuckets(limit, clock) }))
  return {
    name: 'EventRateLimit',
    operations: ['CREATE', 'UPDATE'],
    resources: ['events'],
    subresources: '*',
    validate(attributes) {
      if (attributes.context.dryRun) return
      const reached: string[] = []
      // an event counts for every limit, even when one refuses it
      for (const { type, keyOf, buckets } of all) {
        const key = keyOf(attributes)
        if (!buckets.take(key)) reached.push(`limit reached on type ${type} for key ${key}`)
      }
      if (reached.length > 0) throw rateLimited(aggregateText(reached))
    }
  }
}
