/** Reads the labels of namespaces that apply Pod Security Standards (https://kubernetes.io/docs/concepts/security/pod-security-admission/). */
import { FieldErrors, Path } from '../../apimachinery/validation/field.js'

const levels = ['privileged', 'baseline', 'restricted'] as const

/** The levels, from lax to strict. */
export type Level = (typeof levels)[number]

/** A level as of a version of Kubernetes, which is a minor number or the latest. */
export interface Standard {
  readonly level: Level
  readonly minor: number | 'latest'
}

export interface Policy {
  /** Pods that violate it are refused. */
  readonly enforce: Standard
  readonly audit: Standard
  /** Pods and templates that violate it get a warning. */
  readonly warn: Standard
}

const privileged: Standard = { level: 'privileged', minor: 'latest' }
export const lax: Policy = { enforce: privileged, audit: privileged, warn: privileged }

export const isLax = ({ enforce, audit, warn }: Policy): boolean =>
  enforce.level === 'privileged' && audit.level === 'privileged' && warn.level === 'privileged'

/** Whether two policies have the same effect: the privileged level is the same in all versions. */
export const areEquivalent = (a: Policy, b: Policy): boolean =>
  (['enforce', 'audit', 'warn'] as const).every(
    mode => a[mode].level === b[mode].level && (a[mode].level === 'privileged' || a[mode].minor === b[mode].minor)
  )

/** "baseline:v1.30" */
export const standardText = ({ level, minor }: Standard): string => `${level}:${minor === 'latest' ? minor : `v1.${minor}`}`

export const isStricter = (a: Level, b: Level): boolean => levels.indexOf(a) > levels.indexOf(b)

type Labels = Readonly<Record<string, string>>

const prefix = 'pod-security.kubernetes.io/'
const labelsPath = Path.of('metadata', 'labels')
const versionText = /^v1\.(\d|[1-9]\d*)$/

export const levelRule = `must be one of ${levels.join(', ')}`
export const versionRule = 'must be "latest" or "v1.x"'

/** Undefined for a text that is no level. */
export const parseLevel = (text: string): Level | undefined => levels.find(level => level === text)

/** Undefined for a text that is no version. */
export function parseVersion(text: string): Standard['minor'] | undefined {
  if (text === 'latest') return text
  const minor = versionText.exec(text)?.[1]
  return minor === undefined ? undefined : Number(minor)
}

/**
 * Reads the policy from a namespace's labels; `defaults` has what they leave out. Adds invalid labels to `errors`. An invalid level
 * counts as restricted for `enforce`, and as privileged for `audit` and `warn`. Where `warn` has no label
 * and `enforce` has one, the level of `warn` is at least that one.
 */
export function policyOf(labels: Labels | undefined, errors = new FieldErrors(), defaults = lax): Policy {
  if (!labels) return defaults
  const enforce = standardOf(labels, 'enforce', 'restricted', errors, defaults.enforce)
  const audit = standardOf(labels, 'audit', 'privileged', errors, defaults.audit)
  let warn = standardOf(labels, 'warn', 'privileged', errors, defaults.warn)
  if (warn.given === undefined && enforce.given === enforce.level && isStricter(enforce.level, warn.level)) {
    const hasVersion = Object.hasOwn(labels, `${prefix}warn-version`)
    warn = { level: enforce.level, minor: hasVersion ? warn.minor : enforce.minor, given: undefined }
  }
  return { enforce, audit, warn }
}

/** The modes for which a namespace has labels. */
export const labelledModes = (labels: Labels = {}): (keyof Policy)[] =>
  (['enforce', 'audit', 'warn'] as const).filter(
    mode => Object.hasOwn(labels, prefix + mode) || Object.hasOwn(labels, `${prefix + mode}-version`)
  )

function standardOf(
  labels: Labels,
  mode: string,
  fallback: Level,
  errors: FieldErrors,
  standard: Standard
): Standard & { given: string | undefined } {
  const invalid = (key: string, value: string, why: string) => errors.invalid(labelsPath.key(key), value, why)
  const levelKey = prefix + mode
  const versionKey = `${levelKey}-version`
  const given = Object.hasOwn(labels, levelKey) ? labels[levelKey]! : undefined
  let { level, minor } = standard
  if (given !== undefined) {
    level = parseLevel(given) ?? fallback
    if (level !== given) invalid(levelKey, given, levelRule)
  }
  if (Object.hasOwn(labels, versionKey)) {
    const version = parseVersion(labels[versionKey]!)
    if (version === undefined) invalid(versionKey, labels[versionKey]!, versionRule)
    minor = version ?? 'latest'
  }
  return { level, minor, given }
}
