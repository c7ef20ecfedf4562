/** Asks a server to explain itself. For a server that cannot, what plain reads tell is explained here. */
import type { SelfSubjectReview } from '../../apimachinery/api/generated/authentication-v1.js'
import type { AuthorizationAttributes } from '../../apimachinery/request/authorization.js'
import { explainPath } from '../../apimachinery/request/explain-path.js'
import type { UserInfo } from '../../apimachinery/request/user.js'
import { type AccessExplanation, explainAccess } from '../../apiserver/explain/access.js'
import { type DeletionExplanation, explainDeletion } from '../../apiserver/explain/deletion.js'
import { type ExplainedField, explainFields } from '../../apiserver/explain/fields.js'
import { questionOf, userOf } from '../../apiserver/explain/question.js'
import { findResource, nearResource } from '../../apiserver/explain/resource-names.js'
import { explainSubjects, type SubjectsExplanation } from '../../apiserver/explain/subjects.js'
import type { RecordedRequest } from '../../apiserver/recorder/recorded-request.js'
import type { KubeClient } from '../../client/types.js'
import { exactJson } from '../../util/exact-json.js'
import type { JsonObject } from '../../util/json.js'
import { UserError } from '../../util/user-error.js'
import { ClusterPolicy, ClusterReader, read, statusError } from './cluster-reader.js'

type Client = Pick<KubeClient, 'request'>

/** Returns the server's own explanation; undefined when the server has none, or the user may not ask for them. */
async function asked(client: Client, question: string, body: JsonObject): Promise<any> {
  const url = explainPath + question
  const { status, body: answer } = await client.request({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: exactJson(body)
  })
  const text = answer.toString()
  if (status < 300) return JSON.parse(text)
  const error = statusError(status, text)
  const isMissing = status === 404 && error.status.reason !== 'NotFound'
  const isForbidden = status === 403 && error.message.includes(`path ${JSON.stringify(url)}`)
  if (isMissing || isForbidden) return undefined
  throw error
}

/** The error for what only the server itself can explain. */
const onlyThere = (what: string) =>
  new UserError(
    `${what} is explained by the server alone: it is no Binnacle of this version, or you may not post to ${explainPath}`
  )

export async function askAccess(
  client: Client,
  body: JsonObject
): Promise<AccessExplanation & { readonly request?: RecordedRequest }> {
  const explained = await asked(client, 'access', body)
  if (explained) return explained
  if (body.request !== undefined) throw onlyThere('a request that has been made')
  const reader = new ClusterReader(client)
  const resources = await reader.resources()
  const self = await whoAmI(client)
  const user = userOf(body, self)
  const question = questionOf(body, user, resources)
  const { allowed = false, denied = false, reason = '' } = await review(client, question, user === self)
  const type = /^RBAC: /.test(reason) || !(allowed || denied) ? 'RBAC' : 'Other'
  const opinion = allowed ? 'allowed' : denied ? 'denied' : 'no opinion'
  return explainAccess({
    question,
    // a review does not tell who decided
    opinions: [{ type, name: type === 'RBAC' ? 'RBAC' : 'an authorizer', opinion, reason }],
    policy: new ClusterPolicy(client),
    resources,
    showsDetails: false
  })
}

async function whoAmI(client: Client): Promise<UserInfo> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
  const review = (await post(client, '/apis/authentication.k8s.io/v1/selfsubjectreviews', body)) as unknown as SelfSubjectReview
  const { username = '', groups = [] } = review.status?.userInfo ?? {}
  return { name: username, groups: groups ?? [] }
}

async function review(client: Client, question: AuthorizationAttributes, isSelf: boolean) {
  const { user, verb, isResourceRequest, group, resource, subresource, namespace, name, path } = question
  const attributes = isResourceRequest
    ? { resourceAttributes: { verb, group, resource, subresource, namespace, name } }
    : { nonResourceAttributes: { verb, path } }
  const kind = isSelf ? 'SelfSubjectAccessReview' : 'SubjectAccessReview'
  const spec = isSelf ? attributes : { ...attributes, user: user.name, groups: user.groups }
  const url = `/apis/authorization.k8s.io/v1/${kind.toLowerCase()}s`
  const { status } = await post(client, url, { apiVersion: 'authorization.k8s.io/v1', kind, spec })
  return status as { allowed?: boolean; denied?: boolean; reason?: string }
}

async function post(client: Client, url: string, body: object): Promise<JsonObject> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const { status, body: answer } = await client.request({ method: 'POST', url, headers, body })
  if (status >= 300) throw statusError(status, answer.toString())
  return JSON.parse(answer.toString())
}

export async function askSubjects(client: Client, body: JsonObject): Promise<SubjectsExplanation> {
  const explained = await asked(client, 'subjects', body)
  if (explained) return explained
  const question = questionOf(body, { name: '', groups: [] }, await new ClusterReader(client).resources())
  return explainSubjects(new ClusterPolicy(client), question, ['beside RBAC, if there are any,'])
}

export async function askDeletion(client: Client, body: JsonObject): Promise<DeletionExplanation> {
  const explained = await asked(client, 'deletion', body)
  if (explained) return explained
  const { reader, ...place } = await placeOf(client, body)
  return explainDeletion(reader, place)
}

export async function askFields(client: Client, body: JsonObject): Promise<{ readonly fields: readonly ExplainedField[] }> {
  const explained = await asked(client, 'fields', body)
  if (explained) return explained
  const { reader, of, namespace, name } = await placeOf(client, body)
  return { fields: explainFields(await reader.object(of, namespace, name), (body.field as string | undefined) ?? '') }
}

async function placeOf(client: Client, body: JsonObject) {
  const { resource = '', namespace = '', name = '' } = body as Record<string, string>
  const reader = new ClusterReader(client)
  const all = await reader.resources()
  const of = findResource(all, resource)
  if (of) return { reader, of, namespace: of.namespaced ? namespace : '', name }
  const near = nearResource(all, resource)
  throw new UserError(`the server has no resource ${resource}${near === undefined ? '' : `; did you mean ${near}?`}`)
}

export async function askAdmission(client: Client, body: JsonObject): Promise<any> {
  const explained = await asked(client, 'admission', body)
  if (!explained) throw onlyThere('admission')
  return explained
}

/** Reads an object as the server shows it: a definition whose rules are to be explained. */
export const readDefinition = (client: Client, name: string): Promise<any> =>
  read(client, `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${encodeURIComponent(name)}`)
