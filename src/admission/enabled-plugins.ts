/** Decides which built-in plugins run. */
import { admissionPluginNames } from './plugin-names.js'

export interface PluginChoice {
  readonly enableAdmissionPlugins?: readonly string[] | undefined
  readonly disableAdmissionPlugins?: readonly string[] | undefined
}

/** The plugins that run only when --enable-admission-plugins names them. */
const onRequest: ReadonlySet<string> = new Set([
  'AlwaysAdmit',
  'NamespaceAutoProvision',
  'NamespaceExists',
  'LimitPodHardAntiAffinityTopology',
  'NodeRestriction',
  'AlwaysPullImages',
  'ImagePolicyWebhook',
  'PodNodeSelector',
  'PodTolerationRestriction',
  'EventRateLimit',
  'ExtendedResourceToleration',
  'OwnerReferencesPermissionEnforcement',
  'DenyServiceExternalIPs',
  'AlwaysDeny'
])

/** Returns the names of the plugins that run, in their order. */
export function enabledPluginNames({
  enableAdmissionPlugins: enabled = [],
  disableAdmissionPlugins: disabled = []
}: PluginChoice): readonly string[] {
  return admissionPluginNames.filter(name => enabled.includes(name) || (!onRequest.has(name) && !disabled.includes(name)))
}
