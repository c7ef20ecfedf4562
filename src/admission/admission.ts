/**
 * Admission: what may change or refuse a write after permission was given and before it is stored
 * (https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/). One file a plugin, in plugins/; the
 * chain calls them in kube-apiserver's order, first all that mutate, then all that only validate.
 */
import type { Resource } from '../registry/resource.js'
import type { Admission, WriteAttributes } from '../registry/write/admission.js'
import type { AdmissionOperation, AdmissionPlugin } from '../request/admission.js'
import type { Reinvocation } from './reinvocation.js'
import { takesPart } from './scope.js'

export interface AdmissionAttributes extends WriteAttributes {
  /** Made by the first plugin that may want to be asked again. */
  reinvocation?: Reinvocation
}

/** A plugin of the server itself, which sees more of the request than the plugins of an embedder. */
export interface BuiltinPlugin extends AdmissionPlugin {
  admit?(attributes: AdmissionAttributes): void | Promise<void>
  validate?(attributes: AdmissionAttributes): void | Promise<void>
}

type With<Step extends 'admit' | 'validate'> = BuiltinPlugin & Required<Pick<BuiltinPlugin, Step>>

/** The plugins that take part in an operation on a resource or one of its subresources. */
interface Participants {
  readonly mutating: readonly With<'admit'>[]
  readonly validating: readonly With<'validate'>[]
}

type ByOperation = { [operation in AdmissionOperation]?: Participants }

export class AdmissionChain implements Admission {
  readonly #plugins: readonly BuiltinPlugin[]
  /** By resource and subresource, so that a write asks only the plugins that take part in it. */
  readonly #participants = new WeakMap<Resource, Map<string, ByOperation>>()

  constructor(plugins: readonly BuiltinPlugin[]) {
    this.#plugins = plugins
  }

  async admit(attributes: AdmissionAttributes): Promise<void> {
    const { mutating } = this.#participantsOf(attributes)
    for (;;) {
      for (const plugin of mutating) {
        const pending = plugin.admit(attributes)
        if (pending) await pending
      }
      const { reinvocation } = attributes
      if (!reinvocation?.shouldReinvoke || reinvocation.isReinvoke) return
      reinvocation.isReinvoke = true
    }
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    for (const plugin of this.#participantsOf(attributes).validating) {
      const pending = plugin.validate(attributes)
      if (pending) await pending
    }
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
    return {
      mutating: plugins.filter((plugin): plugin is With<'admit'> => plugin.admit !== undefined),
      validating: plugins.filter((plugin): plugin is With<'validate'> => plugin.validate !== undefined)
    }
  }
}
