/** Semantic versions. */
import { compareVersions, normalizedVersion, parseVersion, type SemanticVersion, SemverError } from '../../../util/semver.js'
import { constant, traversal } from '../cost/call-cost.js'
import { type Library, overload } from '../declarations.js'
import { objectType } from '../types.js'
import { CelError, ObjectValue, type Value } from '../values/value.js'

const semverType = objectType('kubernetes.Semver')
const types = { Semver: semverType }

class Semver extends ObjectValue implements SemanticVersion {
  readonly type = semverType
  readonly numbers: readonly bigint[]
  readonly prerelease: readonly (bigint | string)[]

  constructor({ numbers, prerelease }: SemanticVersion) {
    super()
    this.numbers = numbers
    this.prerelease = prerelease
  }

  equals(other: ObjectValue): boolean {
    return other instanceof Semver && compareVersions(this, other) === 0n
  }
}

export function semver(text: string, normalize = false): Value {
  try {
    return new Semver(parseVersion(normalize ? normalizedVersion(text) : text))
  } catch (error) {
    if (error instanceof SemverError) return new CelError(error.message)
    throw error
  }
}

const is = (text: string, normalize = false) => !(semver(text, normalize) instanceof CelError)
const parses = { types, cost: traversal(0) }
const reads = { types, cost: constant(1) }

export const semvers: Library = {
  functions: {
    semver: [
      overload('string_to_semver', 'string -> Semver', (text: string) => semver(text), parses),
      overload('string_bool_to_semver', 'string, bool -> Semver', semver, parses)
    ],
    isSemver: [
      overload('is_semver_string', 'string -> bool', (text: string) => is(text), parses),
      overload('is_semver_string_bool', 'string, bool -> bool', is, parses)
    ],
    isGreaterThan: [
      overload('semver_is_greater_than', 'Semver.(Semver) -> bool', (a: Semver, b: Semver) => compareVersions(a, b) > 0n, reads)
    ],
    isLessThan: [
      overload('semver_is_less_than', 'Semver.(Semver) -> bool', (a: Semver, b: Semver) => compareVersions(a, b) < 0n, reads)
    ],
    compareTo: [overload('semver_compare_to', 'Semver.(Semver) -> int', compareVersions, reads)],
    major: [overload('semver_major', 'Semver.() -> int', (v: Semver) => v.numbers[0]!, reads)],
    minor: [overload('semver_minor', 'Semver.() -> int', (v: Semver) => v.numbers[1]!, reads)],
    patch: [overload('semver_patch', 'Semver.() -> int', (v: Semver) => v.numbers[2]!, reads)]
  }
}
