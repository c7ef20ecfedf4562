/**
 * Admission: what may change or refuse a write after permission was given and before it is stored
 * (https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/). One file a plugin, in plugins/; the
 * chain calls them in kube-apiserver's order, first all that mutate, then all that only validate.
 */

import { managedFieldsProblem } from '../apimachinery/fieldmanager/managed-fields.js'
import type { AdmissionOperation, AdmissionPlugin } from '../apimachinery/request/admission.js'
import type { Resource } from '../registry/resource.js'
import type { Admission, WriteAttributes } from '../registry/write/admission.js'
import { Metrics } from '../util/instruments/metrics.js'
import { AdmissionMetrics, type StepTimes, type StepType, type Times } from './admission-metrics.js'
import type { Reinvocation } from './reinvocation.js'
import { takesPart } from './scope.js'

export interface AdmissionAttributes extends WriteAttributes {
  /** State for the second run of the plugins; made by the first plugin that may want to be asked again. */
  reinvocation?: Reinvocation
}

/** A plugin of the server itself, which sees more of the request than the plugins of an embedder. */
export interface BuiltinPlugin extends AdmissionPlugin {
  admit?(attributes: AdmissionAttributes): void | Promise<void>
  validate?(attributes: AdmissionAttributes): void | Promise<void>
}

type With<Step extends 'admit' | 'validate'> = BuiltinPlugin & Required<Pick<BuiltinPlugin, Step>>

/** The plugins of one step, with the times that they and the whole step take. */
interface Participation<Step extends 'admit' | 'validate'> {
  readonly plugins: readonly { readonly plugin: With<Step>; readonly times: Times }[]
  readonly times: StepTimes
}

/** The plugins that take part in an operation on a resource or one of its subresources. */
interface Participants {
  readonly mutating: Participation<'admit'>
  readonly validating: Participation<'validate'>
}

type ByOperation = { [operation in AdmissionOperation]?: Participants }

export class AdmissionChain implements Admission {
  readonly #plugins: readonly BuiltinPlugin[]
  /** The plugins by resource and subresource, so that a write asks only those that take part in it. */
  readonly #participants = new WeakMap<Resource, Map<string, ByOperation>>()

  readonly #metrics: AdmissionMetrics

  constructor(plugins: readonly BuiltinPlugin[], metrics = new AdmissionMetrics(new Metrics())) {
    this.#plugins = plugins
    this.#metrics = metrics
  }

  async admit(attributes: AdmissionAttributes): Promise<void> {
    const { mutating } = this.#participantsOf(attributes)
    const before: unknown = attributes.object?.metadata?.managedFields
    await run(
      mutating,
      noted('admit', attributes, plugin => plugin.admit(attributes))
    )
    const { reinvocation } = attributes
    if (reinvocation?.shouldReinvoke) {
      reinvocation.isReinvoke = true
      await run(
        mutating,
        noted('admit', attributes, plugin => plugin.admit(attributes))
      )
    }
    keepManagedFields(attributes, before)
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    await run(
      this.#participantsOf(attributes).validating,
      noted('validate', attributes, plugin => plugin.validate(attributes))
    )
  }

  #participantsOf({ resource, subresource, operation }: AdmissionAttributes): Participants {
    let bySubresource = this.#participants.get(resource)
    if (!bySubresource) this.#participants.set(resource, (bySubresource = new Map()))
    let byOperation = bySubresource.get(subresource)
    if (!byOperation) bySubresource.set(subresource, (byOperation = {}))
    return (byOperation[operation] ??= this.#choose(resource, subresource, operation))
  }

  #choose(resource: Resource, subresource: string, operation: AdmissionOperation): Participants {
    const plugins = this.#plugins.filter(plugin => takesPart(plugin, resource, subresource, operation))
    const timed = <P extends BuiltinPlugin, T extends StepType>(type: T, participants: readonly P[]) => ({
      plugins: participants.map(plugin => ({ plugin, times: this.#metrics.plugin(plugin.name, type, operation) })),
      times: this.#metrics.step(type, operation)
    })
    return {
      mutating: timed(
        'admit',
        plugins.filter((plugin): plugin is With<'admit'> => plugin.admit !== undefined)
      ),
      validating: timed(
        'validate',
        plugins.filter((plugin): plugin is With<'validate'> => plugin.validate !== undefined)
      )
    }
  }
}

/** Restores the managed fields, and warns, when a plugin has left invalid ones. */
function keepManagedFields({ object, context }: AdmissionAttributes, before: unknown): void {
  const metadata = object?.metadata
  if (!metadata || metadata.managedFields === before) return
  const why = managedFieldsProblem(metadata.managedFields)
  if (why === undefined) return
  if (before === undefined) delete metadata.managedFields
  else metadata.managedFields = before
  context.warn(
    `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${why}`
  )
}

type Call<P> = (plugin: P) => void | Promise<void>

/** Calls a plugin, and tells the recorder about it where there is one. */
function noted<P extends BuiltinPlugin>(phase: 'admit' | 'validate', attributes: AdmissionAttributes, call: Call<P>): Call<P> {
  const steps = attributes.context.origin.record?.steps
  if (!steps) return call
  return plugin => steps.around({ kind: 'plugin', phase, name: plugin.name }, shownTo(attributes), () => call(plugin))
}

/** The form in which the recorder shows the object of a request. */
export const shownTo = (attributes: AdmissionAttributes) => ({
  resource: { group: attributes.resource.group, resource: attributes.resource.resource, subresource: attributes.subresource },
  object: () => attributes.object as unknown
})

const seconds = (milliseconds: number): number => milliseconds / 1000

/** Calls the plugins one after the other, until one refuses. */
async function run<Step extends 'admit' | 'validate'>(
  { plugins, times: step }: Participation<Step>,
  call: (plugin: With<Step>) => void | Promise<void>
): Promise<void> {
  const began = performance.now()
  let previous = began
  for (const { plugin, times } of plugins) {
    try {
      const pending = call(plugin)
      if (pending) await pending
    } catch (error) {
      const now = performance.now()
      times.rejected().observe(seconds(now - previous))
      step.rejected().observe(seconds(now - began))
      step.rejectedSummary().observe(seconds(now - began))
      throw error
    }
    const now = performance.now()
    times.passed.observe(seconds(now - previous))
    previous = now
  }
  step.passed.observe(seconds(previous - began))
  step.passedSummary.observe(seconds(previous - began))
}
