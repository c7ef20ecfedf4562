/** The requests for objects of one kind. */

import type { KubeObject } from '../apimachinery/api/kube-object.js'
import type { InjectedRequest, StreamedAnswer } from '../apimachinery/request/injected.js'
import { filterParameter, orderParameter } from '../apimachinery/request/query-parameters.js'
import { StatusError } from '../apimachinery/status/status.js'
import { holdingProcess } from '../util/holding-process.js'
import type { Connection } from './connection.js'
import { closeRetry, distantRetry, ListWatchInformer } from './informer.js'
import { groupPath, type KindLookup } from './kind-names.js'
import type { KindNames } from './transport.js'
import type * as Types from './types.js'
import { watchEvents } from './watch.js'
import { watchedList } from './watched-list.js'

const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml'
} as const

/** The shortest time that informers let a watch last: client-go's. */
const watchSeconds = 300

const isRefusal = ({ code }: StatusError): boolean => code === 400 || code === 405 || code === 422 || code === 500

/** The target of a request. An undefined namespace stands for all namespaces. */
interface Target {
  readonly namespace?: string | undefined
  readonly name?: string | undefined
  readonly subresource?: string | undefined
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** A request without `url`. */
type Rest = Omit<InjectedRequest, 'url'> & { readonly query?: Query }

export class KindClient<T extends KubeObject> implements Types.ResourceClient<T, Types.KindTypes<T>> {
  readonly #connection: Connection
  readonly #kinds: KindLookup
  readonly #kind: Types.KindRef<T>

  constructor(connection: Connection, kinds: KindLookup, kind: Types.KindRef<T>) {
    this.#connection = connection
    this.#kinds = kinds
    this.#kind = kind
  }

  get(object: Types.ObjectName, { query, ...options }: Types.ObjectOptions = {}): Promise<T> {
    return this.#send(this.#target(object, options), { query: { ...query } })
  }

  async find(object: Types.ObjectName, options?: Types.ObjectOptions): Promise<T | undefined> {
    try {
      return await this.get(object, options)
    } catch (error) {
      if (error instanceof StatusError && error.code === 404) return undefined
      throw error
    }
  }

  async list(options: Types.ListSelection = {}): Promise<Types.KubeList<T>> {
    const { limit, continue: token, resourceVersion } = options
    const query = { ...selectors(options), [orderParameter]: options.orderBy, limit, continue: token, resourceVersion }
    const list = await this.#send<Types.KubeList<T>>({ namespace: options.namespace }, { query })
    const { apiVersion, kind } = this.#kind
    // the items of a list do not repeat them
    return { metadata: list.metadata, items: list.items.map(item => ({ apiVersion, kind, ...item })) }
  }

  create(object: object, options: Types.WriteOptions = {}): Promise<T> {
    const { namespace } = this.#target(object, options)
    return this.#write({ namespace }, { method: 'POST', body: this.#identified(object) }, options)
  }

  update(object: object, options: Types.WriteOptions = {}): Promise<T> {
    return this.#put(this.#target(object, options), this.#identified(object), options)
  }

  patch(object: Types.ObjectName, patch: object, options: Types.PatchOptions = {}): Promise<T> {
    return this.#patch(this.#target(object, options), patch, options)
  }

  apply(object: object, options: Types.ApplyOptions = {}): Promise<T> {
    return this.#apply(this.#target(object, options), this.#identified(object), options)
  }

  async delete(object: Types.ObjectName, options: Types.ObjectOptions & Types.DeleteOptions = {}): Promise<void> {
    await this.#send(this.#target(object, options), { method: 'DELETE', body: deleting(options), query: { ...options.query } })
  }

  async deleteCollection(options: Types.Selection & Types.DeleteOptions = {}): Promise<void> {
    const { namespace } = options
    const names = await this.#names()
    // there is no path that deletes the objects of all namespaces
    const namespaces =
      names.namespaced && namespace === undefined
        ? new Set((await this.list(options)).items.map(item => item.metadata.namespace))
        : [namespace]
    for (const one of namespaces)
      await this.#send({ namespace: one }, { method: 'DELETE', body: deleting(options), query: selectors(options) })
  }

  async *watch(options: Types.WatchSelection = {}): AsyncGenerator<Types.WatchEvent<T>, void, undefined> {
    const events = this.watchInBackground(options)
    try {
      for (;;) {
        const { value, done } = await holdingProcess(events.next())
        if (done) return
        yield value
      }
    } finally {
      await events.return()
    }
  }

  /** Watches like `watch`, without keeping the process alive while nothing happens. */
  watchInBackground(
    options: Types.WatchSelection,
    more: { seen?: (resourceVersion: string) => void; seconds?: () => number } = {}
  ): AsyncGenerator<Types.WatchEvent<T>, void, undefined> {
    const { timeoutSeconds, signal } = options
    return watchEvents<T>({
      resourceVersion: options.resourceVersion,
      isOnce: timeoutSeconds !== undefined,
      signal,
      seen: more.seen,
      open: resourceVersion => this.#openWatch(options, { resourceVersion, timeoutSeconds: timeoutSeconds ?? more.seconds?.() }),
      isOpen: () => this.#connection.transport.isOpen
    })
  }

  async #openWatch(options: Types.WatchSelection, query: Query): Promise<StreamedAnswer> {
    const url = pathTo(await this.#names(), { namespace: options.namespace })
    const all = { ...selectors(options), watch: true, allowWatchBookmarks: true, ...query }
    return this.#connection.open({ url: url + queryText(all) }, options.signal)
  }

  informer({ transform, ...options }: Types.InformerOptions<T> = {}): Types.Informer<T> {
    const { transport, namespace } = this.#connection
    const { isDistant = false } = transport
    let hasWatchLists = isDistant
    return new ListWatchInformer(
      {
        list: async signal => {
          if (hasWatchLists)
            try {
              const { apiVersion, kind } = this.#kind
              const query = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }
              return await watchedList<T>(await this.#openWatch({ ...options, signal }, query), { apiVersion, kind })
            } catch (error) {
              // servers before 1.32 refuse the parameters, and those whose etcd is older than 3.4.25 answer with an error
              if (!(error instanceof StatusError && isRefusal(error))) throw error
              hasWatchLists = false
            }
          return this.list(options)
        },
        watch: (resourceVersion, signal, seen) =>
          this.watchInBackground(
            { ...options, resourceVersion, signal },
            // a watch of a distant server begins anew now and then, so that clients spread over its replicas
            { seen, ...(isDistant ? { seconds: () => Math.round(watchSeconds * (1 + Math.random())) } : {}) }
          ),
        isOpen: () => transport.isOpen,
        retry: isDistant ? distantRetry : closeRetry,
        transform
      },
      options.namespace ?? namespace
    )
  }

  subresource(subresource: string): Types.SubresourceClient<any, any> {
    const of = (object: Types.ObjectName, options: Types.ObjectOptions): Target => ({
      ...this.#target(object, options),
      subresource
    })
    return {
      get: (object, options = {}) => this.#send(of(object, options), { query: { ...options.query } }),
      create: (object, body, options = {}) => this.#write(of(object, options), { method: 'POST', body }, options),
      update: (object: Types.ObjectName, body: unknown = object, options: Types.WriteOptions = {}) =>
        this.#put(of(object, options), body, options),
      patch: (object, patch, options = {}) => this.#patch(of(object, options), patch, options),
      apply: (object, body, options = {}) => this.#apply(of(object, options), this.#applied(body), options)
    }
  }

  #target(object: object | string, options: Types.ObjectOptions): Target & { readonly namespace: string } {
    const metadata: { name?: string; namespace?: string } =
      typeof object === 'string' ? { name: object } : ((object as { metadata?: object }).metadata ?? {})
    return { namespace: options.namespace ?? metadata.namespace ?? this.#connection.namespace, name: metadata.name ?? '' }
  }

  #put(target: Target, body: unknown, options: Types.WriteOptions): Promise<T> {
    return this.#write(target, { method: 'PUT', body }, options)
  }

  #patch(target: Target, patch: object, options: Types.PatchOptions): Promise<T> {
    const type = patchTypes[options.type ?? (Array.isArray(patch) ? 'json' : 'merge')]
    return this.#write(target, { method: 'PATCH', body: patch, headers: { 'content-type': type } }, options)
  }

  #apply(target: Target, body: unknown, options: Types.ApplyOptions): Promise<T> {
    const query = { force: options.force }
    return this.#write(target, { method: 'PATCH', body, headers: { 'content-type': patchTypes.apply }, query }, options)
  }

  #identified(object: object): object {
    const { apiVersion, kind } = this.#kind
    return { apiVersion, kind, ...object }
  }

  /** Returns the body of an apply: a subresource that shows the object itself takes the object's kind, the others their own. */
  #applied(body: object): object {
    return 'kind' in body ? body : this.#identified(body)
  }

  #writing({ dryRun, fieldManager, fieldValidation, query }: Types.WriteOptions): Query {
    return {
      fieldManager: fieldManager ?? this.#connection.fieldManager,
      dryRun: dryRun ? 'All' : undefined,
      fieldValidation,
      ...query
    }
  }

  async #write(target: Target, { query, ...request }: Rest, options: Types.WriteOptions): Promise<T> {
    const object = await this.#send(target, { ...request, query: { ...this.#writing(options), ...query } })
    if (!options.dryRun) this.#connection.written(object)
    return object
  }

  async #names(): Promise<KindNames> {
    return this.#kinds.find(this.#kind.apiVersion, this.#kind.kind)
  }

  async #send<A = T>(target: Target, { query = {}, ...request }: Rest): Promise<A> {
    const names = await this.#names()
    try {
      return await this.#connection.ask<A>({ ...request, url: pathTo(names, target) + queryText(query) })
    } catch (error) {
      if (error instanceof StatusError && error.code === 404) this.#kinds.forget(names)
      throw error
    }
  }
}

function pathTo({ apiVersion, resource, namespaced }: KindNames, { namespace, name, subresource }: Target): string {
  if (name === '') throw new TypeError(`the object has no name in its metadata`)
  const within = namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : ''
  const one = name === undefined ? '' : `/${encodeURIComponent(name)}${subresource === undefined ? '' : `/${subresource}`}`
  return `${groupPath(apiVersion)}${within}/${resource}${one}`
}

function queryText(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]]
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

function selectors({ labelSelector, fieldSelector, filter, query }: Types.Selection): Query {
  return {
    labelSelector: selectorText(labelSelector),
    fieldSelector: selectorText(fieldSelector),
    [filterParameter]: filter,
    ...query
  }
}

const selectorText = (selector: string | Readonly<Record<string, string>> | undefined): string | undefined =>
  typeof selector === 'object'
    ? Object.entries(selector)
        .map(pair => pair.join('='))
        .join(',')
    : selector

function deleting({ gracePeriodSeconds, propagationPolicy, preconditions, dryRun }: Types.DeleteOptions): object {
  const options = { gracePeriodSeconds, propagationPolicy, preconditions, ...(dryRun ? { dryRun: ['All'] } : {}) }
  return { kind: 'DeleteOptions', apiVersion: 'v1', ...options }
}
