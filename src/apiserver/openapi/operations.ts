/** Makes the operations of the served resources. */

import { bodyMediaTypes, streamMediaTypes } from '../../apimachinery/formats/negotiate.js'
import type { Schema } from '../../apimachinery/schema/load.js'
import type { GroupInfo, ResourceInfo } from '../discovery/resource-groups.js'
import type { ApiSubresource } from '../endpoints/backend.js'
import { patchTypesOf } from '../endpoints/write/patch-type.js'
import { customPaths } from './custom-operations.js'
import {
  byName,
  groupPrefix,
  hoisted,
  idPrefix,
  listParameters,
  type Method,
  nameOf,
  type Operation,
  type Parameter,
  type PathItem,
  query,
  tagOf,
  upper,
  withArticle
} from './operation.js'
import { deleteOptionsName, openApiName, patchName, resourceListName, statusName, watchEventName } from './type-names.js'

const pretty = query('pretty')
const namespaceParameter: Parameter = { name: 'namespace', in: 'path', type: 'string' }
const deletion = 'dryRun gracePeriodSeconds ignoreStoreReadErrorWithClusterBreakingPotential orphanDependents propagationPolicy'
const deleteParameters = query(deletion)
const deleteCollectionParameters = query(
  `continue dryRun fieldSelector gracePeriodSeconds ignoreStoreReadErrorWithClusterBreakingPotential labelSelector limit orphanDependents propagationPolicy resourceVersion resourceVersionMatch sendInitialEvents shardSelector timeoutSeconds`
)
const writeParameters = query('dryRun fieldManager fieldValidation')
const patchParameters = query('dryRun fieldManager fieldValidation force', 'patch')

const anyBody = ['*/*']

/** The media types of built-in resources. */
const formsOf = (cbor: boolean) => {
  const plain = bodyMediaTypes(cbor)
  return { plain, streaming: [...plain, ...streamMediaTypes(cbor)], patches: patchTypesOf(cbor) }
}

/** Query parameters of the subresources that connect to a pod. */
const connectParameters: Record<string, string> = {
  attach: 'container stderr stdin stdout tty',
  exec: 'command container stderr stdin stdout tty',
  portforward: 'ports',
  proxy: 'path'
}
const proxyMethods: readonly Method[] = ['delete', 'get', 'head', 'options', 'patch', 'post', 'put']

/** Returns the paths of one group version. */
export function pathsOf(group: GroupInfo, version: string, schema: Schema): PathItem[] {
  const tag = tagOf(group.name, version)
  const base = groupPrefix(group.name, version)
  const own: PathItem = {
    path: `${base}/`,
    parameters: [],
    operations: [
      {
        method: 'get',
        id: `get${idPrefix(group.name, version)}APIResources`,
        description: 'get available resources',
        tag,
        parameters: [],
        responses: { 200: resourceListName },
        produces: bodyMediaTypes(group.cbor ?? false),
        consumes: bodyMediaTypes(group.cbor ?? false)
      }
    ]
  }
  const resources = group.versions.find(v => v.name === version)?.resources ?? []
  const paths = resources.flatMap(info =>
    info.resource.kind.custom ? customPaths(info, version) : new ResourcePaths(info, group, version, base, schema).all()
  )
  const isCustom = resources.every(info => info.resource.kind.custom)
  return [...(isCustom ? [] : [own]), ...paths].sort((a, b) => (a.path < b.path ? -1 : 1))
}

class ResourcePaths {
  readonly #info: ResourceInfo
  readonly #version: string
  readonly #group: string
  readonly #base: string
  readonly #tag: string
  readonly #prefix: string
  readonly #type: string
  readonly #schema: Schema
  readonly #forms: ReturnType<typeof formsOf>

  constructor(info: ResourceInfo, group: GroupInfo, version: string, base: string, schema: Schema) {
    this.#info = info
    this.#group = group.name
    this.#forms = formsOf(group.cbor ?? false)
    this.#version = version
    this.#base = base
    this.#tag = tagOf(group.name, version)
    this.#prefix = idPrefix(group.name, version)
    this.#type = info.resource.versions.get(version)!.type
    this.#schema = schema
  }

  get #kind(): string {
    return this.#info.resource.kind.kind
  }

  get #gvk() {
    return { group: this.#group, version: this.#version, kind: this.#kind }
  }

  get #scoped(): string {
    return this.#info.resource.namespaced ? 'Namespaced' : ''
  }

  #id(verb: string, suffix = ''): string {
    return `${verb}${this.#prefix}${this.#scoped}${this.#kind}${suffix}`
  }

  all(): PathItem[] {
    const { resource, verbs } = this.#info
    const collection = resource.namespaced
      ? `${this.#base}/namespaces/{namespace}/${resource.resource}`
      : `${this.#base}/${resource.resource}`
    const scope = resource.namespaced ? [namespaceParameter] : []
    const items = [this.#item(collection, [...scope, ...pretty], this.#collectionOperations(new Set(verbs)))]
    if (verbs.includes('get'))
      items.push(
        this.#item(`${collection}/{name}`, [nameOf(this.#kind), ...scope, ...pretty], this.#objectOperations(new Set(verbs)))
      )
    if (resource.namespaced && verbs.includes('list')) {
      const list = this.#operation(
        'get',
        `list${this.#prefix}${this.#kind}ForAllNamespaces`,
        `list or watch objects of kind ${this.#kind}`,
        'list',
        [],
        { 200: this.#listType() },
        this.#forms.streaming
      )
      items.push({
        path: `${this.#base}/${resource.resource}`,
        parameters: [...listParameters, ...pretty].sort(byName),
        operations: [list]
      })
    }
    if (verbs.includes('watch')) items.push(...this.#watchItems(collection.slice(this.#base.length), scope))
    for (const sub of this.#info.subresources)
      items.push(...this.#subresourceItems(sub, `${collection}/{name}/${sub.name}`, scope))
    return items.filter(item => item.operations.length > 0).map(hoisted)
  }

  #item(path: string, parameters: Parameter[], operations: Operation[]): PathItem {
    return { path, parameters, operations }
  }

  #operation(
    method: Method,
    id: string,
    description: string,
    action: string,
    parameters: readonly Parameter[],
    responses: Operation['responses'],
    produces = this.#forms.plain,
    rest: Partial<Operation> = {}
  ): Operation {
    return { method, id, description, tag: this.#tag, action, gvk: this.#gvk, parameters, responses, produces, ...rest }
  }

  #listType(): string {
    return openApiName(`${this.#type}List`)
  }

  #object(): string {
    return openApiName(this.#type)
  }

  #collectionOperations(verbs: ReadonlySet<string>): Operation[] {
    const kind = this.#kind
    const operations: Operation[] = []
    if (verbs.has('list'))
      operations.push(
        this.#operation(
          'get',
          this.#id('list'),
          `${verbs.has('watch') ? 'list or watch' : 'list'} objects of kind ${kind}`,
          'list',
          listParameters,
          { 200: this.#listType() },
          this.#forms.streaming
        )
      )
    if (verbs.has('create'))
      operations.push(this.#write('post', this.#id('create'), `create ${withArticle(kind)}`, 'post', this.#object()))
    if (verbs.has('deletecollection')) {
      operations.push(
        this.#operation(
          'delete',
          `delete${this.#prefix}Collection${this.#scoped}${kind}`,
          `delete collection of ${kind}`,
          'deletecollection',
          deleteCollectionParameters,
          { 200: statusName },
          this.#forms.plain,
          {
            body: { type: deleteOptionsName, mediaTypes: anyBody, required: false }
          }
        )
      )
    }
    return operations
  }

  #write(
    method: 'post' | 'put',
    id: string,
    description: string,
    action: string,
    type: string,
    parameters = writeParameters
  ): Operation {
    const responses = method === 'post' ? { 200: type, 201: type, 202: type } : { 200: type, 201: type }
    return this.#operation(method, id, description, action, parameters, responses, this.#forms.plain, {
      body: { type, mediaTypes: anyBody, required: true }
    })
  }

  #patch(id: string, description: string, type: string): Operation {
    const mediaTypes = this.#schema.has(this.#type)
      ? this.#forms.patches
      : this.#forms.patches.filter(t => !t.includes('strategic'))
    return this.#operation('patch', id, description, 'patch', patchParameters, { 200: type, 201: type }, this.#forms.plain, {
      body: { type: patchName, mediaTypes, required: true }
    })
  }

  #objectOperations(verbs: ReadonlySet<string>): Operation[] {
    const kind = this.#kind
    const operations = [
      this.#operation('get', this.#id('read'), `read the specified ${kind}`, 'get', [], { 200: this.#object() })
    ]
    if (verbs.has('update'))
      operations.push(this.#write('put', this.#id('replace'), `replace the specified ${kind}`, 'put', this.#object()))
    if (verbs.has('patch'))
      operations.push(this.#patch(this.#id('patch'), `partially update the specified ${kind}`, this.#object()))
    if (verbs.has('delete')) {
      const { returnsObject } = this.#info.resource.kind.deletion ?? {}
      const type = returnsObject === true ? this.#object() : statusName
      operations.push(
        this.#operation(
          'delete',
          this.#id('delete'),
          `delete ${withArticle(kind)}`,
          'delete',
          deleteParameters,
          { 200: type, 202: type },
          this.#forms.plain,
          { body: { type: deleteOptionsName, mediaTypes: anyBody, required: false } }
        )
      )
    }
    return operations
  }

  #watchItems(collection: string, scope: Parameter[]): PathItem[] {
    const instead = "deprecated: use the 'watch' parameter with a list operation instead"
    const kind = this.#kind
    const item = (path: string, id: string, description: string, action: string, more: Parameter[]): PathItem => ({
      path: `${this.#base}/watch${path}`,
      parameters: [...listParameters, ...pretty, ...more].sort(byName),
      operations: [this.#operation('get', id, description, action, [], { 200: watchEventName }, this.#forms.streaming)]
    })
    const items = [
      item(
        collection,
        this.#id('watch', 'List'),
        `watch individual changes to a list of ${kind}. ${instead}.`,
        'watchlist',
        scope
      ),
      item(
        `${collection}/{name}`,
        this.#id('watch'),
        `watch changes to an object of kind ${kind}. ${instead}, filtered to a single item with the 'fieldSelector' parameter.`,
        'watch',
        [...scope, nameOf(kind)]
      )
    ]
    if (scope.length > 0) {
      items.push(
        item(
          `/${this.#info.resource.resource}`,
          `watch${this.#prefix}${kind}ListForAllNamespaces`,
          `watch individual changes to a list of ${kind}. ${instead}.`,
          'watchlist',
          []
        )
      )
    }
    return items
  }

  #subresourceItems(sub: ApiSubresource, path: string, scope: Parameter[]): PathItem[] {
    const gvk = sub.kind
    const connect = connectParameters[sub.name] && query(connectParameters[sub.name]!, gvk.kind)
    const name = nameOf(gvk.kind)
    const parameters = [name, ...scope, ...pretty]
    const suffix = upper(sub.name)
    if (connect) {
      const methods = sub.name === 'proxy' ? proxyMethods : (['get', 'post'] as const)
      const operations = (withPath: string) =>
        methods.map(method =>
          this.#operation(
            method,
            `connect${this.#prefix}${upper(method)}${this.#scoped}${this.#kind}${suffix}${withPath}`,
            `connect ${method.toUpperCase()} requests to ${sub.name} of ${this.#kind}`,
            'connect',
            [],
            { 200: undefined },
            ['*/*'],
            { gvk }
          )
        )
      const own = [...connect, name, ...scope].sort(byName)
      const items = [this.#item(path, own, operations(''))]
      if (sub.name === 'proxy')
        items.push(
          this.#item(
            `${path}/{path}`,
            [...own.filter(p => p.name !== 'path'), { name: 'path', in: 'path', type: 'string' }, ...connect],
            operations('WithPath')
          )
        )
      return items
    }
    if (sub.name === 'log') {
      const log = this.#operation(
        'get',
        this.#id('read', suffix),
        `read log of the specified ${this.#kind}`,
        'get',
        [],
        { 200: undefined },
        ['text/plain', ...this.#forms.plain]
      )
      return [
        this.#item(
          path,
          [
            ...query(
              'container follow insecureSkipTLSVerifyBackend limitBytes previous sinceSeconds stream tailLines timestamps',
              'PodLogOptions'
            ),
            ...parameters
          ].sort(byName),
          [log]
        )
      ]
    }
    const definition = this.#info.resource.kind.subresources?.others?.[sub.name]
    const type = openApiName(
      sub.name === 'scale'
        ? 'autoscaling.v1.Scale'
        : sub.name === 'status' || definition?.prepareForUpdate
          ? this.#type
          : (definition?.type ?? this.#type)
    )
    const what = `${sub.name} of the specified ${this.#kind}`
    const operations: Operation[] = []
    const add = (operation: Operation) => void operations.push({ ...operation, gvk })
    if (sub.verbs.includes('get')) add(this.#operation('get', this.#id('read', suffix), `read ${what}`, 'get', [], { 200: type }))
    if (sub.verbs.includes('update')) add(this.#write('put', this.#id('replace', suffix), `replace ${what}`, 'put', type))
    if (sub.verbs.includes('patch')) add(this.#patch(this.#id('patch', suffix), `partially update ${what}`, type))
    if (sub.verbs.includes('create'))
      add(this.#write('post', this.#id('create', suffix), `create ${sub.name} of ${withArticle(this.#kind)}`, 'post', type))
    return [this.#item(path, parameters, operations)]
  }
}
