/** The server explains itself over HTTP (docs/explain.md): the paths of its questions, and the document that is made of them. */

import type { RequestContext } from '../../apimachinery/request/context.js'
import { explainPath } from '../../apimachinery/request/explain-path.js'
import { badRequest, forbiddenPath, methodNotAllowed, notFound, StatusError } from '../../apimachinery/status/status.js'
import type { RbacPolicy } from '../../auth/authorization/rbac/policy.js'
import { PermittedPolicy } from '../../auth/authorization/rbac/readable-policy.js'
import type { ServerAuthorizer } from '../../auth/authorization/server-authorizer.js'
import { exactJson, parseExact } from '../../util/exact-json.js'
import { isDeeperThan, type JsonObject, maxJsonDepth } from '../../util/json.js'
import type { PathHandler } from '../endpoints/dispatch.js'
import { respondBytes } from '../endpoints/respond.js'
import { pageNotFound } from '../endpoints/route-rules.js'
import { parseBody } from '../own-paths/body.js'
import { wrongField, wrongState } from '../own-paths/errors.js'
import { type Described, ownDocument, type Schema } from '../own-paths/own-document.js'
import type { FlightRecorder, FoundRequest } from '../recorder/recorder.js'
import type { MemberParts } from '../sets/member.js'
import { explainAccess } from './access.js'
import { admissionFields, explainAdmission, shownSteps } from './admission.js'
import {
  accessAnswer,
  admissionAnswer,
  deletionAnswer,
  expressionsAnswer,
  fieldsAnswer,
  requestsAnswer,
  subjectsAnswer
} from './answers.js'
import { explainDeletion } from './deletion.js'
import { explainExpressions, expressionFields } from './expressions.js'
import { explainFields } from './fields.js'
import { checkMayAsk, mayAskAbout, questionFields, questionOf, userFields, userOf } from './question.js'
import { findResource, nearResource, qualified } from './resource-names.js'
import { ServerReader } from './server-reader.js'
import { explainSubjects } from './subjects.js'

/** What the explanations need of a server. */
export interface ExplainParts {
  readonly rbac: RbacPolicy
  readonly authorizer: ServerAuthorizer
  /** Undefined for a server that does not record its requests. */
  readonly recorder: FlightRecorder | undefined
  readonly member: MemberParts
}

type Asked = (context: RequestContext, body: JsonObject, parts: ExplainParts) => Promise<object>

interface Question extends Described {
  readonly body: Schema
  readonly explain: Asked
}

/** The most bytes of a body: the same as for any other request. */
const maxBytes = 3 * 1024 * 1024

const text = (description: string): Schema => ({ type: 'string', maxLength: 4096, description })

const placeFields = {
  resource: text('Plural, singular, short name or kind, with .group or without.'),
  namespace: text('That of the object; "" outside of namespaces.'),
  name: text('The name of the object.')
}

const question = (
  path: string,
  id: string,
  summary: string,
  fields: Readonly<Record<string, Schema>>,
  required: readonly string[],
  answer: Schema,
  explain: Asked
): Question => ({
  method: 'POST',
  path,
  id,
  summary,
  body: {
    title: `${id[0]!.toUpperCase()}${id.slice(1)}Question`,
    type: 'object',
    properties: fields,
    required,
    additionalProperties: false
  },
  answers: { 200: { description: 'The explanation.', schema: answer } },
  explain
})

const questions: readonly Question[] = [
  question(
    'access',
    'explainAccess',
    'Why a request was or would be allowed or refused, and what would allow it',
    {
      ...questionFields,
      ...userFields,
      request: text('Instead of all others: number or Audit-Id of a recorded request, or last-denied.')
    },
    [],
    accessAnswer,
    access
  ),
  question(
    'subjects',
    'explainSubjects',
    'Who may make a request, and through which bindings and roles',
    questionFields,
    ['verb'],
    subjectsAnswer,
    subjects
  ),
  question(
    'deletion',
    'explainDeletion',
    'Why an object does not go away',
    placeFields,
    ['resource', 'name'],
    deletionAnswer,
    deletion
  ),
  question(
    'fields',
    'explainFields',
    'Who owns which field of an object, since when, and through which recorded request',
    { ...placeFields, field: text('.spec.replicas: this field and those below it; all, when left out.') },
    ['resource', 'name'],
    fieldsAnswer,
    fields
  ),
  question(
    'admission',
    'explainAdmission',
    'What each plugin, policy and webhook does with a request, in a dry run',
    admissionFields,
    ['object'],
    admissionAnswer,
    async (context, body, { member }) => explainAdmission(context, body, member)
  ),
  question(
    'expressions',
    'explainExpressions',
    'What the rules of a CustomResourceDefinition cost, node by node, and which limits in its schema would make them cheap enough',
    expressionFields,
    ['definition'],
    expressionsAnswer,
    async (context, body) => explainExpressions(body, () => context.throwIfAborted())
  )
]

/** The most requests of a list. */
const mostRequests = 500

const requestsRoute: Described = {
  method: 'GET',
  path: 'requests',
  id: 'listRequests',
  summary: 'The last requests that the server has recorded, the oldest first; `access` tells the rest of each',
  query: [
    {
      name: 'since',
      description: 'Only requests after this number: the `last` of an earlier answer.',
      schema: { type: 'integer' }
    },
    {
      name: 'limit',
      description: `The most that are returned, of the newest: at most ${mostRequests}.`,
      schema: { type: 'integer' }
    }
  ],
  answers: { 200: { description: 'The requests.', schema: requestsAnswer } }
}

/** `parts` is called for each request, because the chain is made of the paths, among others. */
export function explainHandlers(parts: () => ExplainParts): PathHandler[] {
  const byName = new Map(questions.map(question => [question.path, question]))
  return [
    {
      path: explainPath,
      async handle(context) {
        const name = context.info.path.slice(explainPath.length)
        const { method } = context.request
        if (name === 'openapi.json') {
          if (method !== 'GET') throw new StatusError(methodNotAllowed().status, { allow: 'GET' })
          return json(document())
        }
        if (name === requestsRoute.path) {
          if (method !== 'GET') throw new StatusError(methodNotAllowed().status, { allow: 'GET' })
          return json(await requests(context, parts()))
        }
        const question = byName.get(name)
        if (!question) return pageNotFound()
        if (method !== 'POST') throw new StatusError(methodNotAllowed().status, { allow: 'POST' })
        const body = parseBody(await context.readBody(maxBytes), question.body, parseExact)
        if (isDeeperThan(body, maxJsonDepth)) throw badRequest('the body exceeds max depth')
        return json(await question.explain(context, body, parts()))
      }
    }
  ]
}

const json = (value: object) => respondBytes(200, 'application/json', Buffer.from(`${exactJson(value)}\n`))

const document = (): object =>
  ownDocument(
    {
      title: 'Binnacle explanations',
      version: 'v1',
      description:
        'Why the server answers as it does. Clients need the verb post for the paths (nonResourceURLs), and see only what they may read: roles and bindings that they may get or list, other users with permission to create SubjectAccessReviews.',
      root: explainPath
    },
    [
      ...questions,
      requestsRoute,
      {
        method: 'GET',
        path: 'openapi.json',
        id: 'readDocument',
        summary: 'Read this document',
        answers: { 200: { description: 'The document.', schema: { type: 'object', additionalProperties: true } } }
      }
    ]
  )

const readerOf = ({ user }: RequestContext, { member, authorizer }: ExplainParts) =>
  new ServerReader(user, { registry: member.services.registry, authorizer })

const policyOf = ({ user }: RequestContext, { member, authorizer, rbac }: ExplainParts) =>
  new PermittedPolicy(user, { registry: member.services.registry, authorizer, rbac })

async function access(context: RequestContext, body: JsonObject, parts: ExplainParts): Promise<object> {
  const { user: asker, signal } = context
  const { authorizer } = parts
  const resources = await readerOf(context, parts).resources()
  const id = body.request as string | undefined
  if (id !== undefined && Object.keys(body).length > 1) throw wrongField('request', 'cannot be used with other fields')
  const recorded = id === undefined ? undefined : await recordedRequest(id, context, parts)
  const about = recorded ? recorded.question : questionOf(body, userOf(body, asker), resources)
  if (!about) return { request: recorded!.request }
  if (!recorded) await checkMayAsk(asker, about, authorizer)
  const explanation = await explainAccess({
    question: about,
    opinions: await authorizer.opinions(about, signal),
    policy: policyOf(context, parts),
    resources,
    showsDetails: await mayAskAbout(asker, '', authorizer)
  })
  return recorded ? { ...explanation, request: recorded.request } : explanation
}

/** Finds a recorded request: one's own, or another user's with permission to ask about other users. */
async function recordedRequest(
  id: string,
  { user: asker }: RequestContext,
  { recorder, authorizer }: ExplainParts
): Promise<FoundRequest> {
  const recording = recorderOf(recorder)
  const others = await mayAskAbout(asker, '', authorizer)
  const found = recording.find(id, user => others || user === asker.name)
  // whether there is one of another user is not told either
  if (!found) throw notFound({ group: '', resource: 'requests' }, id)
  return { ...found, request: { ...found.request, admission: await shownSteps(found.request.admission, asker, authorizer) } }
}

/** Lists what the recorder keeps: one's own requests, and those of others with permission to ask about other users. */
async function requests({ user: asker, query }: RequestContext, { recorder, authorizer }: ExplainParts): Promise<object> {
  const { since = 0, limit = mostRequests } = numbersOf(query)
  const recording = recorderOf(recorder)
  const others = await mayAskAbout(asker, '', authorizer)
  const last = recording.mark()
  const shown = recording.summaries(since, Math.min(limit, mostRequests), user => others || user === asker.name)
  return { last, requests: shown }
}

function numbersOf(query: URLSearchParams): { since?: number; limit?: number } {
  const numbers: Record<string, number> = Object.create(null)
  const known = new Set(requestsRoute.query!.map(({ name }) => name))
  for (const [name, value] of query) {
    if (!known.has(name)) throw wrongField(name, `is not known; there are ${[...known].join(', ')}`)
    if (!/^\d{1,15}$/.test(value)) throw wrongField(name, 'must be a whole number, 0 or more')
    numbers[name] = Number(value)
  }
  return numbers
}

function recorderOf(recorder: FlightRecorder | undefined): FlightRecorder {
  if (!recorder) throw wrongState('the server does not record requests: --recorder (option recorder) lets it')
  return recorder
}

async function subjects(context: RequestContext, body: JsonObject, parts: ExplainParts): Promise<object> {
  const { authorizer } = parts
  const about = questionOf(body, nobody, await readerOf(context, parts).resources())
  const others = authorizer.types.filter(type => type !== 'RBAC' && type !== 'Privileged')
  return explainSubjects(policyOf(context, parts), about, others)
}

const nobody = { name: '', groups: [] }

async function placeOf(context: RequestContext, body: JsonObject, parts: ExplainParts) {
  const { resource, namespace = '', name } = body as Record<string, string | undefined>
  const reader = readerOf(context, parts)
  const all = await reader.resources()
  if (all.length === 0) throw forbiddenPath('resources are told to those who may get "/apis"')
  const of = findResource(all, resource!)
  if (!of) {
    const near = nearResource(all, resource!)
    throw wrongField('resource', `the server has no resource ${resource}${near === undefined ? '' : `; did you mean ${near}?`}`)
  }
  return { reader, of, namespace: of.namespaced ? namespace : '', name: name! }
}

async function deletion(context: RequestContext, body: JsonObject, parts: ExplainParts): Promise<object> {
  const { reader, ...place } = await placeOf(context, body, parts)
  return explainDeletion(reader, place)
}

async function fields(context: RequestContext, body: JsonObject, parts: ExplainParts): Promise<object> {
  const { reader, of, namespace, name } = await placeOf(context, body, parts)
  const object = await reader.object(of, namespace, name)
  const others = await mayAskAbout(context.user, '', parts.authorizer)
  const writers = parts.recorder?.writersOf(qualified(of), namespace, name) ?? []
  const shown = writers.filter(({ user }) => others || user === context.user.name)
  return { fields: explainFields(object, (body.field as string | undefined) ?? '', shown) }
}
