/** The restricted level, which asks for hardening (https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted). */
import type { Container, PodSpec, Volume } from '../../apimachinery/api/generated/core-v1.js'
import { allContainers } from '../../kinds/core/pod/spec-defaults.js'
import { procMount, seccompProfile } from './baseline-checks.js'
import {
  type Check,
  type CheckPod,
  containersText,
  hasUserNamespace,
  namesOf,
  plural,
  quoted,
  runsOnWindows,
  settersText,
  sorted,
  unless
} from './check.js'

const allowPrivilegeEscalation: CheckPod = ({ spec }) => {
  const containers = namesOf(spec, c => c.securityContext?.allowPrivilegeEscalation !== false)
  if (containers.length === 0) return undefined
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${containersText(containers)} must set securityContext.allowPrivilegeEscalation=false`
  }
}

const capabilities: CheckPod = ({ spec }) => {
  const added = ({ securityContext }: Container) =>
    (securityContext?.capabilities?.add ?? []).filter(name => name !== 'NET_BIND_SERVICE')
  const keeping = namesOf(spec, c => !c.securityContext?.capabilities?.drop?.includes('ALL'))
  const adding = namesOf(spec, c => added(c).length > 0)
  const details: string[] = []
  if (keeping.length > 0) details.push(`${containersText(keeping)} must set securityContext.capabilities.drop=["ALL"]`)
  if (adding.length > 0) {
    const bad = sorted(allContainers(spec).flatMap(added))
    details.push(`${containersText(adding)} must not include ${quoted(bad)} in securityContext.capabilities.add`)
  }
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') }
}

type Source = Exclude<keyof Volume, 'name'>

const allowedVolumes: readonly Source[] = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret'
]

const volumeTypes: CheckPod = ({ spec }) => {
  const bad = (spec.volumes ?? []).filter(volume => !allowedVolumes.some(type => volume[type]))
  if (bad.length === 0) return undefined
  const types = sorted(bad.map(({ name: _, ...sources }) => Object.keys(sources)[0] ?? 'unknown'))
  const names = bad.map(({ name }) => name)
  return {
    reason: 'restricted volume types',
    detail:
      `${plural('volume', 'volumes', names)} ${quoted(names)} ${plural('uses', 'use', names)} ` +
      `${plural('restricted volume type', 'restricted volume types', types)} ${quoted(types)}`
  }
}

const runAsNonRoot: CheckPod = ({ spec }) => {
  const ofPod = spec.securityContext?.runAsNonRoot ?? undefined
  const reason = 'runAsNonRoot != true'
  const setters = settersText(
    ofPod === false,
    namesOf(spec, c => c.securityContext?.runAsNonRoot === false)
  )
  if (setters !== undefined) return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` }
  const silent = ofPod ? [] : namesOf(spec, c => (c.securityContext?.runAsNonRoot ?? undefined) === undefined)
  if (silent.length === 0) return undefined
  return { reason, detail: `pod or ${containersText(silent)} must set securityContext.runAsNonRoot=true` }
}

const runAsUser: CheckPod = ({ spec }) => {
  const setters = settersText(
    spec.securityContext?.runAsUser === 0,
    namesOf(spec, c => c.securityContext?.runAsUser === 0)
  )
  return setters === undefined ? undefined : { reason: 'runAsUser=0', detail: `${setters} must not set runAsUser=0` }
}

const seccomp: CheckPod = pod => {
  const { spec } = pod
  const wrong = seccompProfile(pod)
  if (wrong) return wrong
  const silent = spec.securityContext?.seccompProfile ? [] : namesOf(spec, c => !c.securityContext?.seccompProfile)
  if (silent.length === 0) return undefined
  return {
    reason: 'seccompProfile',
    detail: `pod or ${containersText(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`
  }
}

/** Since 1.25 Windows Pods are exempt from checks of fields that they cannot set. */
const alsoForWindows = (since: number, check: CheckPod, replaces?: readonly string[]): Check['versions'] => [
  { since, check, ...(replaces ? { replaces } : {}) },
  { since: 25, check: unless(runsOnWindows, check), ...(replaces ? { replaces } : {}) }
]

const exceptInUserNamespaces = (since: number, check: (pod: { spec: PodSpec }) => ReturnType<CheckPod>): Check['versions'] => [
  { since, check },
  { since: 35, check: unless(hasUserNamespace, check) }
]

/** In alphabetical order, which is the order of violations in messages. */
export const restrictedChecks: readonly Check[] = [
  { id: 'allowPrivilegeEscalation', versions: alsoForWindows(8, allowPrivilegeEscalation) },
  { id: 'capabilities_restricted', versions: alsoForWindows(22, capabilities, ['capabilities_baseline']) },
  { id: 'procMount_restricted', versions: [{ since: 35, check: procMount, replaces: ['procMount'] }] },
  { id: 'restrictedVolumes', versions: [{ since: 0, check: volumeTypes, replaces: ['hostPathVolumes'] }] },
  { id: 'runAsNonRoot', versions: exceptInUserNamespaces(0, runAsNonRoot) },
  { id: 'runAsUser', versions: exceptInUserNamespaces(23, runAsUser) },
  { id: 'seccompProfile_restricted', versions: alsoForWindows(19, seccomp, ['seccompProfile_baseline']) }
]
