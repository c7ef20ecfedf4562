/** The form `legacy` of the log: one line for people per event. */
import type { RequestContext } from '../../apimachinery/request/context.js'
import { sentUrl } from '../../apimachinery/request/message.js'
import { goQuote } from '../../util/go-format.js'
import { type AuditedRequest, requestUri, userAgent } from './audited-request.js'
import type { Stage } from './policy.js'
import { sourceIPs } from './source-ips.js'
import { decoded } from './text.js'

export function legacyLine({ context, code }: AuditedRequest, stage: Stage): string {
  const { record, info, request } = context
  const { requester, impersonated } = record
  const named = requester !== undefined && requester.name !== ''
  const fields: [string, string][] = [
    ['id', decoded(record.auditId)],
    ['stage', stage],
    ['ip', firstIP(context)],
    ['method', info.verb],
    ['user', named ? requester.name : '<none>'],
    ['groups', named && requester.groups.length > 0 ? listed(requester.groups) : '<none>'],
    ['as', impersonated ? impersonated.name : '<self>'],
    ['asgroups', impersonated ? listed(impersonated.groups) : '<lookup>'],
    ['user-agent', userAgent(context)],
    ['namespace', (info.isResourceRequest && (info.namespace || record.requestedObject?.namespace)) || '<none>'],
    ['uri', decoded(requestUri(sentUrl(request)))]
  ]
  const text = fields.map(([name, value]) => `${name}=${goQuote(value)}`).join(' ')
  const received = new Date(record.receivedAt).toISOString().replace(/\.?0*Z$/, 'Z')
  return `${received} AUDIT: ${text} response="${stage === 'RequestReceived' ? '<deferred>' : code}"`
}

const firstIP = ({ request }: RequestContext) => /^"([^"]*)"/.exec(sourceIPs(request))?.[1] ?? '<unknown>'

const listed = (texts: readonly string[]) => texts.map(goQuote).join(',')
