/**
 * The client as the server's own controllers use it. Their objects have the types in which the server keeps them, which its other code
 * shares, and they write any part of an object: they are tested against the server, and copy what users wrote.
 */
import type { Scale } from '../apimachinery/api/generated/autoscaling-v1.js'
import type { BuiltinKinds } from '../apimachinery/api/generated/kinds.js'
import type { Eviction } from '../apimachinery/api/generated/policy-v1.js'
import type { KubeObject } from '../apimachinery/api/kube-object.js'
import type { SharedInformers as TypedInformers } from './shared-informers.js'
import type { Draft } from './typed/draft.js'
import type { KindTypes } from './typed/kind-types.js'
import type * as Types from './types.js'

export type { Draft, Informer, KindRef, SetResult, SubresourceClient } from './types.js'

type Subresources<T> = {
  [name: string]: Types.SubresourceClient<T>
} & { scale: Types.SubresourceClient<Scale>; eviction: Types.SubresourceClient<Eviction> }

/** The requests for objects of one kind. */
export type ResourceClient<T extends KubeObject> = Types.ResourceClient<
  T,
  KindTypes<T, Draft<T>, Draft<T>, Subresources<T>, Draft<T>, object, object>
>

interface OfKind {
  <V extends keyof BuiltinKinds, K extends keyof BuiltinKinds[V] & string>(
    apiVersion: V,
    kind: K
  ): ResourceClient<BuiltinKinds[V][K] & KubeObject>
  <T extends KubeObject = Types.UntypedObject>(apiVersion: string, kind: string): ResourceClient<T>
}

/** A client of the server that the controllers run in. */
export interface KubeClient extends Types.KubeClient {
  readonly of: OfKind & Types.KubeClient['of']
}

interface InformerOfKind {
  <V extends keyof BuiltinKinds, K extends keyof BuiltinKinds[V] & string>(
    apiVersion: V,
    kind: K
  ): Types.Informer<BuiltinKinds[V][K] & KubeObject>
  <T extends KubeObject = Types.UntypedObject>(apiVersion: string, kind: string): Types.Informer<T>
}

/** One informer for each kind, which the controllers share. */
export interface SharedInformers extends TypedInformers {
  readonly of: InformerOfKind & TypedInformers['of']
}
