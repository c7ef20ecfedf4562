/** The controllers that run inside a server, and what they need. */
import type { AdmissionChain } from '../admission/admission.js'
import type { CustomResources } from '../apiextensions/custom-resources.js'
import { firstAddress } from '../certificates/ip-address.js'
import type { Services } from '../registry/services.js'
import type { Logger } from '../util/logger.js'
import { bootstrap } from './bootstrap.js'
import { enabledControllers } from './controller-names.js'
import { definitionController } from './custom-resource-definitions.js'
import { GarbageCollector } from './garbage-collector.js'
import { namespaceController } from './namespaces.js'
import { serviceAccountController } from './service-accounts.js'
import { Writer } from './writer.js'

export interface ControllersOptions {
  readonly services: Services
  readonly customResources: CustomResources
  readonly admission: AdmissionChain
  /** PEM of what clients of this server have to trust. */
  readonly caBundle: string
  readonly port: number
  /** As in ServerOptions. */
  readonly controllers: readonly string[] | undefined
  readonly log: Logger
}

interface Runnable {
  start(): Promise<void>
  stop(): Promise<void>
}

/** Makes the objects that are always there, then starts the controllers that are switched on. */
export async function startControllers(options: ControllersOptions): Promise<{ stop(): Promise<void> }> {
  const { services, customResources, admission, caBundle, port, log } = options
  const { registry } = services
  const enabled = enabledControllers(options.controllers)
  const serviceIP = firstAddress(services.network.clusterIPRanges[0]!)
  await bootstrap({ registry, writer: new Writer(services, admission, 'system:apiserver', 'kube-apiserver'), serviceIP, port })
  const writerOf = (name: string) =>
    new Writer(services, admission, `system:serviceaccount:kube-system:${name}`, 'kube-controller-manager')
  // a part of the server, as kube-apiserver has it: it cannot be switched off
  const controllers: Runnable[] = [
    definitionController(services, customResources, new Writer(services, admission, 'system:apiserver', 'kube-apiserver'), log)
  ]
  if (enabled.has('namespace-controller')) controllers.push(namespaceController(services, writerOf('namespace-controller'), log))
  if (enabled.has('garbage-collector-controller')) {
    controllers.push(new GarbageCollector(services, writerOf('generic-garbage-collector'), log))
  }
  if (enabled.has('serviceaccount-controller') && registry.has('', 'serviceaccounts')) {
    controllers.push(serviceAccountController(services, writerOf('service-account-controller'), caBundle, log))
  }
  for (const controller of controllers) await controller.start()
  return {
    async stop() {
      await Promise.all(controllers.map(controller => controller.stop()))
    }
  }
}
