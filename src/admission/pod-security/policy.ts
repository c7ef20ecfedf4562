/** Reads the labels of namespaces that apply Pod Security Standards (https://kubernetes.io/docs/concepts/security/pod-security-admission/). */
import { FieldErrors, Path } from '../../validation/field.js'

const levels = ['privileged', 'baseline', 'restricted'] as const

/** From lax to strict. */
export type Level = (typeof levels)[number]

/** A level as of a version of Kubernetes: its minor number, or the latest. */
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
const lax: Policy = { enforce: privileged, audit: privileged, warn: privileged }

export const isLax = ({ enforce, audit, warn }: Policy): boolean =>
  enforce.level === 'privileged' && audit.level === 'privileged' && warn.level === 'privileged'

/** "baseline:v1.30" */
export const standardText = ({ level, minor }: Standard): string => `${level}:${minor === 'latest' ? minor : `v1.${minor}`}`

export const isStricter = (a: Level, b: Level): boolean => levels.indexOf(a) > levels.indexOf(b)

type Labels = Readonly<Record<string, string>>

const prefix = 'pod-security.kubernetes.io/'
const labelsPath = Path.of('metadata', 'labels')
const versionText = /^v1\.(\d|[1-9]\d*)$/

/**
 * Reads the policy from a namespace's labels. Adds invalid labels to `errors`; an invalid level counts as restricted for
 * enforcement, and as privileged for audit and warnings. Without a label of its own, the warn level is at least the enforced one.
 */
export function policyOf(labels: Labels | undefined, errors = new FieldErrors()): Policy {
  if (!labels) return lax
  const enforce = standardOf(labels, 'enforce', 'restricted', errors)
  const audit = standardOf(labels, 'audit', 'privileged', errors)
  let warn = standardOf(labels, 'warn', 'privileged', errors)
  if (warn.given === undefined && enforce.given === enforce.level && isStricter(enforce.level, warn.level)) {
    const hasVersion = Object.hasOwn(labels, `${prefix}warn-version`)
    warn = { level: enforce.level, minor: hasVersion ? warn.minor : enforce.minor, given: undefined }
  }
  return { enforce, audit, warn }
}

function standardOf(
  labels: Labels,
  mode: string,
  fallback: Level,
  errors: FieldErrors
): Standard & { given: string | undefined } {
  const invalid = (key: string, value: string, why: string) => errors.invalid(labelsPath.key(key), value, why)
  const levelKey = prefix + mode
  const versionKey = `${levelKey}-version`
  const given = Object.hasOwn(labels, levelKey) ? labels[levelKey]! : undefined
  let level: Level = 'privileged'
  if (given !== undefined) {
    level = levels.find(l => l === given) ?? fallback
    if (level !== given) invalid(levelKey, given, `must be one of ${levels.join(', ')}`)
  }
  const version = Object.hasOwn(labels, versionKey) ? labels[versionKey]! : 'latest'
  const minor = versionText.exec(version)?.[1]
  if (minor === undefined && version !== 'latest') invalid(versionKey, version, 'must be "latest" or "v1.x"')
  return { level, minor: minor === undefined ? 'latest' : Number(minor), given }
}
