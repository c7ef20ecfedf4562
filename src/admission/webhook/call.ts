/** Calls one webhook for one request. */
import type { Subject } from '../../apimachinery/request/fault-subject.js'
import { badRequest, StatusError } from '../../apimachinery/status/status.js'
import type { WebhookClient } from '../../transport/webhooks/client.js'
import { WebhookCallError } from '../../transport/webhooks/exchange.js'
import { goQuote } from '../../util/go-format.js'
import type { AdmissionAttributes } from '../admission.js'
import { annotate } from '../audit-annotations.js'
import type { ServedResource } from '../matching/served-resource.js'
import type { ConfiguredWebhook } from './configured-webhook.js'
import {
  type ReviewAnswer,
  type ReviewVersion,
  readAnswer,
  reviewOf,
  type SentStatus,
  type ShownObjects,
  UnreadableAnswer,
  WrongAnswer
} from './review.js'

/** The call failed or its answer is not valid: the webhook's failurePolicy decides whether the request fails. */
export class WebhookFailure extends Error {
  /** The code by which the metrics count the failure. */
  readonly code: number

  constructor(webhook: string, why: string, code = 503) {
    super(`failed calling webhook ${goQuote(webhook)}: ${why}`)
    this.code = code
  }
}

/** The webhook has refused the request. */
export class WebhookRefusal extends StatusError {}

/** A call of a webhook, with the request's resource and objects as the webhook's rules matched them. */
export interface Question {
  readonly webhook: ConfiguredWebhook
  readonly matched: ServedResource
  readonly shown: ShownObjects
  readonly mutating: boolean
}

const defaultTimeoutSeconds = 10
const withoutEffects = ['None', 'NoneOnDryRun']
const isReviewVersion = (version: string): version is ReviewVersion => version === 'v1' || version === 'v1beta1'

/** Returns the answer of a webhook that allows the request. Throws a WebhookFailure, or a StatusError if the webhook refuses. */
export async function ask(
  attributes: AdmissionAttributes,
  client: WebhookClient,
  { webhook: { hook }, matched, shown, mutating }: Question
): Promise<ReviewAnswer> {
  const { context } = attributes
  const { origin } = context
  const { random } = context.services
  if (context.dryRun && !withoutEffects.includes(hook.sideEffects ?? ''))
    throw badRequest(`admission webhook ${goQuote(hook.name)} does not support dry run`)
  const version = hook.admissionReviewVersions?.find(isReviewVersion)
  if (!version)
    throw new WebhookFailure(
      hook.name,
      'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
      400
    )
  const uid = random.apart('reviews').uuid()
  const review = reviewOf(version, uid, attributes, matched, shown)
  const timeoutMs = (hook.timeoutSeconds ?? defaultTimeoutSeconds) * 1000
  let answer: ReviewAnswer
  try {
    const { signal } = origin
    const subject = () => subjectOf(attributes)
    const call = client.post(hook.clientConfig, review, { timeoutMs, signal, name: hook.name, subject })
    const text = await (origin.record?.time(mutating ? 'mutating-webhook' : 'validating-webhook', call) ?? call)
    answer = readAnswer(text, version, uid, mutating)
  } catch (error) {
    if (error instanceof WrongAnswer) throw new WebhookFailure(hook.name, `received invalid webhook response: ${error.message}`)
    if (error instanceof WebhookCallError || error instanceof UnreadableAnswer)
      throw new WebhookFailure(
        hook.name,
        `failed to call webhook: ${error.message}`,
        error instanceof WebhookCallError ? error.code : undefined
      )
    throw error
  }
  for (const [key, value] of Object.entries(answer.auditAnnotations)) annotate(origin.record, `${hook.name}/${key}`, value)
  // a warning becomes a header, which cannot hold control characters
  for (const warning of answer.warnings) if (warning !== '' && !/\p{Cc}/u.test(warning)) context.warn(warning)
  if (!answer.allowed) throw refusal(hook.name, answer.result)
  return answer
}

/** The write that the webhook is asked about, as faults see it. */
function subjectOf({ resource, subresource, namespace, name, operation, context }: AdmissionAttributes): Subject {
  const { origin, user } = context
  const userAgent = origin.header?.('user-agent') ?? ''
  const { group } = resource
  const verb = operation.toLowerCase()
  return {
    user: user.name,
    isOwn: !origin.record,
    verb,
    group,
    resource: resource.resource,
    subresource,
    namespace,
    name,
    path: '',
    userAgent,
    steps: origin.record?.steps
  }
}

/** Makes the error that the webhook sent, with a code of at least 400 and a status other than Success. */
function refusal(name: string, sent: SentStatus = {}): StatusError {
  const { metadata = {}, status = '', message = '', reason = '', details, code = 400 } = sent
  const deniedBy = `admission webhook ${goQuote(name)} denied the request`
  const why = message || reason
  const retryAfter = details?.retryAfterSeconds ?? 0
  return new WebhookRefusal(
    {
      kind: 'Status',
      apiVersion: 'v1',
      metadata,
      status: (status === '' || status === 'Success' ? 'Failure' : status) as 'Failure',
      message: why === '' ? `${deniedBy} without explanation` : `${deniedBy}: ${why}`,
      ...(reason === '' ? {} : { reason }),
      ...(details ? { details } : {}),
      code: Math.max(code, 400)
    },
    retryAfter > 0 ? { 'retry-after': String(retryAfter) } : undefined
  )
}
