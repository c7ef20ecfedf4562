/** What the containers of a simulated Pod do: declared in annotations of the Pod, because nothing runs. docs/simulate.md lists them. */
import type { Container, Pod } from '../../apimachinery/api/generated/core-v1.js'
import { readDuration } from '../../util/go-duration.js'
import type { Behavior } from '../simulation/simulate-options.js'
import { controllerOf } from '../workloads/owners.js'
import { commandOf, environmentOf } from './environment.js'
import { type CommandResult, resultOf, resultOfImage } from './known-commands.js'

/** All of what a simulated container does, from its annotations and from the program. Times are in milliseconds. */
export interface ContainerBehavior {
  /** From the time at which it may start until it runs: pulling its image and creating it. */
  readonly startsAfter: number
  /** From its start until it is ready. */
  readonly readyAfter: number
  /** From its start until it ends by itself; undefined for one that runs for ever. */
  readonly exitsAfter: number | undefined
  readonly exitCode: number
  /** Whether its readiness probe succeeds. */
  readonly isReady: boolean
  /** From the request to stop until it ends. One that takes longer than the grace period is killed. */
  readonly stopsAfter: number
  /** How long a change of its resources takes. */
  readonly resizesAfter: number
  /** Why its image cannot be pulled; undefined for one that can. */
  readonly pullError: string | undefined
  readonly logs: string
  /** What the program says of commands and requests. */
  readonly exec?: Behavior['exec']
  readonly serve?: Behavior['serve']
  /** After which time its readiness probe may say something else. Annotations change with the Pod. */
  readonly probedAfter?: number
}

export const annotationDomain = 'simulate.binnacle.dev'

/**
 * `init`: runs to its end before the next begins. `sidecar`: starts before the containers and ends after them. `ephemeral`: was added by
 * `kubectl debug`, and counts for nothing.
 */
export type ContainerSort = 'init' | 'sidecar' | 'main' | 'ephemeral'

/** Returns the behavior of containers: that which the program says comes before that of the annotations. */
export const behaviorsOf =
  (given?: (pod: Pod, container: Container) => Behavior | undefined) =>
  (pod: Pod, container: Container, sort: ContainerSort): ContainerBehavior => {
    const declared = behaviorOf(pod, container, sort)
    const own = given?.(pod, container)
    if (!own) return declared
    const { readinessProbe: probe } = container
    const probedAfter = probe && own.isReady !== undefined ? (probe.periodSeconds ?? 10) * 1000 : undefined
    return { ...declared, ...definedIn(own), ...(probedAfter && { probedAfter }) }
  }

const definedIn = (behavior: Behavior): Partial<ContainerBehavior> =>
  Object.fromEntries(Object.entries(behavior).filter(([, value]) => value !== undefined))

/** Reads the annotations `simulate.binnacle.dev/…` for all containers, and `CONTAINER.simulate.binnacle.dev/…` for one. */
function behaviorOf(pod: Pod, container: Container, sort: ContainerSort): ContainerBehavior {
  const { name, readinessProbe } = container
  const annotations = pod.metadata.annotations ?? {}
  const given = (field: string) =>
    annotations[`${name}.${annotationDomain}/${field}`] ??
    // init containers would never let the others begin
    (sort === 'init' ? undefined : annotations[`${annotationDomain}/${field}`])
  const time = (field: string) => {
    const duration = readDuration(given(field) ?? '')
    return typeof duration === 'number' && duration >= 0 ? duration : undefined
  }
  const endsByItself = sort === 'main' && controllerOf(pod)?.kind === 'Job'
  const known = knownResult(pod, container)
  const usual = known ? known.lasts : sort === 'init' ? 0 : endsByItself ? 1000 : Number.POSITIVE_INFINITY
  const exitsAfter = given('exits-after') === 'never' ? Number.POSITIVE_INFINITY : (time('exits-after') ?? usual)
  return {
    startsAfter: time('starts-after') ?? 0,
    readyAfter: time('ready-after') ?? (readinessProbe?.initialDelaySeconds ?? 0) * 1000,
    exitsAfter: exitsAfter === Number.POSITIVE_INFINITY ? undefined : exitsAfter,
    isReady: given('ready') === undefined ? probeSucceeds(pod, container) : given('ready') !== 'false',
    exitCode: Number(given('exit-code') ?? known?.exitCode ?? 0) & 255,
    stopsAfter: time('stops-after') ?? preStopOf(pod, container),
    resizesAfter: time('resizes-after') ?? 0,
    pullError: given('pull-error'),
    logs: given('logs') ?? known?.stdout ?? ''
  }
}

function knownResult(pod: Pod, container: Container): CommandResult | undefined {
  const { command, args, image = '' } = container
  if (!command && !args) return resultOfImage(image, [])
  const environment = environmentOf(pod, container)
  const words = commandOf(container, environment)
  return words && (resultOf(words, environment) ?? (command ? undefined : resultOfImage(image, words)))
}

const resultInside = (pod: Pod, container: Container, command: readonly string[] | undefined) =>
  command && resultOf(command, environmentOf(pod, container))

const probeSucceeds = (pod: Pod, container: Container): boolean =>
  (resultInside(pod, container, container.readinessProbe?.exec?.command)?.exitCode ?? 0) === 0

/** How long the hook before the end takes, in milliseconds. */
function preStopOf(pod: Pod, container: Container): number {
  const { sleep, exec } = container.lifecycle?.preStop ?? {}
  return sleep ? sleep.seconds * 1000 : (resultInside(pod, container, exec?.command)?.lasts ?? 0)
}
