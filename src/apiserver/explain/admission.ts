/** What admission does with a request: a dry run of it, in which each plugin, policy and webhook is noted with its patch, time and cost. */
import { aboutResource, type UnionAuthorizer } from '../../apimachinery/request/authorization.js'
import type { RequestContext } from '../../apimachinery/request/context.js'
import { wholeBody } from '../../apimachinery/request/message.js'
import { chained } from '../../apimachinery/request/stage.js'
import type { UserInfo } from '../../apimachinery/request/user.js'
import { parseExact } from '../../util/exact-json.js'
import { isObject, type JsonObject } from '../../util/json.js'
import { createDispatch } from '../endpoints/dispatch.js'
import type { Schema } from '../own-paths/own-document.js'
import { Entry } from '../recorder/entry.js'
import type { RecordedStep } from '../recorder/recorded-request.js'
import { entryFields, entryRequest, KindResources, operations, patchTypes, readEntry } from '../sets/entry.js'
import { contextOf, type MemberParts } from '../sets/member.js'

export const admissionFields: Readonly<Record<string, Schema>> = {
  operation: { type: 'string', enum: operations, description: 'apply, when it is left out.' },
  object: {
    type: 'object',
    description: 'The object; for patch and delete its apiVersion, kind, namespace and name.',
    additionalProperties: true
  },
  subresource: { type: 'string', enum: ['', 'status'], description: 'For apply, update and patch.' },
  patchType: { type: 'string', enum: Object.keys(patchTypes), description: 'merge, when it is left out.' },
  patch: { description: 'For patch: an object, or the list of a JSON patch.' },
  options: { type: 'object', description: 'For delete: DeleteOptions.', additionalProperties: true },
  namespace: { type: 'string', description: 'That of an object that names none.' },
  fieldManager: { type: 'string', description: 'Who would own the fields; binnacle.' },
  force: { type: 'boolean', description: 'An apply takes fields over from other managers.' }
}

export interface AdmissionExplanation {
  /** The code of the answer that the request would have. */
  readonly status: number
  /** Why it would be refused. */
  readonly message?: string
  readonly warnings: readonly string[]
  /** Everything that took part, in its order. */
  readonly steps: readonly RecordedStep[]
  /** The object as it would be stored. */
  readonly object?: unknown
}

/** What is kept of all steps together: patches beyond it are told to be too large. */
const maxBytes = 8 * 1024 * 1024

/** The request needs the permissions that it needs without an explanation. Nothing is stored. */
export async function explainAdmission(
  context: RequestContext,
  body: JsonObject,
  parts: MemberParts
): Promise<AdmissionExplanation> {
  const { namespace = '', fieldManager = 'binnacle', force = false, ...given } = body
  const entry = readEntry('body', Object.fromEntries(entryFields.flatMap(name => (name in given ? [[name, given[name]]] : []))))
  const query = new URLSearchParams({ dryRun: 'All', fieldManager: String(fieldManager), force: String(force) })
  if (namespace !== '') query.set('namespace', String(namespace))
  const request = entryRequest(entry, new KindResources(parts.services.registry), query, new Set())
  const own = contextOf(context, request)
  const steps = new Entry(0, own, maxBytes, true)
  own.record.steps = steps
  context.signal.addEventListener('abort', () => own.abort(context.signal.reason as Error))
  const { backends, store } = parts
  const dispatch = createDispatch({ backends, paths: [], store })
  try {
    const response = await chained([...parts.stages, { name: 'explained request', why: '', handle: dispatch }])(own)
    const text = response.body ? (await wholeBody(response.body)).toString() : ''
    const object = text === '' ? undefined : parseExact(text)
    const isStatus = isObject(object) && object.kind === 'Status'
    return {
      status: response.status,
      ...(response.status >= 400 && isStatus ? { message: String(object.message ?? '') } : {}),
      warnings: own.warnings,
      steps: await shownSteps(steps.show().admission, context.user, parts.services.authorizer),
      ...(isStatus ? {} : { object })
    }
  } finally {
    own.ended()
  }
}

const kinds: Readonly<Record<string, string>> = {
  'policy admit': 'mutatingadmissionpolicies',
  'policy validate': 'validatingadmissionpolicies',
  'webhook admit': 'mutatingwebhookconfigurations',
  'webhook validate': 'validatingwebhookconfigurations'
}

/** Policies and webhooks are named to those who may list them. What they did to the user's own object, its user may see. */
export async function shownSteps(
  steps: readonly RecordedStep[],
  user: UserInfo,
  authorizer: Pick<UnionAuthorizer, 'authorize'>
): Promise<RecordedStep[]> {
  const shown = new Map<string, boolean>()
  for (const resource of new Set(steps.flatMap(({ kind, phase }) => kinds[`${kind} ${phase}`] ?? []))) {
    const question = aboutResource({ user, verb: 'list', group: 'admissionregistration.k8s.io', resource })
    shown.set(resource, (await authorizer.authorize(question)).allowed)
  }
  return steps.map(step => {
    const resource = kinds[`${step.kind} ${step.phase}`]
    if (resource === undefined || shown.get(resource)) return step
    const { answer: _, expressions: __, ...rest } = step
    return { ...rest, name: `(you may not list ${resource})` }
  })
}
