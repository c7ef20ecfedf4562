/** Why a request is allowed or refused, and what would allow it. */
import { emitYaml } from '../../apimachinery/formats/yaml-emit.js'
import type { AuthorizationAttributes } from '../../apimachinery/request/authorization.js'
import type { Opinion } from '../../auth/authorization/opinions.js'
import { grantsTo, type HoldingRole, type RuleGrant, rolesAllowing, unreadable } from '../../auth/authorization/rbac/grants.js'
import type { ReadablePolicy } from '../../auth/authorization/rbac/readable-policy.js'
import { type SmallestGrant, smallestGrant } from '../../auth/authorization/rbac/smallest-rule.js'
import { findResource, nearResource, qualified, type ResourceNames } from './resource-names.js'

/** The request that an explanation is about. */
export interface ShownQuestion {
  readonly user: string
  readonly groups: readonly string[]
  readonly verb: string
  readonly group?: string
  readonly resource?: string
  readonly subresource?: string
  readonly namespace?: string
  readonly name?: string
  readonly path?: string
}

export interface AccessExplanation {
  readonly question: ShownQuestion
  readonly allowed: boolean
  /** The text that the server gives with the decision; often empty. */
  readonly reason: string
  /** The authorizer that decided; missing where none did, so that the request is refused. */
  readonly decidedBy?: string
  readonly authorizers: readonly Opinion[]
  /** Every binding by which RBAC allows the request. */
  readonly grants: readonly RuleGrant[]
  /** For a request that is refused: the role and the binding that allow it and nothing else. */
  readonly remedy?: SmallestGrant & { readonly yaml: string }
  /** Why there is no such role. */
  readonly noRemedy?: string
  /** For a request that is refused: roles that allow it to those to whom they are bound, the narrowest first. */
  readonly holders?: readonly HoldingRole[]
  /** What may be wrong with the question. */
  readonly hint?: string
  /** What the asking user may not read, so that grants and holders may lack something. */
  readonly unreadable: readonly string[]
}

/** The most roles that are named. */
const maxHolders = 50

export interface AccessParts {
  readonly question: AuthorizationAttributes
  readonly opinions: readonly Opinion[]
  readonly policy: ReadablePolicy
  readonly resources: readonly ResourceNames[]
  /** Whether the asking user may see what authorizers decided by. */
  readonly showsDetails: boolean
}

export async function explainAccess({
  question,
  opinions,
  policy,
  resources,
  showsDetails
}: AccessParts): Promise<AccessExplanation> {
  const decisive = opinions.find(({ opinion }) => opinion === 'allowed' || opinion === 'denied')
  const allowed = decisive?.opinion === 'allowed'
  const hint = hintFor(question, resources)
  const hasRbac = opinions.some(({ type }) => type === 'RBAC')
  return {
    question: shownQuestion(question),
    allowed,
    reason: decisive ? decisive.reason : reasonsOf(opinions),
    ...(decisive ? { decidedBy: decisive.name } : {}),
    authorizers: opinions.map(({ details, ...opinion }) => (details && showsDetails ? { ...opinion, details } : opinion)),
    grants: hasRbac ? await grantsTo(policy, question) : [],
    ...(allowed ? {} : await remedyFor(question, decisive, hasRbac, policy)),
    ...(hint === undefined ? {} : { hint }),
    unreadable: hasRbac ? await unreadable(policy, question) : []
  }
}

async function remedyFor(
  question: AuthorizationAttributes,
  decisive: Opinion | undefined,
  hasRbac: boolean,
  policy: ReadablePolicy
): Promise<Pick<AccessExplanation, 'remedy' | 'noRemedy' | 'holders'>> {
  if (decisive) return { noRemedy: `${decisive.name} denies the request, whatever roles there are` }
  if (!hasRbac) return { noRemedy: 'the server does not decide by roles: RBAC is not among its authorizers' }
  const grant = smallestGrant(question)
  const holders = (await rolesAllowing(policy, question)).slice(0, maxHolders)
  return { remedy: { ...grant, yaml: grant.objects.map(object => emitYaml(object)).join('---\n') }, holders }
}

/** As the message of the refusal has them. */
const reasonsOf = (opinions: readonly Opinion[]): string =>
  opinions.flatMap(({ name, reason }) => (reason === '' ? [] : [name === '' ? reason : `${name}: ${reason}`])).join('\n')

export function shownQuestion(question: AuthorizationAttributes): ShownQuestion {
  const { user, verb, isResourceRequest, group, resource, subresource, namespace, name, path } = question
  const who = { user: user.name, groups: user.groups, verb }
  if (!isResourceRequest) return { ...who, path }
  const present = Object.entries({ subresource, namespace, name }).filter(([, value]) => value !== '')
  return { ...who, group, resource, ...Object.fromEntries(present) }
}

function hintFor({ isResourceRequest, group, resource, namespace }: AuthorizationAttributes, all: readonly ResourceNames[]) {
  if (!isResourceRequest || resource === '*' || all.length === 0) return undefined
  const text = qualified({ group, resource })
  const found = findResource(all, text)
  if (!found) {
    const near = nearResource(all, resource)
    return `the server has no resource ${text}${near === undefined ? '' : `; did you mean ${near}?`}`
  }
  return found.namespaced && namespace === '' ? `${text} are in namespaces: this is about all of them at once` : undefined
}
