/** The controllers that --controllers switches, by the names that kube-controller-manager gives them. */
import { UserError } from '../util/user-error.js'

export const controllerNames = [
  'bootstrap-signer-controller',
  'certificatesigningrequest-approving-controller',
  'certificatesigningrequest-cleaner-controller',
  'certificatesigningrequest-signing-controller',
  'clusterrole-aggregation-controller',
  'garbage-collector-controller',
  'kube-apiserver-serving-clustertrustbundle-publisher-controller',
  'legacy-serviceaccount-token-cleaner-controller',
  'namespace-controller',
  'podcertificaterequest-cleaner-controller',
  'resourcequota-controller',
  'service-cidr-controller',
  'serviceaccount-controller',
  'serviceaccount-token-controller',
  'storage-version-migrator-controller',
  'storageversion-garbage-collector-controller',
  'token-cleaner-controller',
  'validatingadmissionpolicy-status-controller'
] as const

export type ControllerName = (typeof controllerNames)[number]

/** Older names, which kube-controller-manager still accepts. */
const aliases: ReadonlyMap<string, ControllerName> = new Map([
  ['bootstrapsigner', 'bootstrap-signer-controller'],
  ['clusterrole-aggregation', 'clusterrole-aggregation-controller'],
  ['csrapproving', 'certificatesigningrequest-approving-controller'],
  ['csrcleaner', 'certificatesigningrequest-cleaner-controller'],
  ['csrsigning', 'certificatesigningrequest-signing-controller'],
  ['garbagecollector', 'garbage-collector-controller'],
  ['legacy-service-account-token-cleaner', 'legacy-serviceaccount-token-cleaner-controller'],
  ['namespace', 'namespace-controller'],
  ['resourcequota', 'resourcequota-controller'],
  ['serviceaccount', 'serviceaccount-controller'],
  ['serviceaccount-token', 'serviceaccount-token-controller'],
  ['storage-version-gc', 'storageversion-garbage-collector-controller'],
  ['svm', 'storage-version-migrator-controller'],
  ['tokencleaner', 'token-cleaner-controller']
])

/**
 * Controllers that `*` does not include. Without the controller of ServiceCIDRs, a ServiceCIDR is deleted at once, as with
 * kube-apiserver alone.
 */
const onRequest: ReadonlySet<ControllerName> = new Set([
  'bootstrap-signer-controller',
  'service-cidr-controller',
  'token-cleaner-controller'
])

/** Returns the controller that `name` or `-name` refers to, or `*`; undefined for an unknown name. */
export function controllerNamed(item: string): '*' | ControllerName | undefined {
  const name = item.replace(/^-/, '')
  if (item === '*') return item
  return aliases.get(name) ?? controllerNames.find(known => known === name)
}

/** Returns the controllers that run. The first item that names a controller decides, otherwise a `*` that includes it. */
export function enabledControllers(items: readonly string[] = ['*']): Set<ControllerName> {
  const unknown = items.find(item => controllerNamed(item) === undefined)
  if (unknown !== undefined) throw new UserError(`--controllers ${JSON.stringify(unknown)} ${expectedControllers}`)
  return new Set(
    controllerNames.filter(name => {
      const decisive = items.find(item => controllerNamed(item) === name)
      return decisive === undefined ? items.includes('*') && !onRequest.has(name) : !decisive.startsWith('-')
    })
  )
}

/** Completes the sentence `--controllers "text" …`. */
export const expectedControllers = `must be *, or a controller's name, with - in front to switch it off; the controllers are ${controllerNames.join(', ')}`
