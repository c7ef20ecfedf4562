/** A request for which audit events are made, and what the events of all its stages have in common. */
import type { RequestContext } from '../../apimachinery/request/context.js'
import { sentUrl } from '../../apimachinery/request/message.js'
import type { UserInfo } from '../../apimachinery/request/user.js'
import type { Status } from '../../apimachinery/status/status.js'
import { sortedKeys } from '../../util/go-format.js'
import { escapedPath, parseRequestUri } from '../../util/go-url.js'
import { withHtmlEscapes } from '../../util/html-escapes.js'
import type { Decision } from './policy.js'
import { sourceIPs } from './source-ips.js'
import { decoded, quoted } from './text.js'

export class AuditedRequest {
  readonly context: RequestContext
  readonly decision: Decision
  /** The code of the answer. */
  code = 0
  /** The Status, if the answer is one. */
  status: Pick<Status, 'status' | 'message' | 'reason' | 'details'> | undefined
  /** The object of the answer, at the level RequestResponse. */
  responseJson: string | undefined
  #who: string | undefined

  constructor(context: RequestContext, decision: Decision) {
    this.context = context
    this.decision = decision
  }

  /** Returns the fields from `requestURI` to `userAgent`. */
  get who(): string {
    const { record } = this.context
    // the user that the request acts as is known only after the first stage
    if (record.impersonated) return this.#text()
    return (this.#who ??= this.#text())
  }

  #text(): string {
    const { context } = this
    const { record, info, request } = context
    // a verb comes from a method that the HTTP parser knows
    const asked = `"requestURI":${uriJson(sentUrl(request))},"verb":"${info.verb}","user":`
    if (!record.impersonated) return asked + senderJson(context)
    const { impersonated, impersonationConstraint: constraint } = record
    const metadata = constraint === '' ? '' : `,"authenticationMetadata":{"impersonationConstraint":${quoted(constraint)}}`
    return `${asked}${userJson(record.requester)},"impersonatedUser":${userJson(impersonated)}${metadata}${fromJson(context)}`
  }

  /**
   * Returns the field `objectRef`; "" for a path outside the resources. What the path does not say about the object comes from
   * the body.
   */
  get objectRef(): string {
    const { info, record, request } = this.context
    if (!info.isResourceRequest) return ''
    const body = record.requestedObject
    // what is read from a plain URL needs no escapes
    const text = isPlain(request.url) ? unescaped : quoted
    const namespace =
      info.namespace !== ''
        ? `,"namespace":${text(info.namespace)}`
        : body?.namespace
          ? `,"namespace":${quoted(body.namespace)}`
          : ''
    const name = info.name !== '' ? `,"name":${text(info.name)}` : body?.name ? `,"name":${quoted(body.name)}` : ''
    const uid = body?.uid ? `,"uid":${quoted(body.uid)}` : ''
    const group = info.group === '' ? '' : `,"apiGroup":${text(info.group)}`
    const version = body?.resourceVersion ? `,"resourceVersion":${quoted(body.resourceVersion)}` : ''
    const subresource = info.subresource === '' ? '' : `,"subresource":${text(info.subresource)}`
    return `,"objectRef":{"resource":${text(info.resource)}${namespace}${name}${uid}${group},"apiVersion":${text(info.version)}${version}${subresource}}`
  }
}

const unescaped = (text: string) => `"${text}"`

/** The sender with addresses and agent, which are the same for many requests. */
interface Sender {
  readonly agent: string
  readonly remote: string
  readonly json: string
}

const senders = new WeakMap<UserInfo, Sender>()

function senderJson(context: RequestContext): string {
  const { request, record } = context
  const { requester } = record
  const { headers, remoteAddress: remote } = request
  if (!requester || headers['x-forwarded-for'] !== undefined || headers['x-real-ip'] !== undefined)
    return userJson(requester) + fromJson(context)
  const agent = context.header('user-agent') ?? ''
  const known = senders.get(requester)
  if (known && known.agent === agent && known.remote === remote) return known.json
  const json = userJson(requester) + fromJson(context)
  senders.set(requester, { agent, remote, json })
  return json
}

function fromJson(context: RequestContext): string {
  const ips = sourceIPs(context.request)
  const agent = userAgent(context)
  return `${ips === '' ? '' : `,"sourceIPs":[${ips}]`}${agent === '' ? '' : `,"userAgent":${quoted(agent)}`}`
}

const maxUserAgent = 1024

export function userAgent(context: RequestContext): string {
  const agent = context.header('user-agent') ?? ''
  return agent.length > maxUserAgent ? `${decoded(agent.slice(0, maxUserAgent))}...TRUNCATED` : decoded(agent)
}

/** A URL in which nothing is escaped and nothing has to be, neither for a URL nor for JSON. */
const plainUrl = /^[\w\-.~$+,/:;=@!'()*[\]]*(?:\?[\w\-.~$+,/:;=@!'()*[\]]*)?$/

const isPlain = (url: string) => plainUrl.test(url)

const uriJson = (url: string) => (isPlain(url) ? `"${url}"` : quoted(requestUri(url)))

const usual = /^[\w\-.~$&+,/:;=@!'()*[\]%]*(?:\?[\x21-\x7e]*)?$/

/** Returns what Go's url.URL.RequestURI does: the path is escaped where it has to be, and the query stays as it is. */
export function requestUri(url: string): string {
  if (usual.test(url)) return url
  const question = url.indexOf('?')
  const query = question < 0 ? '' : decoded(url.slice(question))
  const path = decoded(question < 0 ? url : url.slice(0, question))
  try {
    return escapedPath(parseRequestUri(path)) + query
  } catch {
    return path + query
  }
}

/** The texts of users. Most authenticators return the same object every time. */
const known = new WeakMap<UserInfo, string>()

function userJson(user: UserInfo | undefined): string {
  if (!user) return '{}'
  let text = known.get(user)
  if (text === undefined) known.set(user, (text = describe(user)))
  return text
}

function describe({ name, uid, groups, extra }: UserInfo): string {
  const parts: string[] = []
  if (name !== '') parts.push(`"username":${quoted(name)}`)
  if (uid) parts.push(`"uid":${quoted(uid)}`)
  if (groups.length > 0) parts.push(`"groups":${withHtmlEscapes(JSON.stringify(groups))}`)
  const keys = extra ? sortedKeys(extra) : []
  if (keys.length > 0)
    parts.push(`"extra":{${keys.map(key => `${quoted(key)}:${withHtmlEscapes(JSON.stringify(extra![key]))}`).join(',')}}`)
  return `{${parts.join(',')}}`
}
