/** The kinds of the core group, in the order in which discovery lists them. */
import type { KindDefinition } from '../../registry/kind.js'
import { binding } from './binding.js'
import { componentStatus } from './component-status.js'
import { configMap } from './config-map.js'
import { endpoints } from './endpoints.js'
import { event } from './event.js'
import { limitRange } from './limit-range.js'
import { namespace } from './namespace.js'
import { node } from './node/node.js'
import { pod } from './pod/pod.js'
import { podTemplate } from './pod/template-object.js'
import { replicationController } from './replication-controller.js'
import { resourceQuota } from './resource-quota.js'
import { secret } from './secret.js'
import { service } from './service/service.js'
import { serviceAccount } from './service-account.js'
import { persistentVolume } from './volume/persistent-volume.js'
import { persistentVolumeClaim } from './volume/persistent-volume-claim.js'

export const coreKinds: readonly KindDefinition[] = [
  binding,
  componentStatus,
  configMap,
  endpoints,
  event,
  limitRange,
  namespace,
  node,
  persistentVolumeClaim,
  persistentVolume,
  pod,
  podTemplate,
  replicationController,
  resourceQuota,
  secret,
  serviceAccount,
  service
]
