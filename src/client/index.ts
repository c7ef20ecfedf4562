/** What the package exports as `binnacle/client`: see docs/client.md. Nothing of the server is loaded. */
export type { InjectedRequest, InjectedResponse, StreamedAnswer } from '../apimachinery/request/injected.js'
export { type Status, type StatusCause, type StatusDetails, StatusError } from '../apimachinery/status/status.js'
export { UserError } from '../util/user-error.js'
export type { ClusterClient } from './cluster-client.js'
export type { AnsweredRequest } from './connect/answered-request.js'
export { type ConnectOptions, connect } from './connect/connect.js'
export { ConnectionError } from './connect/errors.js'
export { withoutManagedFields } from './informer.js'
export type { ManifestOptions, ManifestSource } from './manifests.js'
export { type SharedInformers, sharedInformers } from './shared-informers.js'
export { type CopyOptions, copyFrom, copyTo } from './streams/copy.js'
export { type AttachOptions, attach, type ExecOptions, type ExecResult, exec, type TerminalSize } from './streams/exec.js'
export { type LogOptions, logs } from './streams/logs.js'
export { connectToPort, type PortForward, type PortForwardOptions, portForward } from './streams/port-forward.js'
export { type SnapshotList, type TakeSnapshotOptions, takeSnapshot } from './take-snapshot.js'
export type { OpenWebSocket } from './transport.js'
export type { Directives } from './typed/draft.js'
export type { AppliedObject, BuiltinTypes, Named, NewObject, OwnSubresources, TextClient } from './typed/kind-types.js'
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
} from './typed/metadata.js'
export type { JsonSchema } from './typed/schema-types.js'
export type { StandardSchema, TypedJsonSchema } from './typed/standard-schema.js'
export { structuralSchema } from './typed/structural-schema.js'
export {
  type ApplyOptions,
  type BuiltinClients,
  type BuiltinKinds,
  type ClientOptions,
  type DeleteOptions,
  type Draft,
  type Informer,
  type InformerOptions,
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
} from './types.js'
export { type NamedObject, type UntilCondition, type UntilOptions, until } from './until.js'
