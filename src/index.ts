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
export type { UserInfo } from './apimachinery/request/user.js'
export type { FieldRequirement } from './apimachinery/selectors/fields.js'
export {
  badRequest,
  conflict,
  forbidden,
  type GroupKind,
  type GroupResource,
  notFound,
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
export * from './client/index.js'
export * from './client/operator/index.js'
export type { Behavior, CommandOutput, SimulateOptions } from './controllers/simulation/simulate-options.js'
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
