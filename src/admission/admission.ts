/**
 * Admission: what may change or refuse a write after permission was given and before it is stored
 * (https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/). One file a plugin, in plugins/; the
 * chain calls them in kube-apiserver's order, first all that change, then all that only judge.
 */
import type { Admission, AdmissionOperation, AdmissionRequest } from '../registry/write/admission.js'
import type { Reinvocation } from './reinvocation.js'

export interface AdmissionAttributes extends AdmissionRequest {
  /** Made by the first plugin that may want to be asked again. */
  reinvocation?: Reinvocation
}

export interface AdmissionPlugin {
  readonly name: string
  handles(operation: AdmissionOperation): boolean
  /** Changes the object, or refuses by throwing a StatusError. */
  admit?(attributes: AdmissionAttributes): void | Promise<void>
  /** Refuses by throwing a StatusError. Must not change anything. */
  validate?(attributes: AdmissionAttributes): void | Promise<void>
}

export class AdmissionChain implements Admission {
  readonly #plugins: readonly AdmissionPlugin[]

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins
  }

  async admit(attributes: AdmissionAttributes): Promise<void> {
    for (;;) {
      for (const plugin of this.#plugins) {
        if (!plugin.admit || !plugin.handles(attributes.operation)) continue
        const pending = plugin.admit(attributes)
        if (pending) await pending
      }
      const { reinvocation } = attributes
      if (!reinvocation?.shouldReinvoke || reinvocation.isReinvoke) return
      reinvocation.isReinvoke = true
    }
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    for (const plugin of this.#plugins) {
      if (!plugin.validate || !plugin.handles(attributes.operation)) continue
      const pending = plugin.validate(attributes)
      if (pending) await pending
    }
  }
}
