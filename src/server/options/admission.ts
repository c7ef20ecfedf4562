import { admissionPluginNames } from '../../admission/plugin-names.js'
import { ranges } from './number-ranges.js'
import { option } from './option.js'
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
export const admissionOptions = {
  enableAdmissionPlugins: option({
    flag: 'enable-admission-plugins',
    section: 'Admission',
    type: admissionPlugins,
    default: [],
    help: 'Admission plugins to run in addition to the default ones. The order does not matter.'
  }),
  disableAdmissionPlugins: option({
    flag: 'disable-admission-plugins',
    section: 'Admission',
    type: admissionPlugins,
    default: [],
    help: 'Default admission plugins to disable.'
  }),
  admissionControlConfigFile: option({
    flag: 'admission-control-config-file',
    isPath: true,
    section: 'Admission',
    type: string,
    default: undefined,
    help: 'File with an AdmissionConfiguration: the configurations of admission plugins, or the names of files that have them. The plugins are PodSecurity, ResourceQuota, EventRateLimit, ImagePolicyWebhook, PodNodeSelector, PodTolerationRestriction, and the webhooks.'
  }),
  defaultNotReadyTolerationSeconds: option({
    flag: 'default-not-ready-toleration-seconds',
    section: 'Admission',
    type: tolerationSeconds,
    default: 300,
    help: 'Seconds for which Pods stay on a node that is not ready, unless they say otherwise.'
  }),
  defaultUnreachableTolerationSeconds: option({
    flag: 'default-unreachable-toleration-seconds',
    section: 'Admission',
    type: tolerationSeconds,
    default: 300,
    help: 'Seconds for which Pods stay on a node that cannot be reached, unless they say otherwise.'
  }),

  apiGroups: option({
    flag: 'api-groups',
    section: 'API enablement',
    type: apiGroups,
    default: ['all'],
    help: 'The groups of built-in kinds that are served, core for that of Pods. Custom resources need apiextensions.k8s.io. With none, only health checks and the like are served. (Only Binnacle has this flag.)'
  }),
  runtimeConfig: option({
    flag: 'runtime-config',
    section: 'API enablement',
    type: runtimeConfig,
    default: {},
    help: 'Turns APIs on or off, for example api/alpha=true or resource.k8s.io/v1beta1=true. Keys: api/all, api/ga, api/beta, api/alpha, group/version, group/version/resource.'
  }),
  resolveService: option({
    flag: 'resolve-service',
    section: 'API enablement',
    type: resolveService,
    default: {},
    help: 'Addresses of services that webhooks and APIServices refer to, for use without a cluster: namespace/name=127.0.0.1:9443 or namespace/name:443=127.0.0.1:9443, separated by commas. (Only Binnacle has this flag.)'
  })
}
