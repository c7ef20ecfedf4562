/** What the package `binnacle` exports: see docs/library.md. */

export { defineKind, type Incoming, type OwnKind, type OwnVersion } from './apiextensions/own-kind.js'
export type { AdmissionOperation, AdmissionPlugin, AdmissionRequest, OperationContext } from './apimachinery/request/admission.js'
export type {
  AuthorizationAttributes,
  Authorizer,
  Decision,
  NonResourceRule,
  ResourceRule,
  UserRules
} from './apimachinery/request/authorization.js'
export type { InjectedRequest, InjectedResponse } from './apimachinery/request/injected.js'
export type { UserInfo } from './apimachinery/request/user.js'
export type { FieldRequirement } from './apimachinery/selectors/fields.js'
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
} from './apimachinery/status/status.js'
export { type FieldError, type FieldErrorReason, FieldErrors, Path } from './apimachinery/validation/field.js'
export { invalidObject } from './apimachinery/validation/invalid.js'
export type { GroupResources, Policy, PolicyRule } from './apiserver/audit/policy.js'
export type { Faults } from './apiserver/faults/faults.js'
export type { Fault, FaultHit, FaultRule, WatchFault } from './apiserver/faults/rule.js'
export type { RecordedRequest, RecordedStep, RecordedWrite } from './apiserver/recorder/recorded-request.js'
export type { Recorder, RecorderOptions, RecorderSelection, RecorderView } from './apiserver/recorder/recorder.js'
export { type Authenticated, type TokenAuthenticator, TokenError } from './auth/authentication/authenticator.js'
export type { CertificateUser, ServiceAccountReference } from './client/credentials.js'
export type { ManifestOptions, ManifestSource } from './client/manifests.js'
export { type SharedInformers, sharedInformers } from './client/shared-informers.js'
export type { Directives } from './client/typed/draft.js'
export type { AppliedObject, BuiltinTypes, Named, NewObject, OwnSubresources, TextClient } from './client/typed/kind-types.js'
export type {
  AppliedMetadata,
  GeneratedMetadata,
  ManagedFieldsEntry,
  MetadataDraft,
  NamedMetadata,
  NamespacedMetadata,
  NewMetadata,
  ObjectMetadata,
  OwnerReference,
  TemplateMetadata
} from './client/typed/metadata.js'
export type { JsonSchema } from './client/typed/schema-types.js'
export type { StandardSchema, TypedJsonSchema } from './client/typed/standard-schema.js'
export { structuralSchema } from './client/typed/structural-schema.js'
export {
  type ApplyOptions,
  type BuiltinClients,
  type BuiltinKinds,
  type ClientOptions,
  type DeleteOptions,
  type Draft,
  type Informer,
  type JsonPatchOperation,
  type KindRef,
  type KindTypes,
  type KubeClient,
  type KubeList,
  type KubeObject,
  kindRef,
  type ListSelection,
  type MergePatch,
  type ObjectName,
  type ObjectOptions,
  type PatchBody,
  type PatchOptions,
  type PatchType,
  type ResourceClient,
  type Selection,
  type SetEntry,
  type SetOptions,
  type SetResult,
  type StrategicPatch,
  type SubresourceClient,
  type UntypedObject,
  type WatchEvent,
  type WatchSelection,
  type WriteOptions
} from './client/types.js'
export { type NamedObject, type UntilCondition, type UntilOptions, until } from './client/until.js'
export {
  defineReconciler,
  type ReconcileContext,
  type ReconcileResult,
  type Reconciler
} from './controllers/reconcilers/reconciler.js'
export type { Behavior, SimulateOptions } from './controllers/simulation/simulate-options.js'
export type { BinnacleServer, ForkOptions, HostOptions, Snapshot } from './server/binnacle-server.js'
export type { AuthorizationMode, ServerOptions } from './server/options.js'
export { createServer } from './server/server.js'
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
