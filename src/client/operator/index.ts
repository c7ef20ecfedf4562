/** What the package exports as `binnacle/operator`: see docs/operators.md. */

export { withoutManagedFields } from '../informer.js'
export type { Cache, CachedKind, CachedObjects } from './cache.js'
export { findCondition, isConditionTrue, type NewCondition, removeCondition, setCondition } from './conditions.js'
export {
  createOrPatch,
  createOrUpdate,
  type RetryOptions,
  retryOnConflict,
  type Written
} from './create-or-update.js'
export type { HealthCheck } from './endpoints.js'
export { addFinalizer, hasFinalizer, removeFinalizer } from './finalizers.js'
export type { DefinitionManifest, KindVersion, OperatorKind } from './kinds.js'
export { type ManifestsOptions, manifestsOf, type OperatorManifest } from './manifests.js'
export { defineOperator, type LeaderElectionOptions, type Operator, type PermissionRule } from './operator.js'
export {
  controllerOf,
  hasControllerReference,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference
} from './owners.js'
export {
  and,
  annotationsChanged,
  generationChanged,
  labelsChanged,
  not,
  type ObjectChange,
  or,
  type Predicate,
  resourceVersionChanged
} from './predicates.js'
export {
  defineReconciler,
  defineWatch,
  type OwnedKind,
  type ReconcileContext,
  type ReconcileRequest,
  type ReconcileResult,
  type Reconciler,
  type WatchedKind
} from './reconciler.js'
export { type EndpointOptions, type HealthOptions, type RunningOperator, type RunOptions, runOperator } from './run-operator.js'
export { runUntilSignal } from './run-until-signal.js'
export type { WebhookOptions } from './run-webhooks.js'
export { TerminalError, terminalError } from './terminal-error.js'
export { type Conversion, defineWebhook, denied, type Webhook, type WebhookRequest } from './webhook.js'
