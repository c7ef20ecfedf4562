/** The configuration of the plugin ImagePolicyWebhook, which has neither kind nor version. */
import { ConfigError } from '../../apimachinery/config/read-config.js'
import { bool, int64, string, struct } from '../../apimachinery/config/types.js'
import { formatDuration } from '../../util/go-duration.js'
import { readUnversioned } from './plugin-configuration.js'

export interface ImagePolicySettings {
  /** The kubeconfig of the webhook. */
  readonly kubeConfigFile: string
  /** Milliseconds for which an answer that allows is remembered. */
  readonly allowTTL: number
  readonly denyTTL: number
  /** Milliseconds before the first retry. */
  readonly retryBackoff: number
  /** Whether Pods are allowed when the webhook cannot be asked. */
  readonly defaultAllow: boolean
}

const time = { ...int64, go: 'time.Duration' }
const type = struct('imagepolicy.AdmissionConfig', {
  imagePolicy: struct('imagepolicy.imagePolicyWebhookConfig', {
    kubeConfigFile: string,
    allowTTL: time,
    denyTTL: time,
    retryBackoff: time,
    defaultAllow: bool
  })
})

const [second, minute] = [1000, 60_000]

/** Throws a ConfigError. */
export function readImagePolicy(text: string | undefined): ImagePolicySettings {
  if (text === undefined) throw new ConfigError('no config specified')
  // Go's decoder reads the first document, which is missing here
  if (text.trim() === '') throw new ConfigError('EOF')
  const { kubeConfigFile = '', allowTTL, denyTTL, retryBackoff, defaultAllow = false } = readUnversioned(text, type).imagePolicy
  return {
    kubeConfigFile,
    retryBackoff: inRange(retryBackoff, { unit: 1, min: 1e-6, max: 5 * minute, standard: 500 }),
    allowTTL: inRange(allowTTL, { unit: second, min: second, max: 30 * minute, standard: 5 * minute }),
    denyTTL: inRange(denyTTL, { unit: second, min: second, max: 30 * minute, standard: 30 * second }),
    defaultAllow
  }
}

interface Range {
  /** How many milliseconds the unit of the file has. */
  readonly unit: number
  readonly min: number
  readonly max: number
  readonly standard: number
}

/** Checks a time, for which the file says -1 where 0 is meant. */
function inRange(given: number | bigint = 0, { unit, min, max, standard }: Range): number {
  const value = Number(given)
  if (value === -1) return 0
  if (value === 0) return standard
  const milliseconds = value * unit
  if (milliseconds >= min && milliseconds <= max) return milliseconds
  throw new ConfigError(
    `valid value is between ${formatDuration(min)} and ${formatDuration(max)}, got ${formatDuration(milliseconds)}`
  )
}
