/** A request that leaves audit events, and what the events of all its stages have in common. */
import type { RequestContext } from '../request/context.js'
import type { UserInfo } from '../request/user.js'
import type { Status } from '../status/status.js'
import { sortedKeys } from '../util/go-format.js'
import { escapedPath, parseRequestUri } from '../util/go-url.js'
import type { Decision } from './policy.js'
import { sourceIPs } from './source-ips.js'
import { decoded, quoted, withoutHtml } from './text.js'

export class AuditedRequest {
  readonly context: RequestContext
  readonly decision: Decision
  /** The code of the answer. */
  code = 0
  /** Set for an answer that is a Status. */
  status: Pick<Status, 'status' | 'message' | 'reason' | 'details'> | undefined
  /** The object of the answer, at RequestResponse. */
  responseJson: string | undefined
  #who: string | undefined

  constructor(context: RequestContext, decision: Decision) {
    this.context = context
    this.decision = decision
  }

  /** The fields from `requestURI` to `userAgent`. */
  get who(): string {
    const { record } = this.context
    // who the request acts as is known only after the first stage
    if (record.impersonated) return this.#text()
    return (this.#who ??= this.#text())
  }

  #text(): string {
    const { context } = this
    const { record, info, request } = context
    const asked = `"requestURI":${uriJson(request.url)},"verb":${quoted(info.verb)},"user":${userJson(record.requester)}`
    const ips = sourceIPs(request)
    const agent = userAgent(context)
    const from = `${ips === '' ? '' : `,"sourceIPs":[${ips}]`}${agent === '' ? '' : `,"userAgent":${quoted(agent)}`}`
    if (!record.impersonated) return asked + from
    const { impersonated, impersonationConstraint: constraint } = record
    const metadata = constraint === '' ? '' : `,"authenticationMetadata":{"impersonationConstraint":${quoted(constraint)}}`
    return `${asked},"impersonatedUser":${userJson(impersonated)}${metadata}${from}`
  }

  /** The field objectRef; "" for a path outside the resources. What the path does not say of the object comes from the body. */
  get objectRef(): string {
    const { info, record } = this.context
    if (!info.isResourceRequest) return ''
    const body = record.requestedObject
    const namespace = info.namespace || body?.namespace
    const name = info.name || body?.name
    const named = `${namespace ? `,"namespace":${quoted(namespace)}` : ''}${name ? `,"name":${quoted(name)}` : ''}`
    const uid = body?.uid ? `,"uid":${quoted(body.uid)}` : ''
    const group = info.group === '' ? '' : `,"apiGroup":${quoted(info.group)}`
    const version = body?.resourceVersion ? `,"resourceVersion":${quoted(body.resourceVersion)}` : ''
    const subresource = info.subresource === '' ? '' : `,"subresource":${quoted(info.subresource)}`
    return `,"objectRef":{"resource":${quoted(info.resource)}${named}${uid}${group},"apiVersion":${quoted(info.version)}${version}${subresource}}`
  }
}

const maxUserAgent = 1024

export function userAgent(context: RequestContext): string {
  const agent = context.header('user-agent') ?? ''
  return agent.length > maxUserAgent ? `${decoded(agent.slice(0, maxUserAgent))}...TRUNCATED` : decoded(agent)
}

/** Of these URLs nothing is escaped, neither in the URL nor in JSON. */
const plainUrl = /^[\w\-.~$+,/:;=@!'()*[\]%]*(?:\?[\w\-.~$+,/:;=@!'()*[\]%]*)?$/

const uriJson = (url: string) => (plainUrl.test(url) ? `"${url}"` : quoted(requestUri(url)))

const usual = /^[\w\-.~$&+,/:;=@!'()*[\]%]*(?:\?[\x21-\x7e]*)?$/

/** url.URL's RequestURI: the path is escaped anew where it has characters that must be, the query stays as it is. */
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

/** Authenticators that look up return the same user every time. */
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
  if (groups.length > 0) parts.push(`"groups":${withoutHtml(JSON.stringify(groups))}`)
  const keys = extra ? sortedKeys(extra) : []
  if (keys.length > 0)
    parts.push(`"extra":{${keys.map(key => `${quoted(key)}:${withoutHtml(JSON.stringify(extra![key]))}`).join(',')}}`)
  return `{${parts.join(',')}}`
}
