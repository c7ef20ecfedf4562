/**
 * The one catalogue of errors: every failure leaves the server as a Status object with kube-apiserver's code, reason,
 * message and details (https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/).
 */
import { goQuote } from '../../util/go-format.js'

/**
 * One cause of a failure: of an invalid object, each field that is wrong.
 *
 * @example
 * const cause: StatusCause = { reason: 'FieldValueInvalid', message: 'must be positive', field: 'spec.seats' }
 */
export interface StatusCause {
  reason?: string
  message?: string
  field?: string
}

/**
 * The object that a Status is about, the causes of a failure, and when to try again.
 *
 * @example
 * const details: StatusDetails = { name: 'web', group: 'apps', kind: 'deployments' }
 */
export interface StatusDetails {
  name?: string
  group?: string
  kind?: string
  uid?: string
  causes?: StatusCause[]
  retryAfterSeconds?: number
}

/**
 * The answer to a request that failed, and to some that succeeded.
 *
 * @example
 * const status: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: 'no', code: 403 }
 */
export interface Status {
  kind: 'Status'
  apiVersion: 'v1'
  metadata: { continue?: string; resourceVersion?: string; remainingItemCount?: number }
  status?: 'Success' | 'Failure'
  message?: string
  reason?: string
  details?: StatusDetails
  code?: number
}

/**
 * A resource by its plural name; the core group is "".
 *
 * @example
 * const deployments: GroupResource = { group: 'apps', resource: 'deployments' }
 */
export interface GroupResource {
  readonly group: string
  readonly resource: string
}

/**
 * A kind and its group; the core group is "".
 *
 * @example
 * const deployment: GroupKind = { group: 'apps', kind: 'Deployment' }
 */
export interface GroupKind {
  readonly group: string
  readonly kind: string
}

/**
 * A failure that the client is told, as a Status with its code. Admission plugins throw it; make it with `forbidden`, `badRequest` and
 * the like, or of a Status of your own.
 *
 * @example
 * throw new StatusError({
 *   kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure',
 *   code: 402, reason: 'PaymentRequired', message: 'the trial is over'
 * })
 */
export class StatusError extends Error {
  readonly status: Status
  readonly headers: Record<string, string> | undefined
  constructor(status: Status, headers?: Record<string, string>) {
    super(status.message)
    this.name = 'StatusError'
    this.status = status
    this.headers = headers
  }

  /** The HTTP status. */
  get code(): number {
    return this.status.code ?? 500
  }
}

function failure(
  code: number,
  reason: string | undefined,
  message: string,
  details?: StatusDetails,
  headers?: Record<string, string>
): StatusError {
  const status: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message }
  if (reason !== undefined) status.reason = reason
  if (details !== undefined) status.details = details
  status.code = code
  return new StatusError(status, headers)
}

/** "deployments.apps", or "pods" in the core group. */
function qualify(r: GroupResource): string {
  return r.group === '' ? r.resource : `${r.resource}.${r.group}`
}

function about(name: string, group: string, kind: string, rest?: StatusDetails): StatusDetails {
  const details: StatusDetails = {}
  if (name !== '') details.name = name
  if (group !== '') details.group = group
  if (kind !== '') details.kind = kind
  return Object.assign(details, rest)
}

const aboutResource = (r: GroupResource, name: string, rest?: StatusDetails) => about(name, r.group, r.resource, rest)

/**
 * 400: the request makes no sense as it is.
 *
 * @example
 * throw badRequest('the annotation example.com/owner must name a user')
 */
export const badRequest = (message: string) => failure(400, 'BadRequest', message)

/**
 * 400: an object fits its type, but not the one that kube-apiserver has inside. So says a whole object that was sent; that of a patch and of an apply say `why` in
 * their own words.
 */
export class Unconvertible extends StatusError {
  readonly why: string
  constructor(kind: string, version: string, why: string) {
    super(badRequest(`${kind} in version ${goQuote(version)} cannot be handled as a ${kind}: ${why}`).status)
    this.why = why
  }
}

export const unauthorized = () => failure(401, 'Unauthorized', 'Unauthorized')

/**
 * 403: the user, or the object, is not allowed: `pods "web" is forbidden: …`. `name` may be "".
 *
 * @example
 * throw forbidden({ group: '', resource: 'pods' }, 'web', 'images come from registry.example.com')
 */
export function forbidden(r: GroupResource, name: string, why: string, causes?: StatusCause[]): StatusError {
  const what = r.resource === '' ? '' : name === '' ? `${qualify(r)} is ` : `${qualify(r)} ${goQuote(name)} is `
  return failure(403, 'Forbidden', `${what}forbidden: ${why}`, aboutResource(r, name, causes && { causes }))
}

/** A path outside the API that the user may not reach. */
export const forbiddenPath = (message: string) => failure(403, 'Forbidden', `forbidden: ${message}`, {})

/** The reasons that tell what has happened, whatever the code says, of those that Kubernetes' API has (`metav1.StatusReason`). */
const tellingReasons: ReadonlySet<string | undefined> = new Set([
  'Unauthorized',
  'Forbidden',
  'NotFound',
  'AlreadyExists',
  'Conflict',
  'Gone',
  'Invalid',
  'ServerTimeout',
  'StoreReadError',
  'Timeout',
  'TooManyRequests',
  'BadRequest',
  'MethodNotAllowed',
  'NotAcceptable',
  'RequestEntityTooLarge',
  'UnsupportedMediaType',
  'InternalError',
  'Expired',
  'ServiceUnavailable'
])

/** Whether an error says that something is not there: by its reason, or by the code 404 where the reason says nothing. A webhook may answer with any two of them. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof StatusError &&
  (error.status.reason === 'NotFound' || (error.code === 404 && !tellingReasons.has(error.status.reason)))

/**
 * 404: an object does not exist: `configmaps "settings" not found`.
 *
 * @example
 * throw notFound({ group: '', resource: 'configmaps' }, 'settings')
 */
export const notFound = (r: GroupResource, name: string) =>
  failure(404, 'NotFound', `${qualify(r)} ${goQuote(name)} not found`, aboutResource(r, name))

/** A resource, version or subresource that a known group does not have. */
export const noSuchResource = () => failure(404, 'NotFound', 'the server could not find the requested resource', {})

export const methodNotAllowed = () =>
  failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {})

/** A verb that the resource's storage does not have (as opposed to a method that no route has). */
export const methodNotSupported = (r: GroupResource, verb: string) =>
  failure(
    405,
    'MethodNotAllowed',
    `${verb} is not supported on resources of kind ${JSON.stringify(qualify(r))}`,
    aboutResource(r, '')
  )

export const alreadyExists = (r: GroupResource, name: string) =>
  failure(409, 'AlreadyExists', `${qualify(r)} ${goQuote(name)} already exists`, aboutResource(r, name))

/** 409: the name is taken that was generated, or that stands beside a `generateName`. */
export const generatedNameTaken = (r: GroupResource, name: string, deleting: boolean) =>
  failure(
    409,
    'AlreadyExists',
    `${deleting ? 'object is being deleted: ' : ''}${qualify(r)} ${goQuote(name)} already exists, the server was not able to generate a unique name for the object`,
    { ...aboutResource(r, name), retryAfterSeconds: 1 },
    { 'retry-after': '1' }
  )

export const beingDeleted = (r: GroupResource, name: string) =>
  failure(409, 'AlreadyExists', `object is being deleted: ${qualify(r)} ${goQuote(name)} already exists`, aboutResource(r, name))

/**
 * 409: the operation does not fit the object's present state: `Operation cannot be fulfilled on pods "web": …`.
 *
 * @example
 * throw conflict({ group: '', resource: 'pods' }, 'web', 'it is being moved')
 */
export const conflict = (r: GroupResource, name: string, why: string) =>
  failure(409, 'Conflict', `Operation cannot be fulfilled on ${qualify(r)} ${goQuote(name)}: ${why}`, aboutResource(r, name))

/** Why a write with a stale resourceVersion, or that lost a race, is refused. */
const modifiedMeanwhile = 'the object has been modified; please apply your changes to the latest version and try again'

export const staleResourceVersion = (r: GroupResource, name: string) => conflict(r, name, modifiedMeanwhile)

/** Server-side apply would change what others own. */
export const applyConflict = (message: string, causes: StatusCause[]) => failure(409, 'Conflict', message, { causes })

/** `continueWith`: a token that leads to the rest of a list all the same. */
export function expired(message: string, continueWith?: string): StatusError {
  const error = failure(410, 'Expired', message)
  return continueWith === undefined ? error : new StatusError({ ...error.status, metadata: { continue: continueWith } })
}

export const tooLarge = (limit: number) => failure(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`)

/** A body of a size that is allowed, with more in it than can be looked at. */
export const tooManyValues = (limit: number, what = 'values') =>
  failure(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit} ${what}`)

/** Defaults that would make much more of an object than a client may send. */
export const tooManyDefaults = (bytes: number, values: number) =>
  failure(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${bytes} bytes and ${values} values of defaults`)

/** A schema with so much to try on each part of an object that the object cannot be validated. */
export const tooManyChecks = (limit: number) =>
  failure(
    413,
    'RequestEntityTooLarge',
    `Request entity too large: limit is ${limit} checks of alternatives, enums and required fields`
  )

/** Expressions that take longer to compile than a request may take. */
export const tooManyExpressions = (limit: number) =>
  failure(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit} characters of expressions`)

/** Regular expressions that take too much memory. */
export const tooManyInstructions = (limit: number) =>
  failure(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit} instructions of regular expressions`)

/** A body in a format that cannot be read as an object. */
export const unsupportedBody = (accepted: readonly string[]) =>
  failure(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`
  )

/** A page of another origin asks for a change. */
export const foreignPage = () => failure(403, 'Forbidden', 'a page of another origin may not do this: see --cors-allowed-origins')

/** A router has no route that consumes what was sent. */
export const notConsumed = () => failure(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {})

export const notAcceptable = (message: string) => failure(406, 'NotAcceptable', message)

/** A router has no route that produces what is accepted. */
export const notProduced = (types: readonly string[]) =>
  failure(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${types.join(', ')}`, {})

export function invalid(k: GroupKind, name: string, message: string, causes: StatusCause[]): StatusError {
  const kind = k.group === '' ? k.kind : `${k.kind}.${k.group}`
  const details = about(name, k.group, k.kind)
  if (causes.length > 0) details.causes = causes
  return failure(422, 'Invalid', `${kind} ${goQuote(name)} is invalid: ${message}`, details)
}

/**
 * 429: the client should try again after so many seconds; 0 leaves that open.
 *
 * @example
 * throw tooManyRequests('one backup at a time', 30)
 */
export const tooManyRequests = (message: string, retryAfterSeconds: number, causes?: StatusCause[]) =>
  failure(
    429,
    'TooManyRequests',
    message,
    { ...(causes ? { causes } : {}), ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}) },
    retryAfterSeconds > 0 ? { 'retry-after': String(retryAfterSeconds) } : undefined
  )

/** 429 as Go's NewTooManyRequestsError makes it: without a time to wait. */
export const rateLimited = (message: string) => failure(429, 'TooManyRequests', `Too many requests: ${message}`)

export const internalError = (message: string) =>
  failure(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] })

/** An error that kube-apiserver passes on as it is: 500 without a reason. */
export const plainError = (message: string) => failure(500, undefined, message)

/** 503 that does not say when to try again. */
export const serviceUnavailable = (message: string) => failure(503, 'ServiceUnavailable', message)

/**
 * 503: something that the request needs does not answer; the client should try again in a second.
 *
 * @example
 * throw unavailable('the license server does not answer')
 */
export const unavailable = (message: string) => failure(503, 'ServiceUnavailable', message, undefined, { 'retry-after': '1' })

/** What Kubernetes' clients make of an error that another server answers, by its code. */
const ofCodes: Readonly<Record<number, readonly [reason: string, message: string]>> = {
  400: ['BadRequest', 'the server rejected our request for an unknown reason'],
  401: ['Unauthorized', 'the server has asked for the client to provide credentials'],
  404: ['NotFound', 'the server could not find the requested resource'],
  405: ['MethodNotAllowed', 'the server does not allow this method on the requested resource'],
  409: ['Conflict', 'the server reported a conflict'],
  422: ['Invalid', 'the server rejected our request due to an error in our request'],
  429: ['TooManyRequests', 'the server has received too many requests and has asked us to try again later'],
  503: ['ServiceUnavailable', 'the server is currently unable to handle the request'],
  504: ['Timeout', 'the server was unable to return a response in the time allotted, but may still be processing the request']
}

/** For these codes the other server's text says more. */
const reasonsWithText: Readonly<Record<number, string>> = { 403: 'Forbidden', 406: 'NotAcceptable', 415: 'UnsupportedMediaType' }

/** Another server, of which this one has asked `r`, answers with an error. */
export function unexpectedAnswer(code: number, r: GroupResource, name: string, text: string): StatusError {
  const server = `an error on the server (${goQuote(text)}) has prevented the request from succeeding`
  const [reason, message] = Object.hasOwn(reasonsWithText, code)
    ? [reasonsWithText[code]!, text]
    : (ofCodes[code] ??
      (code >= 500
        ? ['InternalError', server]
        : ['', `the server responded with the status code ${code} but did not return more information`]))
  return failure(code, reason || undefined, `${message} ( ${qualify(r)} ${name})`, aboutResource(r, name))
}

export const timeout = (message: string, details: StatusDetails, retryAfterSeconds?: number) =>
  retryAfterSeconds === undefined
    ? failure(504, 'Timeout', message, details)
    : failure(504, 'Timeout', message, { ...details, retryAfterSeconds }, { 'retry-after': String(retryAfterSeconds) })

export function success(details?: StatusDetails, code?: number): Status {
  const status: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' }
  if (details) status.details = details
  if (code !== undefined) status.code = code
  return status
}
