/** The client of the library: see `KubeClient`. */
import type { DeclaredKind } from '../apimachinery/api/kube-object.js'
import type { InjectedRequest, InjectedResponse, StreamedAnswer } from '../apimachinery/request/injected.js'
import { checkMembers, type Shape, valueTypes } from '../util/members.js'
import { applyManifests } from './apply-manifests.js'
import type { ClusterClient } from './cluster-client.js'
import { Connection } from './connection.js'
import { KindLookup, refOf } from './kind-names.js'
import { type ManifestOptions, type ManifestSource, readManifests } from './manifests.js'
import { applicable } from './printed.js'
import { KindClient } from './resource-client.js'
import { setRequest } from './set-request.js'
import type { OpenWebSocket, Transport } from './transport.js'
import type {
  ClientContext,
  ClientOptions,
  KindRef,
  KubeClient,
  ResourceClient,
  SetEntry,
  SetOptions,
  SetResult,
  UntypedObject
} from './types.js'

export function createClient(transport: Transport, options: ClientOptions = {}): KubeClient {
  checkMembers(options, clientShape, 'client.')
  const { user = masters, fieldManager = 'binnacle' } = options
  return new TransportClient(new Connection({ transport, user, fieldManager }))
}

export interface NetworkClientOptions {
  readonly user: ClientOptions['user']
  readonly fieldManager: string
  readonly url: string
  readonly onAnswer: ClusterClient['onAnswer']
  close(): void
}

/** Makes a client that is closed by itself, and not with its server. */
export function clientOver(transport: Transport, { url, onAnswer, close, ...options }: NetworkClientOptions): ClusterClient {
  return Object.assign(new TransportClient(new Connection({ transport, ...options })), {
    url,
    onAnswer,
    close: async () => close(),
    [Symbol.asyncDispose]: async () => close()
  })
}

const contextShape: Shape = { members: { signal: valueTypes.object, written: valueTypes.function }, isData: true }
const clientShape: Shape = { members: { user: valueTypes.object, fieldManager: valueTypes.text }, isData: true }

const masters = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] }

class TransportClient implements KubeClient {
  readonly #connection: Connection
  readonly #kinds: KindLookup

  constructor(connection: Connection, kinds = new KindLookup(connection)) {
    this.#connection = connection
    this.#kinds = kinds
  }

  with(more: ClientContext): KubeClient {
    checkMembers(more, contextShape, 'client.with.')
    return new TransportClient(this.#connection.with(more), this.#kinds)
  }

  get namespace(): string {
    return this.#connection.namespace
  }

  of(kind: string | DeclaredKind | KindRef, name = ''): ResourceClient<any> {
    const ref = typeof kind === 'string' ? { apiVersion: kind, kind: name } : refOf(kind)
    return new KindClient(this.#connection, this.#kinds, ref)
  }

  untyped(apiVersion: string, kind: string): ResourceClient<UntypedObject> {
    return this.of(apiVersion, kind)
  }

  apply(source: ManifestSource, options: ManifestOptions = {}): Promise<UntypedObject[]> {
    return applyManifests(this, source, options)
  }

  async applySet(source: ManifestSource, options: SetOptions = {}): Promise<SetResult> {
    const manifests = await readManifests(source)
    return this.writeSet(
      manifests.map(({ object }) => ({ object: applicable(object).object })),
      { force: true, ...options }
    )
  }

  writeSet(entries: readonly SetEntry[], options: SetOptions = {}): Promise<SetResult> {
    const { fieldManager = this.#connection.fieldManager, namespace = this.#connection.namespace, ...others } = options
    return this.#connection.ask(setRequest(entries, { fieldManager, namespace, ...others }))
  }

  request(request: Omit<InjectedRequest, 'user'>): Promise<InjectedResponse> {
    return this.#connection.send(request)
  }

  open(request: Omit<InjectedRequest, 'user'>, signal?: AbortSignal): Promise<StreamedAnswer> {
    return this.#connection.open(request, signal)
  }

  webSocket(request: Omit<InjectedRequest, 'user'>, protocols: readonly string[], signal?: AbortSignal): Promise<OpenWebSocket> {
    return this.#connection.webSocket(request, protocols, signal)
  }
}
