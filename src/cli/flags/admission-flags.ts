import { admissionPluginNames } from '../../admission/plugin-names.js'
import { ranges } from '../../server/number-ranges.js'
import { flag } from './flag.js'
import { chosen, integer, resolveService, runtimeConfig, string, strings } from './value-types.js'

const names = strings(text => text)
/** The groups of the API. `none` alone stands for no group. */
const apiGroups: typeof names = {
  ...names,
  read: (text, previous) => (text === 'none' && previous === undefined ? [] : names.read(text, previous))
}
const admissionPlugins = strings(text => chosen(text, admissionPluginNames))

const tolerationSeconds = integer('int', ranges.tolerationSeconds)

/** The flags about admission plugins and about the APIs that are served. */
export const admissionFlags = {
  'enable-admission-plugins': flag({
    section: 'Admission',
    type: admissionPlugins,
    default: [],
    description: 'Admission plugins to run in addition to the default ones. The order does not matter.'
  }),
  'disable-admission-plugins': flag({
    section: 'Admission',
    type: admissionPlugins,
    default: [],
    description: 'Default admission plugins to disable.'
  }),
  'admission-control': flag<readonly string[] | undefined>({
    section: 'Admission',
    type: admissionPlugins,
    default: undefined,
    description: 'All admission plugins that run. Deprecated: use --enable-admission-plugins and --disable-admission-plugins.'
  }),
  'admission-control-config-file': flag({
    section: 'Admission',
    type: string,
    default: undefined,
    description:
      'File with an AdmissionConfiguration: the configurations of admission plugins, or the names of files that have them. The plugins are PodSecurity, ResourceQuota, EventRateLimit, ImagePolicyWebhook, PodNodeSelector, PodTolerationRestriction, and the webhooks.'
  }),
  'default-not-ready-toleration-seconds': flag({
    section: 'Admission',
    type: tolerationSeconds,
    default: 300,
    description: 'Seconds for which Pods stay on a node that is not ready, unless they say otherwise.'
  }),
  'default-unreachable-toleration-seconds': flag({
    section: 'Admission',
    type: tolerationSeconds,
    default: 300,
    description: 'Seconds for which Pods stay on a node that cannot be reached, unless they say otherwise.'
  }),

  'api-groups': flag({
    section: 'API enablement',
    type: apiGroups,
    default: ['all'],
    description:
      'The groups of built-in kinds that are served, core for that of Pods. Custom resources need apiextensions.k8s.io. With none, only health checks and the like are served. (Only Binnacle has this flag.)'
  }),
  'runtime-config': flag({
    section: 'API enablement',
    type: runtimeConfig,
    default: {},
    description:
      'Turns APIs on or off, for example api/alpha=true or resource.k8s.io/v1beta1=true. Keys: api/all, api/ga, api/beta, api/alpha, group/version, group/version/resource.'
  }),
  'resolve-service': flag({
    section: 'API enablement',
    type: resolveService,
    default: {},
    description:
      'Addresses of services that webhooks and APIServices refer to, for use without a cluster: namespace/name=127.0.0.1:9443 or namespace/name:443=127.0.0.1:9443, separated by commas. (Only Binnacle has this flag.)'
  })
}
