/** What the package exports as `binnacle/client`: see docs/client.md. Nothing of the server is loaded. */
export type { KubeObject } from '../apimachinery/api/kube-object.js'
export type { InjectedRequest, InjectedResponse, StreamedAnswer } from '../apimachinery/request/injected.js'
export { type Status, type StatusCause, type StatusDetails, StatusError } from '../apimachinery/status/status.js'
export { UserError } from '../util/user-error.js'
export type { ClusterClient } from './cluster-client.js'
export { type ConnectOptions, connect } from './connect/connect.js'
export { ConnectionError } from './connect/errors.js'
export type { AnsweredRequest } from './connect/http-transport.js'
export type { ManifestOptions, ManifestSource } from './manifests.js'
export { type SharedInformers, sharedInformers } from './shared-informers.js'
export { type CopyOptions, copyFrom, copyTo } from './streams/copy.js'
export { type AttachOptions, attach, type ExecOptions, type ExecResult, exec, type TerminalSize } from './streams/exec.js'
export { type LogOptions, logs } from './streams/logs.js'
export { connectToPort, type PortForward, type PortForwardOptions, portForward } from './streams/port-forward.js'
export type { OpenWebSocket } from './transport.js'
export {
  type ApplyOptions,
  type BuiltinKinds,
  type ClientOptions,
  type DeleteOptions,
  type Draft,
  type Informer,
  type InformerOptions,
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
} from './types.js'
export { type NamedObject, type UntilCondition, type UntilOptions, until } from './until.js'
