/** Semantic versions as github.com/blang/semver reads and compares them. */
import { goQuote } from './go-format.js'

export interface SemanticVersion {
  /** Major, minor and patch. */
  readonly numbers: readonly bigint[]
  readonly prerelease: readonly (bigint | string)[]
}

export const zeroVersion: SemanticVersion = { numbers: [0n, 0n, 0n], prerelease: [] }

/** Has the message of blang/semver. */
export class SemverError extends Error {}

/** Parses a version. Throws SemverError. */
export function parseVersion(text: string): SemanticVersion {
  if (text === '') throw new SemverError('Version string empty')
  const match = /^([^.]*)\.([^.]*)\.([\s\S]*)$/.exec(text)
  if (!match) throw new SemverError('No Major.Minor.Patch elements found')
  const [, major, minor, rest] = match as unknown as [string, string, string, string]
  const majorNumber = number('Major', major)
  const minorNumber = number('Minor', minor)
  const plus = rest.indexOf('+')
  const build = plus < 0 ? [] : rest.slice(plus + 1).split('.')
  const version = plus < 0 ? rest : rest.slice(0, plus)
  const dash = version.indexOf('-')
  const patch = number('Patch', dash < 0 ? version : version.slice(0, dash))
  const prerelease =
    dash < 0
      ? []
      : version
          .slice(dash + 1)
          .split('.')
          .map(prereleasePart)
  for (const part of build) {
    if (part === '') throw new SemverError('Build meta data is empty')
    if (!/^[0-9A-Za-z-]+$/.test(part)) throw new SemverError(`Invalid character(s) found in build meta data ${goQuote(part)}`)
  }
  return { numbers: [majorNumber, minorNumber, patch], prerelease }
}

/** Returns undefined for a text that is no version. */
export function versionOf(text: string): SemanticVersion | undefined {
  try {
    return parseVersion(text)
  } catch (error) {
    if (error instanceof SemverError) return undefined
    throw error
  }
}

function number(name: string, text: string): bigint {
  if (!/^\d*$/.test(text)) throw new SemverError(`Invalid character(s) found in ${name.toLowerCase()} number ${goQuote(text)}`)
  if (/^0\d/.test(text)) throw new SemverError(`${name} number must not contain leading zeroes ${goQuote(text)}`)
  return uint64(text)
}

function uint64(text: string): bigint {
  const failed = (why: string) => new SemverError(`strconv.ParseUint: parsing ${goQuote(text)}: ${why}`)
  if (text === '') throw failed('invalid syntax')
  const value = text.length > 20 ? 2n ** 64n : BigInt(text)
  if (value >= 2n ** 64n) throw failed('value out of range')
  return value
}

function prereleasePart(text: string): bigint | string {
  if (text === '') throw new SemverError('Prerelease is empty')
  if (/^\d+$/.test(text)) {
    if (/^0\d/.test(text)) throw new SemverError(`Numeric PreRelease version must not contain leading zeroes ${goQuote(text)}`)
    return uint64(text)
  }
  if (!/^[0-9A-Za-z-]+$/.test(text)) throw new SemverError(`Invalid character(s) found in prerelease ${goQuote(text)}`)
  return text
}

/** Makes a version of a short or prefixed one: "v1.02" → "1.2.0". */
export function normalizedVersion(text: string): string {
  const [major, minor, ...rest] = text.replace(/^v/, '').split('.')
  const parts = [major!, ...(minor === undefined ? [] : [minor]), ...(rest.length > 0 ? [rest.join('.')] : [])].map(part => {
    if (part.length < 2) return part
    const stripped = part.replace(/^0+/, '')
    return /^\d/.test(stripped) ? stripped : `0${stripped}`
  })
  if (parts.length < 3 && /[+-]/.test(parts.at(-1)!))
    throw new SemverError('short version cannot contain PreRelease/Build meta data')
  while (parts.length < 3) parts.push('0')
  return parts.join('.')
}

/** Returns -1, 0 or 1. */
export function compareVersions(a: SemanticVersion, b: SemanticVersion): bigint {
  for (let i = 0; i < 3; i++) if (a.numbers[i] !== b.numbers[i]) return a.numbers[i]! < b.numbers[i]! ? -1n : 1n
  const [x, y] = [a.prerelease, b.prerelease]
  if (x.length === 0 || y.length === 0) return BigInt(Math.sign(Number(x.length === 0) - Number(y.length === 0)))
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const [p, q] = [x[i]!, y[i]!]
    // numeric identifiers sort before alphanumeric ones
    if (typeof p !== typeof q) return typeof p === 'bigint' ? -1n : 1n
    if (p !== q) return p < q ? -1n : 1n
  }
  return BigInt(Math.sign(x.length - y.length))
}
