/**
 * Checks the expressions of a ValidatingAdmissionPolicy against the types of what it matches
 * (https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/#type-checking).
 */
import type { ExpressionWarning, ValidatingAdmissionPolicy } from '../api/generated/admissionregistration-v1.js'
import { admissionEnvironment, variableType } from '../cel/admission-environment.js'
import { compile } from '../cel/program.js'
import { dynType, type Type } from '../cel/types.js'
import type { Registry } from '../registry/registry.js'
import type { Resource } from '../registry/resource.js'
import { objectTypeOf } from './policy-types.js'

/** A rule that names more than these stops the search. */
const maxTypes = 10

interface MatchedKind {
  readonly resource: Resource
  readonly version: string
}

export function typeWarnings({ spec }: ValidatingAdmissionPolicy, registry: Registry): ExpressionWarning[] {
  const served = [...registry.served()]
  const kinds = kindsToCheck(spec, served).map(kind => ({ ...kind, type: typeNamed(kind) }))
  const params = spec.paramKind && paramsType(spec.paramKind, served)
  const environments = kinds.map(({ resource, version, type }) => {
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
    }
    const { group, kind } = resource
    return { shown: `${group}/${version}, Kind=${kind.kind}`, environment: admissionEnvironment(given) }
  })
  const warnings: ExpressionWarning[] = []
  const check = (fieldRef: string, expression: string) => {
    const found = environments.flatMap(({ shown, environment }) => {
      const { issues } = compile(expression, environment)
      return issues === undefined ? [] : [`${shown}: ${issues}\n`]
    })
    if (found.length > 0) warnings.push({ fieldRef, warning: found.join('\n') })
  }
  spec.validations?.forEach(({ expression, messageExpression }, i) => {
    check(`spec.validations[${i}].expression`, expression)
    if (messageExpression) check(`spec.validations[${i}].messageExpression`, messageExpression)
  })
  return warnings
}

/** Wildcards and subresources are not looked at. The core group's name is empty, and stands for any group. */
function kindsToCheck({ matchConstraints }: ValidatingAdmissionPolicy['spec'], served: readonly Resource[]): MatchedKind[] {
  const found = new Map<string, MatchedKind>()
  for (const { apiGroups = [], apiVersions = [], resources = [] } of matchConstraints?.resourceRules ?? []) {
    const names = resources.filter(name => !/[*/]/.test(name)).sort()
    if ([...apiGroups, ...apiVersions].some(name => name.includes('*'))) continue
    let count = 0
    for (const group of [...apiGroups].sort())
      for (const version of [...apiVersions].sort())
        for (const name of names)
          for (const resource of served) {
            const { kind, versions } = resource
            if (!versions.has(version) || (group !== '' && group !== resource.group)) continue
            if (name !== resource.resource && name !== (kind.singular ?? kind.kind.toLowerCase())) continue
            found.set([resource.group, version, kind.kind].join(' '), { resource, version })
            if (++count === maxTypes) return inOrder(found)
          }
  }
  return inOrder(found)
}

const inOrder = (found: ReadonlyMap<string, MatchedKind>): MatchedKind[] =>
  [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, kind]) => kind)

/** Undefined for a kind that is not served: then nothing is known of it. */
function paramsType(
  { apiVersion, kind }: NonNullable<ValidatingAdmissionPolicy['spec']['paramKind']>,
  served: readonly Resource[]
): Type | undefined {
  for (const resource of served)
    for (const version of resource.versions.keys())
      if (resource.kind.kind === kind && resource.apiVersion(version) === apiVersion) return typeNamed({ resource, version })
  return undefined
}

/** Names of types are told apart by a number, as errors show. */
const typeNamed = ({ resource, version }: MatchedKind) =>
  objectTypeOf(resource, version, `${resource.kind.kind}${Math.floor(Math.random() * 1e9)}`)
