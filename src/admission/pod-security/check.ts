/** Types and texts that the checks of the Pod Security Standards share. */
import type { Container, Pod, PodSpec } from '../../apimachinery/api/generated/core-v1.js'
import { allContainers } from '../../kinds/core/pod/spec-defaults.js'

/** A Pod or a Pod template. */
export type PodLike = Pick<Pod, 'spec'> & { readonly metadata?: Pick<Pod['metadata'], 'annotations'> | undefined }

/** How a Pod violates a check. */
export interface Violation {
  readonly reason: string
  readonly detail: string
}

export type CheckPod = (pod: PodLike) => Violation | undefined

export interface Check {
  readonly id: string
  readonly versions: readonly {
    /** The minor version of Kubernetes that introduced this version of the check. */
    readonly since: number
    readonly check: CheckPod
    /** The baseline checks that this stricter check of the restricted level replaces. */
    readonly replaces?: readonly string[]
  }[]
}

export const quoted = (texts: Iterable<string>): string => [...texts].map(text => `"${text}"`).join(', ')
export const sorted = (texts: Iterable<string>): string[] => [...new Set(texts)].sort()
export const plural = (one: string, many: string, { length }: { length: number }): string => (length === 1 ? one : many)

/** `container "a"`, `containers "a", "b"` */
export const containersText = (names: readonly string[]): string => `${plural('container', 'containers', names)} ${quoted(names)}`

export const namesOf = (spec: PodSpec, isBad: (container: Container) => boolean): string[] =>
  allContainers(spec)
    .filter(isBad)
    .map(({ name }) => name)

/** `pod and containers "a", "b"`; undefined when neither the Pod nor a container is concerned. */
export function settersText(pod: boolean, containers: readonly string[]): string | undefined {
  const setters = [...(pod ? ['pod'] : []), ...(containers.length > 0 ? [containersText(containers)] : [])]
  return setters.length > 0 ? setters.join(' and ') : undefined
}

export const runsOnWindows = ({ os }: PodSpec): boolean => os?.name === 'windows'
/** The root user of a Pod in its own user namespace has no privileges outside of it (KEP-127). */
export const hasUserNamespace = ({ hostUsers }: PodSpec): boolean => hostUsers === false

/** Exempts some Pods from a check. */
export const unless =
  (exempt: (spec: PodSpec) => boolean, check: CheckPod): CheckPod =>
  pod =>
    exempt(pod.spec) ? undefined : check(pod)
