/** The configuration of the plugin EventRateLimit, eventratelimit.admission.k8s.io/v1alpha1. */
import type { ConfigKind } from '../../apimachinery/config/read-config.js'
import { int32, list, named, struct, typeMeta } from '../../apimachinery/config/types.js'
import { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { readPluginConfig, refuseInvalid } from './plugin-configuration.js'

const limitTypes = ['Server', 'Namespace', 'User', 'SourceAndObject'] as const

export type LimitType = (typeof limitTypes)[number]

export interface EventRateLimit {
  /** What has a limit of its own: the server, each namespace, each user, or each object of an Event. */
  readonly type: LimitType
  readonly qps: number
  readonly burst: number
  /** How many namespaces, users or objects are remembered; 4096. */
  readonly cacheSize: number
}

const kind: ConfigKind = {
  kind: 'Configuration',
  versions: {
    'eventratelimit.admission.k8s.io/v1alpha1': struct('v1alpha1.Configuration', {
      ...typeMeta,
      limits: list(struct('v1alpha1.Limit', { type: named('v1alpha1.LimitType'), qps: int32, burst: int32, cacheSize: int32 }))
    })
  }
}

/** Throws a ConfigError. */
export function readEventRateLimits(text: string | undefined): readonly EventRateLimit[] {
  const limits: Partial<EventRateLimit>[] =
    (text === undefined ? undefined : readPluginConfig(text, kind, true).object.limits) ?? []
  const errors = new FieldErrors()
  const path = Path.of('limits')
  if (limits.length === 0) errors.invalid(path, null, 'must not be empty')
  limits.forEach(({ type, qps = 0, burst = 0, cacheSize = 0 }, i) => {
    const at = path.index(i)
    if (!limitTypes.some(known => known === type)) errors.notSupported(at.child('type'), type ?? '', limitTypes)
    if (burst <= 0) errors.invalid(at.child('burst'), burst, 'must be positive')
    if (qps <= 0) errors.invalid(at.child('qps'), qps, 'must be positive')
    if (type !== 'Server' && cacheSize < 0) errors.invalid(at.child('cacheSize'), cacheSize, 'must not be negative')
  })
  refuseInvalid(errors)
  return limits.map(limit => ({ ...(limit as EventRateLimit), cacheSize: limit.cacheSize || 4096 }))
}
