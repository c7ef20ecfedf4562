/** Names of what is made of a template: an equal template gives an equal name. */
import { isDeepStrictEqual } from 'node:util'
import type { PodTemplateSpec } from '../../apimachinery/api/generated/core-v1.js'
import { sortedJson } from '../../util/sorted-json.js'

export const hashLabel = 'pod-template-hash'

/** The characters of hashes in names: no vowels, so that they cannot form words. */
const safe = 'bcdfghjklmnpqrstvwxz2456789'

/** FNV-1a in 32 bits. kube-controller-manager hashes what Go's printer makes of a template, so that its hashes are others. */
export function hashOf(value: unknown, collisionCount?: number | undefined): string {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(`${sortedJson(value)}${collisionCount ?? ''}`)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return safeEncoded(hash)
}

/** A hash as it stands in names. */
export const safeEncoded = (hash: number): string =>
  [...String(hash)].map(digit => safe[digit.charCodeAt(0) % safe.length]).join('')

function withoutHash({ metadata, spec }: PodTemplateSpec): unknown {
  const { [hashLabel]: _, ...labels } = metadata?.labels ?? {}
  return { metadata: { ...metadata, labels }, spec }
}

/** Whether two templates make the same Pods. */
export const makeSamePods = (a: PodTemplateSpec, b: PodTemplateSpec): boolean => isDeepStrictEqual(withoutHash(a), withoutHash(b))
