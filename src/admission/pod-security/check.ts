/** The vocabulary of the Pod Security Standards' checks. */
import type { Container, Pod, PodSpec } from '../../api/generated/core-v1.js'
import { allContainers } from '../../kinds/core/pod/spec-defaults.js'

/** A Pod, or the template of some. */
export type PodLike = Pick<Pod, 'spec'> & { readonly metadata?: Pick<Pod['metadata'], 'annotations'> | undefined }

/** What a Pod does that it may not. */
export interface Violation {
  readonly reason: string
  readonly detail: string
}

export type CheckPod = (pod: PodLike) => Violation | undefined

export interface Check {
  readonly id: string
  readonly versions: readonly {
    /** The minor number of the first version of Kubernetes in which the check is this one. */
    readonly since: number
    readonly check: CheckPod
    /** Checks of the baseline that a stricter one of the restricted level stands in for. */
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

/** `pod and containers "a", "b"`; undefined when it is none of them. */
export function settersText(pod: boolean, containers: readonly string[]): string | undefined {
  const setters = [...(pod ? ['pod'] : []), ...(containers.length > 0 ? [containersText(containers)] : [])]
  return setters.length > 0 ? setters.join(' and ') : undefined
}

export const runsOnWindows = ({ os }: PodSpec): boolean => os?.name === 'windows'
/** In a user namespace of its own a Pod's root is nobody outside (KEP-127). */
export const hasUserNamespace = ({ hostUsers }: PodSpec): boolean => hostUsers === false

/** A check that does not concern some Pods. */
export const unless =
  (exempt: (spec: PodSpec) => boolean, check: CheckPod): CheckPod =>
  pod =>
    exempt(pod.spec) ? undefined : check(pod)
