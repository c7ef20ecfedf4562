/** Makes the operations of custom resources. kube-apiserver documents them a little differently from those of built-in kinds. */
import type { ResourceInfo } from '../discovery/resource-groups.js'
import { customListName, customName } from './custom-schemas.js'
import {
  byName,
  groupPrefix,
  hoisted,
  idPrefix,
  listParameters,
  nameOf,
  type Operation,
  type Parameter,
  type PathItem,
  query,
  tagOf,
  upper,
  withArticle
} from './operation.js'
import { deleteOptionsName, openApiName, patchName, statusName } from './type-names.js'

const forms = ['application/json', 'application/yaml']
const patchForms = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml']
const pretty = query('pretty')
const namespace: Parameter = { name: 'namespace', in: 'path', type: 'string' }
const readParameters = query('resourceVersion')
const writeParameters = query('dryRun fieldManager fieldValidation')
const patchParameters = query('dryRun fieldManager fieldValidation force', 'patch')
const deleteParameters = query(
  'dryRun gracePeriodSeconds ignoreStoreReadErrorWithClusterBreakingPotential orphanDependents propagationPolicy'
)

/** Returns the paths of a version of a custom resource, with their operations. */
export function customPaths(info: ResourceInfo, version: string): PathItem[] {
  const paths = new CustomPaths(info, version)
  const items = [paths.collection(), paths.object(), ...info.subresources.map(({ name }) => paths.subresource(name))].map(hoisted)
  return info.resource.namespaced ? [...items, paths.everywhere()] : items
}

type Described = Pick<Operation, 'id' | 'description' | 'parameters' | 'responses'> & Partial<Pick<Operation, 'body'>>

class CustomPaths {
  readonly #base: string
  /** The path of the collection. */
  readonly #path: string
  /** The parameters of all paths: the namespace, if there is one, and `pretty`. */
  readonly #placed: readonly Parameter[]
  readonly #name: Parameter
  readonly #gvk: { readonly group: string; readonly version: string; readonly kind: string }
  readonly #tag: string
  /** The parts of operation ids before and after the group version's prefix: `read` + prefix + scope + kind. */
  readonly #prefix: string
  readonly #scope: string
  /** The names of the schemas of an object and of a list. */
  readonly #object: string
  readonly #list: string

  constructor({ resource }: ResourceInfo, version: string) {
    const { group, namespaced, kind } = resource
    const base = groupPrefix(group, version)
    this.#gvk = { group, version, kind: kind.kind }
    this.#base = `${base}/${resource.resource}`
    this.#path = namespaced ? `${base}/namespaces/{namespace}/${resource.resource}` : this.#base
    this.#placed = namespaced ? [namespace, ...pretty] : pretty
    this.#name = nameOf(kind.kind)
    this.#tag = tagOf(group, version)
    this.#prefix = idPrefix(group, version)
    this.#scope = namespaced ? 'Namespaced' : ''
    this.#object = customName(this.#gvk)
    this.#list = customListName(resource, version)
  }

  collection(): PathItem {
    const { kind } = this.#gvk
    return {
      path: this.#path,
      parameters: this.#placed,
      operations: [
        this.#listing(`list${this.#prefix}${this.#scope}${kind}`),
        this.#operation('post', 'post', {
          id: this.#id('create'),
          description: `create ${withArticle(kind)}`,
          parameters: writeParameters,
          responses: { 200: this.#object, 201: this.#object, 202: this.#object },
          body: bodyOf(this.#object)
        }),
        this.#operation('delete', 'deletecollection', {
          id: `delete${this.#prefix}Collection${this.#scope}${kind}`,
          description: `delete collection of ${kind}`,
          parameters: listParameters,
          responses: { 200: statusName }
        })
      ]
    }
  }

  object(): PathItem {
    const { kind } = this.#gvk
    return {
      path: `${this.#path}/{name}`,
      parameters: [this.#name, ...this.#placed],
      operations: [
        ...this.#views(this.#object, '', `the specified ${kind}`),
        this.#operation('delete', 'delete', {
          id: this.#id('delete'),
          description: `delete ${withArticle(kind)}`,
          parameters: deleteParameters,
          responses: { 200: statusName, 202: statusName },
          body: { ...bodyOf(deleteOptionsName), required: false }
        })
      ]
    }
  }

  subresource(name: string): PathItem {
    const type = name === 'scale' ? openApiName('autoscaling.v1.Scale') : this.#object
    return {
      path: `${this.#path}/{name}/${name}`,
      parameters: [this.#name, ...this.#placed],
      operations: this.#views(type, upper(name), `${name} of the specified ${this.#gvk.kind}`)
    }
  }

  /** The list of all namespaces. Its parameters are those of the path. */
  everywhere(): PathItem {
    const operation = this.#listing(`list${this.#prefix}${this.#gvk.kind}ForAllNamespaces`)
    return {
      path: this.#base,
      parameters: [...listParameters, ...pretty].sort(byName),
      operations: [{ ...operation, parameters: [] }]
    }
  }

  #listing(id: string): Operation {
    return this.#operation('get', 'list', {
      id,
      description: `list objects of kind ${this.#gvk.kind}`,
      parameters: listParameters,
      responses: { 200: this.#list }
    })
  }

  /** The operations that read and write an object, or a part of it through a subresource. */
  #views(type: string, suffix: string, what: string): Operation[] {
    return [
      this.#operation('get', 'get', {
        id: this.#id('read', suffix),
        description: `read ${what}`,
        parameters: readParameters,
        responses: { 200: type }
      }),
      this.#operation('put', 'put', {
        id: this.#id('replace', suffix),
        description: `replace ${what}`,
        parameters: writeParameters,
        responses: { 200: type, 201: type },
        body: bodyOf(type)
      }),
      this.#operation('patch', 'patch', {
        id: this.#id('patch', suffix),
        description: `partially update ${what}`,
        parameters: patchParameters,
        responses: { 200: type },
        body: bodyOf(patchName, patchForms)
      })
    ]
  }

  #id(verb: string, suffix = ''): string {
    return `${verb}${this.#prefix}${this.#scope}${this.#gvk.kind}${suffix}`
  }

  #operation(method: Operation['method'], action: string, described: Described): Operation {
    return {
      method,
      tag: this.#tag,
      action,
      gvk: this.#gvk,
      produces: forms,
      ...(described.body ? {} : { consumes: forms }),
      ...described
    }
  }
}

const bodyOf = (type: string, mediaTypes: readonly string[] = forms) => ({ type, mediaTypes, required: true })
