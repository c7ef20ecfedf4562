/** The baseline level, which forbids known ways out of a container (https://kubernetes.io/docs/concepts/security/pod-security-standards/#baseline). */
import type { Container, LifecycleHandler, Probe, SELinuxOptions } from '../../apimachinery/api/generated/core-v1.js'
import { allContainers } from '../../kinds/core/pod/spec-defaults.js'
import { goQuote } from '../../util/go-format.js'
import {
  type Check,
  type CheckPod,
  containersText,
  hasUserNamespace,
  namesOf,
  plural,
  quoted,
  settersText,
  sorted,
  unless
} from './check.js'

const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/'
const seccompOfPod = 'seccomp.security.alpha.kubernetes.io/pod'
const seccompPrefix = 'container.seccomp.security.alpha.kubernetes.io/'

const confined = (type: string): boolean => type === 'RuntimeDefault' || type === 'Localhost'

const appArmorProfile: CheckPod = ({ metadata, spec }) => {
  const bad: string[] = []
  const isBad = (profile: { type: string } | undefined) => {
    if (!profile || confined(profile.type)) return false
    bad.push(profile.type)
    return true
  }
  const pod = isBad(spec.securityContext?.appArmorProfile)
  const fields = settersText(
    pod,
    namesOf(spec, c => isBad(c.securityContext?.appArmorProfile))
  )
  const allowed = (value: string) => value === '' || value === 'runtime/default' || value.startsWith('localhost/')
  const annotations = Object.entries(metadata?.annotations ?? {})
    .filter(([key, value]) => key.startsWith(appArmorPrefix) && !allowed(value))
    .map(([key, value]) => `${key}=${goQuote(value)}`)
    .sort()
  const setters = [
    ...(fields === undefined ? [] : [fields]),
    ...(annotations.length > 0 ? [plural('annotation', 'annotations', annotations)] : [])
  ]
  if (setters.length === 0) return undefined
  const values = [...sorted(bad), ...annotations]
  return {
    reason: plural('forbidden AppArmor profile', 'forbidden AppArmor profiles', values),
    detail: `${setters.join(' and ')} must not set AppArmor profile type to ${quoted(values)}`
  }
}

/** The capabilities that container runtimes grant by default. */
const defaultCapabilities: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT'
])

/** Makes a check that forbids some values of a container's field. */
const containerValues =
  (
    badOf: (container: Container) => readonly string[],
    reason: string,
    detail: (containers: string[], bad: string[]) => string
  ): CheckPod =>
  ({ spec }) => {
    const containers = namesOf(spec, c => badOf(c).length > 0)
    if (containers.length === 0) return undefined
    return { reason, detail: detail(containers, sorted(allContainers(spec).flatMap(badOf))) }
  }

const capabilities = containerValues(
  c => (c.securityContext?.capabilities?.add ?? []).filter(name => !defaultCapabilities.has(name)),
  'non-default capabilities',
  (containers, bad) => `${containersText(containers)} must not include ${quoted(bad)} in securityContext.capabilities.add`
)

const hostNamespaces: CheckPod = ({ spec }) => {
  const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter(field => spec[field])
  return shared.length === 0 ? undefined : { reason: 'host namespaces', detail: shared.map(field => `${field}=true`).join(', ') }
}

const hostPathVolumes: CheckPod = ({ spec }) => {
  const volumes = (spec.volumes ?? []).filter(v => v.hostPath).map(v => v.name)
  if (volumes.length === 0) return undefined
  return { reason: 'hostPath volumes', detail: `${plural('volume', 'volumes', volumes)} ${quoted(volumes)}` }
}

const hostPorts = containerValues(
  c => (c.ports ?? []).flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : [])),
  'hostPort',
  (containers, ports) =>
    `${containersText(containers)} ${plural('uses', 'use', containers)} ${plural('hostPort', 'hostPorts', ports)} ${ports.join(', ')}`
)

const hostsOf = (handler: Probe | LifecycleHandler | undefined): string[] =>
  [handler?.httpGet?.host, handler?.tcpSocket?.host].filter(host => host !== undefined && host !== '') as string[]

const probeHosts = containerValues(
  c => [c.livenessProbe, c.readinessProbe, c.startupProbe, c.lifecycle?.postStart, c.lifecycle?.preStop].flatMap(hostsOf),
  'probe or lifecycle host',
  (containers, hosts) =>
    `${containersText(sorted(containers))} ${plural('uses', 'use', containers)} ` +
    `${plural('probe or lifecycle host', 'probe or lifecycle hosts', hosts)} ${quoted(hosts)}`
)

const privileged: CheckPod = ({ spec }) => {
  const containers = namesOf(spec, c => c.securityContext?.privileged === true)
  if (containers.length === 0) return undefined
  return { reason: 'privileged', detail: `${containersText(containers)} must not set securityContext.privileged=true` }
}

/** The restricted level has this check as well, without the exemption for user namespaces. */
export const procMount = containerValues(
  ({ securityContext }) => {
    const mount = securityContext?.procMount
    return mount === undefined || mount === null || mount === 'Default' ? [] : [mount]
  },
  'procMount',
  (containers, types) => `${containersText(containers)} must not set securityContext.procMount to ${quoted(types)}`
)

const seLinuxTypes = ['', 'container_t', 'container_init_t', 'container_kvm_t']

const seLinuxOptions =
  (allowed: readonly string[]): CheckPod =>
  ({ spec }) => {
    const types: string[] = []
    let user = false
    let role = false
    const isBad = (options: SELinuxOptions | undefined) => {
      const { type = '', user: u, role: r } = options ?? {}
      const wrong = !allowed.includes(type)
      if (wrong) types.push(type)
      user ||= !!u
      role ||= !!r
      return wrong || !!u || !!r
    }
    const pod = isBad(spec.securityContext?.seLinuxOptions)
    const setters = settersText(
      pod,
      namesOf(spec, c => isBad(c.securityContext?.seLinuxOptions))
    )
    if (setters === undefined) return undefined
    const bad = sorted(types)
    const what = [
      ...(bad.length > 0 ? [`${plural('type', 'types', bad)} ${quoted(bad)}`] : []),
      ...(user ? ['user may not be set'] : []),
      ...(role ? ['role may not be set'] : [])
    ]
    return { reason: 'seLinuxOptions', detail: `${setters} set forbidden securityContext.seLinuxOptions: ${what.join('; ')}` }
  }

/** Checks the annotations that set the seccomp profile before there were fields for it. */
const seccompAnnotations: CheckPod = ({ metadata, spec }) => {
  const { annotations = {} } = metadata ?? {}
  const allowed = (value: string) => value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/')
  const keys = [seccompOfPod, ...allContainers(spec).map(({ name }) => seccompPrefix + name)]
  const bad = sorted(
    keys
      .filter(key => annotations[key] !== undefined && !allowed(annotations[key]))
      .map(key => `${key}=${goQuote(annotations[key]!)}`)
  )
  if (bad.length === 0) return undefined
  return { reason: 'seccompProfile', detail: `forbidden ${plural('annotation', 'annotations', bad)} ${bad.join(', ')}` }
}

/** The restricted level runs this check as well, and also requires a profile. */
export const seccompProfile: CheckPod = ({ spec }) => {
  const bad: string[] = []
  const isBad = (profile: { type: string } | undefined) => {
    if (!profile || confined(profile.type)) return false
    bad.push(profile.type)
    return true
  }
  const pod = isBad(spec.securityContext?.seccompProfile)
  const setters = settersText(
    pod,
    namesOf(spec, c => isBad(c.securityContext?.seccompProfile))
  )
  if (setters === undefined) return undefined
  return {
    reason: 'seccompProfile',
    detail: `${setters} must not set securityContext.seccompProfile.type to ${quoted(sorted(bad))}`
  }
}

/** The sysctls that are safe, because each Pod has its own value, with the minor version that first allows them. */
const safeSysctls: readonly { since: number; names: readonly string[] }[] = [
  {
    since: 0,
    names: [
      'kernel.shm_rmid_forced',
      'net.ipv4.ip_local_port_range',
      'net.ipv4.tcp_syncookies',
      'net.ipv4.ping_group_range',
      'net.ipv4.ip_unprivileged_port_start'
    ]
  },
  { since: 27, names: ['net.ipv4.ip_local_reserved_ports'] },
  {
    since: 29,
    names: [
      'net.ipv4.tcp_keepalive_time',
      'net.ipv4.tcp_fin_timeout',
      'net.ipv4.tcp_keepalive_intvl',
      'net.ipv4.tcp_keepalive_probes'
    ]
  },
  { since: 32, names: ['net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'] },
  { since: 37, names: ['net.ipv4.tcp_slow_start_after_idle', 'net.ipv4.tcp_notsent_lowat'] }
]

const sysctls = (version: number): CheckPod => {
  const safe = new Set(safeSysctls.filter(({ since }) => since <= version).flatMap(({ names }) => names))
  return ({ spec }) => {
    const bad = (spec.securityContext?.sysctls ?? []).map(({ name }) => name).filter(name => !safe.has(name))
    return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.join(', ') }
  }
}

const hostProcess: CheckPod = ({ spec }) => {
  const setters = settersText(
    spec.securityContext?.windowsOptions?.hostProcess === true,
    namesOf(spec, c => c.securityContext?.windowsOptions?.hostProcess === true)
  )
  if (setters === undefined) return undefined
  return { reason: 'hostProcess', detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true` }
}

/** In alphabetical order, which is the order of violations in messages. */
export const baselineChecks: readonly Check[] = [
  { id: 'appArmorProfile', versions: [{ since: 0, check: appArmorProfile }] },
  { id: 'capabilities_baseline', versions: [{ since: 0, check: capabilities }] },
  { id: 'hostNamespaces', versions: [{ since: 0, check: hostNamespaces }] },
  { id: 'hostPathVolumes', versions: [{ since: 0, check: hostPathVolumes }] },
  { id: 'hostPorts', versions: [{ since: 0, check: hostPorts }] },
  { id: 'hostProbesAndHostLifecycle', versions: [{ since: 34, check: probeHosts }] },
  { id: 'privileged', versions: [{ since: 0, check: privileged }] },
  {
    id: 'procMount',
    versions: [
      { since: 0, check: procMount },
      { since: 35, check: unless(hasUserNamespace, procMount) }
    ]
  },
  {
    id: 'seLinuxOptions',
    versions: [
      { since: 0, check: seLinuxOptions(seLinuxTypes) },
      { since: 31, check: seLinuxOptions([...seLinuxTypes, 'container_engine_t']) }
    ]
  },
  {
    id: 'seccompProfile_baseline',
    versions: [
      { since: 0, check: seccompAnnotations },
      { since: 19, check: seccompProfile }
    ]
  },
  { id: 'sysctls', versions: safeSysctls.map(({ since }) => ({ since, check: sysctls(since) })) },
  { id: 'windowsHostProcess', versions: [{ since: 0, check: hostProcess }] }
]
