/** What the package `binnacle` exports: see docs/library.md. */

export type { KubeObject } from './api/kube-object.js'
export { defineKind, type OwnKind, type OwnVersion } from './apiextensions/own-kind.js'
export type { GroupResources, Policy, PolicyRule } from './audit/policy.js'
export { type Authenticated, type TokenAuthenticator, TokenError } from './authentication/authenticator.js'
export type { CertificateUser, ServiceAccountReference } from './client/credentials.js'
export type { ManifestOptions, ManifestSource } from './client/manifests.js'
export {
  type ApplyOptions,
  type BuiltinKinds,
  type ClientOptions,
  type DeleteOptions,
  type Draft,
  type Informer,
  type JsonPatchOperation,
  type KindRef,
  type KubeClient,
  type KubeList,
  kindRef,
  type ListSelection,
  type ObjectName,
  type ObjectOptions,
  type PatchOptions,
  type ResourceClient,
  type Selection,
  type SetEntry,
  type SetOptions,
  type SetResult,
  type SubresourceClient,
  type SubresourceTypes,
  type UntypedObject,
  type WatchEvent,
  type WatchSelection,
  type WriteOptions
} from './client/types.js'
export { type NamedObject, type UntilCondition, type UntilOptions, until } from './client/until.js'
export type { Faults } from './faults/faults.js'
export type { Fault, FaultHit, FaultRule, WatchFault } from './faults/rule.js'
export type { AuthorizationMode, ServerOptions } from './options.js'
export { defineReconciler, type ReconcileContext, type ReconcileResult, type Reconciler } from './reconcilers/reconciler.js'
export type { RecordedRequest, RecordedStep, RecordedWrite } from './recorder/recorded-request.js'
export type { Recorder, RecorderOptions, RecorderSelection, RecorderView } from './recorder/recorder.js'
export type { AdmissionOperation, AdmissionPlugin, AdmissionRequest, OperationContext } from './request/admission.js'
export type {
  AuthorizationAttributes,
  Authorizer,
  Decision,
  NonResourceRule,
  ResourceRule,
  UserRules
} from './request/authorization.js'
export type { InjectedRequest, InjectedResponse } from './request/injected.js'
export type { UserInfo } from './request/user.js'
export type { FieldRequirement } from './selectors/fields.js'
export type { BinnacleServer, ForkOptions, HostOptions, Snapshot } from './server/binnacle-server.js'
export { createServer } from './server/server.js'
export {
  badRequest,
  conflict,
  forbidden,
  type GroupKind,
  type GroupResource,
  notFound,
  type Status,
  type StatusCause,
  type StatusDetails,
  StatusError,
  tooManyRequests,
  unavailable
} from './status/status.js'
export type { CompactionOptions } from './storage/auto-compaction.js'
export {
  type Caller,
  type CommitResult,
  CompactedError,
  FutureRevisionError,
  type KeyValue,
  type ListOptions,
  type ListResult,
  type OpenImage,
  type ReadOptions,
  type Store,
  type StoredValues,
  type StoreEvent,
  type StoreImage,
  StoreUnavailableError,
  TrailingError,
  type Watcher,
  type WatchHandle,
  type Write
} from './storage/contract.js'
export { openMemoryStore } from './storage/memory/store.js'
export type { Clock, Timer } from './util/clock.js'
export type { Logger } from './util/logger.js'
export { UserError } from './util/user-error.js'
export { type FieldError, type FieldErrorReason, FieldErrors, Path } from './validation/field.js'
export { invalidObject } from './validation/invalid.js'
