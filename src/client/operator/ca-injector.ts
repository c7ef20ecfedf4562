/** Puts the authority of the webhooks' certificate into the objects by which API servers reach the webhooks. */
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { Logger } from '../../util/logger.js'
import type { AnyTypes } from '../typed/kind-types.js'
import type { Informer, KubeClient } from '../types.js'
import { definitionOf } from './kinds.js'
import type { Operator } from './operator.js'

interface ClientConfig {
  caBundle?: string | undefined
}

/** An object with webhooks, and the places of the authority in it. */
interface Target {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  clientConfigs(object: any): readonly ClientConfig[]
}

function targetsOf({ name, kinds = [], webhooks = [], conversions = [] }: Operator): Target[] {
  const apiVersion = 'admissionregistration.k8s.io/v1'
  const clientConfigs = (object: { webhooks?: { clientConfig: ClientConfig }[] }) =>
    (object.webhooks ?? []).map(({ clientConfig }) => clientConfig)
  const targets: Target[] = []
  if (webhooks.some(({ mutate }) => mutate))
    targets.push({ apiVersion, kind: 'MutatingWebhookConfiguration', name, clientConfigs })
  if (webhooks.some(({ validate }) => validate))
    targets.push({ apiVersion, kind: 'ValidatingWebhookConfiguration', name, clientConfigs })
  for (const kind of kinds) {
    const { metadata, spec } = definitionOf(kind)
    if (!conversions.some(({ kind }) => kind.group === spec.group && kind.kind === spec.names.kind)) continue
    targets.push({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      name: metadata.name,
      clientConfigs: ({ spec }) => (spec.conversion?.webhook?.clientConfig ? [spec.conversion.webhook.clientConfig] : [])
    })
  }
  return targets
}

/** Follows the objects: whoever applies them again without the authority, or before the operator runs, gets it put in. */
export class CaInjector {
  readonly #client: KubeClient
  readonly #targets: readonly Target[]
  readonly #log: Logger
  readonly #informers: Informer<KubeObject>[] = []
  #caBundle = ''
  #writing: Promise<void> = Promise.resolve()

  constructor(client: KubeClient, operator: Operator, log: Logger) {
    this.#client = client
    this.#targets = targetsOf(operator)
    this.#log = log
  }

  /** `ca`: PEM. Resolves when the objects that exist have it. */
  async inject(ca: string): Promise<void> {
    this.#caBundle = Buffer.from(ca).toString('base64')
    await Promise.all(this.#targets.map(target => this.#write(target)))
  }

  start(): void {
    for (const target of this.#targets) {
      const { apiVersion, kind, name } = target
      const informer = this.#client
        .of<KubeObject, AnyTypes>({ apiVersion, kind })
        .informer({ fieldSelector: { 'metadata.name': name } })
      for (const event of ['add', 'update'] as const)
        informer.on(event as 'add', object => {
          if (this.#isMissing(target, object)) this.#writing = this.#writing.then(() => this.#write(target))
        })
      this.#informers.push(informer)
    }
  }

  #isMissing({ clientConfigs }: Target, object: KubeObject): boolean {
    return this.#caBundle !== '' && clientConfigs(object).some(({ caBundle }) => caBundle !== this.#caBundle)
  }

  async #write(target: Target): Promise<void> {
    const { apiVersion, kind, name } = target
    const resource = this.#client.of<KubeObject, AnyTypes>({ apiVersion, kind })
    for (let attempt = 1; ; attempt++)
      try {
        const object = await resource.find(name)
        if (!object || !this.#isMissing(target, object)) return
        for (const config of target.clientConfigs(object)) config.caBundle = this.#caBundle
        await resource.update(object as never)
        return
      } catch (error) {
        if (error instanceof StatusError && error.code === 409 && attempt < 5) continue
        this.#log.error(`webhooks: ${kind} ${name} does not get the authority: ${(error as Error).message}`)
        return
      }
  }

  async stop(): Promise<void> {
    for (const informer of this.#informers) informer.stop()
    await this.#writing
  }
}
