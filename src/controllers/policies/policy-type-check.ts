/**
 * Checks the expressions of a ValidatingAdmissionPolicy against the types of the kinds that it matches
 * (https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/#type-checking).
 */
import type { ExpressionWarning, ValidatingAdmissionPolicy } from '../../apimachinery/api/generated/admissionregistration-v1.js'
import { admissionEnvironment, variableType } from '../../apimachinery/cel/admission-environment.js'
import type { Environment } from '../../apimachinery/cel/environment.js'
import { compile } from '../../apimachinery/cel/program.js'
import { dynType, type Type } from '../../apimachinery/cel/types.js'
import type { Registry } from '../../registry/registry.js'
import type { Resource } from '../../registry/resource.js'
import type { Randomness } from '../../util/randomness.js'
import { nextTurn } from '../../util/turns.js'
import { objectTypeOf } from './policy-types.js'

/** The search for kinds ends at the first rule that matches this many. */
const maxTypes = 10

interface MatchedKind {
  readonly resource: Resource
  readonly version: string
}

/** Yields to other work after each expression: a policy may have many long ones. */
export async function typeWarnings(
  { spec }: ValidatingAdmissionPolicy,
  registry: Registry,
  random: Pick<Randomness, 'fraction'>
): Promise<ExpressionWarning[]> {
  const served = [...registry.served()]
  const kinds = kindsToCheck(spec, served).map(kind => ({ ...kind, type: typeNamed(kind, random) }))
  const params = spec.paramKind && paramsType(spec.paramKind, served, random)
  const environments: { shown: string; environment: Environment }[] = []
  for (const { resource, version, type } of kinds) {
    const variables = new Map<string, Type>()
    const given = {
      params: spec.paramKind !== undefined,
      authorizer: 'alone',
      variables,
      types: { object: type, params }
    } as const
    for (const { name, expression } of spec.variables ?? []) {
      const { program } = compile(expression, admissionEnvironment(given))
      variables.set(name, program ? variableType(program.type) : dynType)
      await nextTurn()
    }
    const { group, kind } = resource
    environments.push({ shown: `${group}/${version}, Kind=${kind.kind}`, environment: admissionEnvironment(given) })
  }
  const warnings: ExpressionWarning[] = []
  const check = async (fieldRef: string, expression: string) => {
    const found: string[] = []
    for (const { shown, environment } of environments) {
      const { issues } = compile(expression, environment)
      if (issues !== undefined) found.push(`${shown}: ${issues}\n`)
      await nextTurn()
    }
    if (found.length > 0) warnings.push({ fieldRef, warning: found.join('\n') })
  }
  for (const [i, { expression, messageExpression }] of (spec.validations ?? []).entries()) {
    await check(`spec.validations[${i}].expression`, expression)
    if (messageExpression) await check(`spec.validations[${i}].messageExpression`, messageExpression)
  }
  return warnings
}

/** Returns the known names, sorted and distinct. */
const ordered = (names: readonly string[], isKnown: (name: string) => boolean) => [...new Set(names)].filter(isKnown).sort()

const isCalled = ({ resource, kind }: Resource, name: string) =>
  name === resource || name === (kind.singular ?? kind.kind.toLowerCase())

/** Skips wildcards and subresources. The empty name of the core group matches any group. */
function kindsToCheck({ matchConstraints }: ValidatingAdmissionPolicy['spec'], served: readonly Resource[]): MatchedKind[] {
  const found = new Map<string, MatchedKind>()
  for (const { apiGroups = [], apiVersions = [], resources = [] } of matchConstraints?.resourceRules ?? []) {
    if ([...apiGroups, ...apiVersions].some(name => name.includes('*'))) continue
    // a rule is a product of lists: drop names that are not served before combining the lists
    const groups = ordered(apiGroups, group => group === '' || served.some(resource => resource.group === group))
    const known = ordered(apiVersions, version => served.some(({ versions }) => versions.has(version)))
    const names = ordered(resources, name => served.some(resource => isCalled(resource, name)))
    let count = 0
    for (const group of groups)
      for (const version of known)
        for (const name of names)
          for (const resource of served) {
            const { kind, versions } = resource
            if (!versions.has(version) || (group !== '' && group !== resource.group)) continue
            if (!isCalled(resource, name)) continue
            found.set([resource.group, version, kind.kind].join(' '), { resource, version })
            if (++count === maxTypes) return inOrder(found)
          }
  }
  return inOrder(found)
}

const inOrder = (found: ReadonlyMap<string, MatchedKind>): MatchedKind[] =>
  [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, kind]) => kind)

/** Returns undefined for a kind that is not served, whose type is unknown. */
function paramsType(
  { apiVersion, kind }: NonNullable<ValidatingAdmissionPolicy['spec']['paramKind']>,
  served: readonly Resource[],
  random: Pick<Randomness, 'fraction'>
): Type | undefined {
  for (const resource of served)
    for (const version of resource.versions.keys())
      if (resource.kind.kind === kind && resource.apiVersion(version) === apiVersion)
        return typeNamed({ resource, version }, random)
  return undefined
}

/** Appends a random number to the type's name, as error messages show. */
const typeNamed = ({ resource, version }: MatchedKind, random: Pick<Randomness, 'fraction'>) =>
  objectTypeOf(resource, version, `${resource.kind.kind}${Math.floor(random.fraction() * 1e9)}`)
