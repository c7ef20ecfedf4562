/** Checks that a requester may impersonate a user: asks the authorizer one question for each attribute of the user. */

import { type AuthorizationAttributes, aboutResource } from '../../../apimachinery/request/authorization.js'
import { PRIVILEGED_GROUP } from '../../../apimachinery/request/privileged-group.js'
import { ANONYMOUS, AUTHENTICATED_GROUP, UNAUTHENTICATED_GROUP, type UserInfo } from '../../../apimachinery/request/user.js'
import { NODES_GROUP, nodeOf, serviceAccountGroups, serviceAccountOf } from '../../../apimachinery/request/usernames.js'
import { validateDomainPrefixedPath } from '../../../apimachinery/validation/domain-path.js'
import { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { aggregateText, goQuote } from '../../../util/go-format.js'
import { refusal } from '../../authorization/refusal.js'
import type { WantedUser } from './headers.js'

/** Resolves when the authorizer allows, and rejects with the 403 otherwise. */
export type Demand = (question: AuthorizationAttributes) => Promise<void>

export const authenticationGroup = 'authentication.k8s.io'
/** From this many groups or extra values on, a constrained verb first asks for the permission for all of them ("*"). */
const many = 4

/** Returns the impersonated user. `verb` is `impersonate`, or a constrained verb, whose rules are stricter. Throws a 403. */
export async function becomeUser(
  demand: Demand,
  verb: string,
  constrained: boolean,
  wanted: WantedUser,
  requester: UserInfo
): Promise<UserInfo> {
  const ask = (group: string, resource: string, name: string, more: Partial<AuthorizationAttributes> = {}) =>
    aboutResource({ user: requester, verb, group, version: 'v1', resource, name, ...more })
  const namesGroup = constrained ? authenticationGroup : ''

  const fixedGroups = await checkName()
  if (wanted.uid !== '') await demand(ask(authenticationGroup, 'uids', wanted.uid))
  await checkGroups()
  await checkExtra()
  return {
    name: wanted.name,
    uid: wanted.uid,
    groups: withDefaultGroup(wanted.name, fixedGroups ?? wanted.groups),
    ...(wanted.extra.size > 0 ? { extra: Object.fromEntries(wanted.extra) } : {})
  }

  async function checkName(): Promise<readonly string[] | undefined> {
    const account = serviceAccountOf(wanted.name)
    const node = constrained ? nodeOf(wanted.name) : undefined
    if (account) await demand(ask(namesGroup, 'serviceaccounts', account.name, { namespace: account.namespace }))
    else if (node !== undefined) await demand(ask(namesGroup, 'nodes', node))
    else await demand(ask(namesGroup, 'users', wanted.name))
    if (node !== undefined) return [NODES_GROUP]
    return account && wanted.groups.length === 0 ? serviceAccountGroups(account.namespace) : undefined
  }

  async function checkGroups(): Promise<void> {
    const about = (name: string) => ask(namesGroup, 'groups', name)
    if (constrained) {
      if (wanted.groups.includes('')) throw refusal(about(''), 'impersonating the empty string group is not allowed')
      if (wanted.groups.includes(PRIVILEGED_GROUP))
        throw refusal(about(PRIVILEGED_GROUP), 'impersonating the system:masters group is not allowed')
      if (wanted.groups.length >= many && (await allows(about('*')))) return
    }
    for (const group of wanted.groups) await demand(about(group))
  }

  async function checkExtra(): Promise<void> {
    const about = (subresource: string, name: string) => ask(authenticationGroup, 'userextras', name, { subresource })
    if (constrained) {
      const problem = problemOfExtra(wanted.extra)
      if (problem !== undefined) throw refusal(about('', ''), problem)
      const count = [...wanted.extra.values()].reduce((sum, values) => sum + values.length, 0)
      if (count >= many && (await allows(about('*', '*')))) return
    }
    for (const [key, values] of wanted.extra) for (const value of values) await demand(about(key, value))
  }

  function allows(question: AuthorizationAttributes): Promise<boolean> {
    return demand(question).then(
      () => true,
      () => false
    )
  }
}

function withDefaultGroup(name: string, groups: readonly string[]): readonly string[] {
  const group = name === ANONYMOUS ? UNAUTHENTICATED_GROUP : AUTHENTICATED_GROUP
  return groups.includes(group) || groups.includes(UNAUTHENTICATED_GROUP) ? groups : [...groups, group]
}

const keyPath = Path.of('extra', 'key')

function problemOfExtra(extra: WantedUser['extra']): string | undefined {
  for (const [key, values] of extra) {
    if (key === '') return 'impersonating the empty string key in extra is not allowed'
    const errors = new FieldErrors()
    validateDomainPrefixedPath(key, keyPath, errors)
    if (errors.any) {
      const problems = aggregateText(errors.list.map(({ field, message }) => `${field}: ${message}`))
      return `impersonating an invalid key in extra is not allowed: ${problems}`
    }
    // a key may still contain capitals, which were escaped in the header
    if (key !== key.toLowerCase()) return `impersonating a non-lowercase key in extra is not allowed: ${goQuote(key)}`
    if (values.includes('')) return 'impersonating the empty string value in extra is not allowed'
  }
  return undefined
}
