/** The question of a body: may this user make this request? And who may ask it. */
import { type AuthorizationAttributes, aboutResource, type UnionAuthorizer } from '../../apimachinery/request/authorization.js'
import { ANONYMOUS, AUTHENTICATED_GROUP, UNAUTHENTICATED_GROUP, type UserInfo } from '../../apimachinery/request/user.js'
import { serviceAccountGroups, serviceAccountOf } from '../../apimachinery/request/usernames.js'
import { refusal } from '../../auth/authorization/refusal.js'
import type { JsonObject } from '../../util/json.js'
import { wrongField } from '../own-paths/errors.js'
import type { Schema } from '../own-paths/own-document.js'
import { findResource, type ResourceNames } from './resource-names.js'

const maxText = 4096
const maxGroups = 1000
const text = (description: string): Schema => ({ type: 'string', maxLength: maxText, description })

/** The fields of a body that ask about a request. */
export const questionFields: Readonly<Record<string, Schema>> = {
  verb: text(
    'get, list, watch, create, update, patch, delete, deletecollection, or any other; with path: the method in lower case.'
  ),
  resource: text('Plural, singular, short name or kind, with /subresource and .group or without.'),
  group: text('The API group; without it, the first that has the resource.'),
  subresource: text('log, status, scale, …'),
  namespace: text('"" for all namespaces, and outside of namespaces.'),
  name: text('The name of an object.'),
  path: text('Instead of a resource: a path outside the API, as /metrics.')
}

/** The fields that say whose request it is. */
export const userFields: Readonly<Record<string, Schema>> = {
  user: text('The user; the one who asks, when left out.'),
  groups: {
    type: 'array',
    items: text('A group.'),
    maxItems: maxGroups,
    description: 'The groups of the user; those that impersonation gives, when left out.'
  }
}

/** Reads the request that a body asks about. Throws a StatusError 422. */
export function questionOf(body: JsonObject, user: UserInfo, all: readonly ResourceNames[]): AuthorizationAttributes {
  const field = (name: string) => (body[name] as string | undefined) ?? ''
  const verb = field('verb').toLowerCase()
  if (verb === '') throw wrongField('verb', 'is required')
  if ((field('resource') === '') === (field('path') === '')) throw wrongField('resource', 'either resource or path is required')
  const empty = { group: '', version: '', resource: '', subresource: '', namespace: '', name: '' }
  if (field('path') !== '') return { ...empty, user, verb, isResourceRequest: false, path: field('path') }
  const [written = '', ...below] = field('resource').split('/')
  const subresource = field('subresource') || below.join('/')
  const group = body.group as string | undefined
  const found = findResource(all, group === undefined ? written : `${written}.${group}`)
  const dot = written.indexOf('.')
  return aboutResource({
    user,
    verb,
    group: found?.group ?? group ?? (dot < 0 ? '' : written.slice(dot + 1)),
    version: found?.version ?? '*',
    resource: found?.resource ?? (dot < 0 ? written : written.slice(0, dot)),
    subresource,
    // as in a request, a Namespace is in itself
    namespace:
      found?.resource === 'namespaces' && found.group === ''
        ? field('name')
        : found?.namespaced === false
          ? ''
          : field('namespace'),
    name: field('name')
  })
}

/** The user of a body: with the groups that impersonation would give, where it names none. */
export function userOf(body: JsonObject, asker: UserInfo): UserInfo {
  const { user: name, groups } = body as { user?: string; groups?: readonly string[] }
  if (groups === undefined && (name === undefined || name === asker.name)) return asker
  if (name === undefined && groups) return { name: '', groups }
  return { name: name!, groups: groups ?? usualGroups(name!) }
}

function usualGroups(name: string): readonly string[] {
  if (name === ANONYMOUS) return [UNAUTHENTICATED_GROUP]
  const account = serviceAccountOf(name)
  return [...(account ? serviceAccountGroups(account.namespace) : []), AUTHENTICATED_GROUP]
}

const reviews = 'authorization.k8s.io'

/**
 * Whether the asking user may be told about another one: as for a SubjectAccessReview, or for a LocalSubjectAccessReview where only one
 * namespace is concerned.
 */
export async function mayAskAbout(
  asker: UserInfo,
  namespace: string,
  authorizer: Pick<UnionAuthorizer, 'authorize'>
): Promise<boolean> {
  return (await askAboutOthers(asker, namespace, authorizer)) === undefined
}

async function askAboutOthers(asker: UserInfo, namespace: string, authorizer: Pick<UnionAuthorizer, 'authorize'>) {
  const ask = { user: asker, verb: 'create', group: reviews }
  const everywhere = aboutResource({ ...ask, resource: 'subjectaccessreviews' })
  const decision = await authorizer.authorize(everywhere)
  if (decision.allowed) return undefined
  if (namespace !== '') {
    const local = aboutResource({ ...ask, resource: 'localsubjectaccessreviews', namespace })
    if ((await authorizer.authorize(local)).allowed) return undefined
  }
  return refusal(everywhere, decision.reason)
}

/** Throws a 403 unless the asking user may ask the question: as for the access review of its own or of another user. */
export async function checkMayAsk(
  asker: UserInfo,
  question: AuthorizationAttributes,
  authorizer: Pick<UnionAuthorizer, 'authorize'>
): Promise<void> {
  if (question.user === asker) {
    const own = aboutResource({ user: asker, verb: 'create', group: reviews, resource: 'selfsubjectaccessreviews' })
    const { allowed, reason } = await authorizer.authorize(own)
    if (!allowed) throw refusal(own, reason)
    return
  }
  const refused = await askAboutOthers(asker, question.isResourceRequest ? question.namespace : '', authorizer)
  if (refused) throw refused
}
