/** How webhooks are declared: functions that change or refuse objects, and convert them between versions. */
import type { UserInfo } from '../../apimachinery/api/generated/authentication-v1.js'
import type { DeclaredKind, KubeObject } from '../../apimachinery/api/kube-object.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { Logger } from '../../util/logger.js'
import { checkMembers, isMap, listOf, oneOf, type Shape, valueTypes } from '../../util/members.js'
import { UserError } from '../../util/user-error.js'
import { kindType, refOf } from '../kind-names.js'
import type { KindRef, KubeClient } from '../types.js'
import { resourceOf } from './kinds.js'

/**
 * A request that a webhook is asked about.
 *
 * @example
 * const isRename = ({ operation, object, old }: WebhookRequest<Course>) => operation === 'UPDATE' && object.spec.title !== old?.spec.title
 */
export interface WebhookRequest<T> {
  readonly uid: string
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'
  /** The object of the request; that which is deleted. */
  readonly object: T
  /** What the object was before an update or a deletion. */
  readonly old: T | undefined
  readonly name: string
  readonly namespace: string | undefined
  readonly subresource: string | undefined
  readonly user: UserInfo
  readonly dryRun: boolean
  /** The options of the request, such as CreateOptions. */
  readonly options: Readonly<Record<string, unknown>> | undefined
  /** A client of the operator's user. */
  readonly client: KubeClient
  /** Aborts when the API server no longer waits for the answer. */
  readonly signal: AbortSignal
  readonly log: Logger
  /** Adds a Warning to the answer that the user gets. */
  warn(text: string): void
}

/**
 * A webhook for a kind. `mutate` is asked first, and `validate` about what has become of the object.
 *
 * @example
 * const courses: Webhook<Course> = {
 *   kind: course,
 *   mutate(object) {
 *     object.spec.seats ??= 20
 *   },
 *   validate({ spec }) {
 *     if (spec.seats > 30) throw denied('the room has 30 seats')
 *   }
 * }
 */
export interface Webhook<T extends KubeObject = any> {
  readonly kind: DeclaredKind<T> | KindRef<T>
  /** Changes the object, or returns another one. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most functions change the object and return nothing
  mutate?(object: T, request: WebhookRequest<T>): T | void | Promise<T | void>
  /** Throws, or rejects with, what is wrong with the object: `denied`. Any other error than a StatusError is a failure of the webhook (500). */
  validate?(object: T, request: WebhookRequest<T>): void | Promise<void>
  /** `CREATE` and `UPDATE`. */
  readonly operations?: readonly ('CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT')[] | undefined
  /** The subresource about which it is asked: `status`; the object itself. */
  readonly subresource?: string | undefined
  /** What becomes of requests while the webhook does not answer; `Fail`. */
  readonly failurePolicy?: 'Fail' | 'Ignore' | undefined
  /** Whether it is asked about requests in other versions, too; `Equivalent`. */
  readonly matchPolicy?: 'Exact' | 'Equivalent' | undefined
  readonly namespaceSelector?: object | undefined
  readonly objectSelector?: object | undefined
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[] | undefined
  readonly sideEffects?: 'None' | 'NoneOnDryRun' | undefined
  /** Seconds for the answer; 10. */
  readonly timeoutSeconds?: number | undefined
  /** Whether `mutate` is asked again when others have changed the object after it; `Never`. */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded' | undefined
}

/**
 * How the objects of a kind become those of another version: by way of the hub, the version that all others are converted to and from. Labels and annotations are all of the metadata that may change.
 *
 * @example
 * const courses: Conversion = {
 *   kind: course,
 *   hub: 'v1',
 *   versions: {
 *     v1beta1: {
 *       toHub: ({ spec, ...object }) => ({ ...object, spec: { seats: spec.places } }),
 *       fromHub: ({ spec, ...object }) => ({ ...object, spec: { places: spec.seats } })
 *     }
 *   }
 * }
 */
export interface Conversion {
  readonly kind: DeclaredKind
  /** The name of the version. */
  readonly hub: string
  /** The functions of all other versions, by their names. They may change their argument, and need not set apiVersion. */
  readonly versions: Readonly<
    Record<string, { toHub(object: any): object | Promise<object>; fromHub(object: any): object | Promise<object> }>
  >
}

/**
 * Declares a webhook. Returns its argument: it exists for the type of the objects.
 *
 * @example
 * const courses = defineWebhook({ kind: course, validate: ({ spec }) => { if (spec.seats < 1) throw denied('no seats') } })
 * const operator = defineOperator({ name: 'rooms', reconcilers: [], webhooks: [courses] })
 */
export function defineWebhook<T extends KubeObject>(webhook: Webhook<T>): Webhook<T> {
  return webhook
}

/**
 * The error by which `validate` refuses an object: 403, with the reason Forbidden.
 *
 * @example
 * if (spec.seats > 30) throw denied('the room has 30 seats')
 */
export function denied(message: string): StatusError {
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason: 'Forbidden',
    code: 403
  })
}

const { text, object, objects, number, function: fn } = valueTypes
const webhookShape: Shape = {
  members: {
    ...{ kind: kindType, mutate: fn, validate: fn, subresource: text, timeoutSeconds: number },
    operations: listOf('a list of operations', oneOf('CREATE', 'UPDATE', 'DELETE', 'CONNECT')),
    failurePolicy: oneOf('Fail', 'Ignore'),
    matchPolicy: oneOf('Exact', 'Equivalent'),
    ...{ namespaceSelector: object, objectSelector: object, matchConditions: objects },
    sideEffects: oneOf('None', 'NoneOnDryRun'),
    reinvocationPolicy: oneOf('Never', 'IfNeeded')
  },
  required: ['kind']
}
const conversionShape: Shape = { members: { kind: kindType, hub: text, versions: object }, required: ['kind', 'hub', 'versions'] }
const converterShape: Shape = { members: { toHub: fn, fromHub: fn }, required: ['toHub', 'fromHub'] }

/** Throws a UserError for a webhook that is not one. */
export function checkWebhook(webhook: Webhook, place: string): void {
  checkMembers(webhook, webhookShape, place)
  if (!webhook.mutate && !webhook.validate) throw new UserError(`${place.slice(0, -1)} has neither mutate nor validate`)
}

export function checkConversion(conversion: Conversion, place: string): void {
  checkMembers(conversion, conversionShape, place)
  const { kind, hub, versions } = conversion
  for (const [name, converter] of Object.entries(versions))
    checkMembers(isMap(converter) ? converter : {}, converterShape, `${place}versions.${name}.`)
  if (!('versions' in kind)) throw new UserError(`${place}kind must be a kind of defineKind`)
  const missing = kind.versions.map(({ name }) => name).find(name => name !== hub && !Object.hasOwn(versions, name))
  if (missing !== undefined) throw new UserError(`${place}versions has no functions for the version ${missing}`)
}

export type WebhookVerb = 'mutate' | 'validate'

/** The path of a webhook, as controller-runtime names it: `/validate-school-example-com-v1-course`. */
export function webhookPath(verb: WebhookVerb, { kind, subresource }: Webhook): string {
  const { group, version } = resourceOf(kind)
  const path = `/${verb}-${group.replaceAll('.', '-')}-${version}-${refOf(kind).kind.toLowerCase()}`
  return subresource === undefined ? path : `${path}-${subresource.replaceAll('/', '-')}`
}

export const conversionPath = '/convert'
