/** Decides for which requests the rules of a FlowSchema are. */
import type {
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject
} from '../../apimachinery/api/generated/flowcontrol-v1.js'
import type { RequestInfo } from '../../apimachinery/request/request-info.js'
import type { UserInfo } from '../../apimachinery/request/user.js'

const accounts = 'system:serviceaccount:'

export function isSubject({ name, groups }: UserInfo, { kind, user, group, serviceAccount }: Subject): boolean {
  if (kind === 'User') return user !== undefined && (user.name === '*' || user.name === name)
  if (kind === 'Group') return group !== undefined && (group.name === '*' || groups.includes(group.name))
  if (kind !== 'ServiceAccount' || !serviceAccount) return false
  const inNamespace = `${accounts}${serviceAccount.namespace}:`
  return serviceAccount.name === '*' ? name.startsWith(inNamespace) : name === inNamespace + serviceAccount.name
}

export function isAbout(rule: PolicyRulesWithSubjects, info: RequestInfo): boolean {
  return info.isResourceRequest
    ? (rule.resourceRules ?? []).some(resources => coversResource(resources, info))
    : (rule.nonResourceRules ?? []).some(paths => coversPath(paths, info))
}

function coversResource({ verbs, apiGroups, resources, clusterScope, namespaces }: ResourcePolicyRule, info: RequestInfo) {
  return (
    covers(verbs, info.verb) &&
    covers(resources, info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`) &&
    covers(apiGroups, info.group) &&
    (info.namespace === '' ? clusterScope === true : covers(namespaces, info.namespace))
  )
}

function coversPath({ verbs, nonResourceURLs }: NonResourcePolicyRule, { verb, path }: RequestInfo): boolean {
  return (
    covers(verbs, verb) &&
    (nonResourceURLs ?? []).some(url => {
      if (url === '*' || url === path) return true
      const folder = url.endsWith('*') ? url.slice(0, -1) : url
      return path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
    })
  )
}

/** Whether a list covers a value. The wildcard counts only when it is alone; otherwise it is a name like others. */
function covers(list: readonly string[] | null, wanted: string): boolean {
  return list !== null && ((list.length === 1 && list[0] === '*') || list.includes(wanted))
}
