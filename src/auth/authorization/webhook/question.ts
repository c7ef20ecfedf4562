/** Identifies what a webhook would be asked about a request, at less cost than making the review. */
import type { AuthorizationAttributes } from '../../../apimachinery/request/authorization.js'
import type { UserInfo } from '../../../apimachinery/request/user.js'
import { sortedKeys } from '../../../util/go-format.js'

/** The texts of users. Authenticators return the same object for the same credentials. */
const users = new WeakMap<UserInfo, string>()

function userText(user: UserInfo): string {
  let text = users.get(user)
  if (text === undefined) {
    const { name, uid = '', groups, extra = {} } = user
    text = JSON.stringify([name, uid, groups, sortedKeys(extra).map(key => [key, extra[key]])])
    users.set(user, text)
  }
  return text
}

let lastAttributes: AuthorizationAttributes | undefined
let lastText = ''

/** Returns a text that is the same for requests with the same review. Several webhooks ask for it in turn about one request. */
export function questionText(attributes: AuthorizationAttributes): string {
  if (attributes !== lastAttributes) {
    lastText = `${userText(attributes.user)}${aboutText(attributes)}`
    lastAttributes = attributes
  }
  return lastText
}

function aboutText(attributes: AuthorizationAttributes): string {
  const { verb, namespace, group, version, resource, subresource, name, path, fieldSelector, labelSelector } = attributes
  if (!attributes.isResourceRequest) return JSON.stringify([verb, path])
  const about = [verb, namespace, group, version, resource, subresource, name]
  // a selector of which no requirement was left asks for the same as no selector
  const hasSelector = fieldSelector?.length || labelSelector?.length
  return JSON.stringify(hasSelector ? [...about, fieldSelector ?? [], labelSelector ?? []] : about)
}
