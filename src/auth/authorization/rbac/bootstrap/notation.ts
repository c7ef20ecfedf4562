/** A short notation for the rules of the default roles: a line each, with blanks between the items of a list. */
import type { PolicyRule } from '../../../../apimachinery/api/generated/rbac-v1.js'

export const read = 'get list watch'
export const write = 'create update patch delete deletecollection'
export const readWrite = `${read} ${write}`
export const readUpdate = `${read} update patch`

/** `groups` are written as "core apps". All lists are stored sorted. */
export const rule = (verbs: string, groups: string, resources: string, names?: string): PolicyRule => ({
  verbs: words(verbs),
  apiGroups: words(groups)
    .map(group => (group === 'core' ? '' : group))
    .sort(),
  resources: words(resources),
  ...(names === undefined ? {} : { resourceNames: words(names) })
})

export const paths = (verbs: string, urls: string): PolicyRule => ({ verbs: words(verbs), nonResourceURLs: words(urls) })

export const events = rule('create update patch', 'core events.k8s.io', 'events')

function words(text: string): string[] {
  return text.split(' ').sort()
}
