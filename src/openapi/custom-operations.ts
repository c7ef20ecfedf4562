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

export function customPaths({ resource, subresources }: ResourceInfo, version: string): PathItem[] {
  const { group, namespaced } = resource
  const { kind } = resource.kind
  const gvk = { group, version, kind }
  const base = groupPrefix(group, version)
  const prefix = idPrefix(group, version)
  const scope = namespaced ? 'Namespaced' : ''
  const name = nameOf(kind)
  const placed = namespaced ? [namespace, ...pretty] : pretty
  const collection = namespaced ? `${base}/namespaces/{namespace}/${resource.resource}` : `${base}/${resource.resource}`
  const object = customName(gvk)
  const list = customListName(resource, version)
  const body = (type: string, mediaTypes: readonly string[] = forms, required = true) => ({
    body: { type, mediaTypes, required }
  })
  const operation = (
    method: Operation['method'],
    action: string,
    id: string,
    description: string,
    parameters: readonly Parameter[],
    responses: Operation['responses'],
    rest: Partial<Operation> = {}
  ): Operation => ({
    method,
    id,
    description,
    tag: tagOf(group, version),
    action,
    gvk,
    parameters,
    responses,
    produces: forms,
    ...(rest.body ? {} : { consumes: forms }),
    ...rest
  })
  const views = (type: string, suffix: string, what: string): Operation[] => [
    operation('get', 'get', `read${prefix}${scope}${kind}${suffix}`, `read ${what}`, readParameters, { 200: type }),
    operation(
      'put',
      'put',
      `replace${prefix}${scope}${kind}${suffix}`,
      `replace ${what}`,
      writeParameters,
      { 200: type, 201: type },
      body(type)
    ),
    operation(
      'patch',
      'patch',
      `patch${prefix}${scope}${kind}${suffix}`,
      `partially update ${what}`,
      patchParameters,
      { 200: type },
      body(patchName, patchForms)
    )
  ]
  const listing = (id: string) => operation('get', 'list', id, `list objects of kind ${kind}`, listParameters, { 200: list })
  const items: PathItem[] = [
    {
      path: collection,
      parameters: placed,
      operations: [
        listing(`list${prefix}${scope}${kind}`),
        operation(
          'post',
          'post',
          `create${prefix}${scope}${kind}`,
          `create ${withArticle(kind)}`,
          writeParameters,
          { 200: object, 201: object, 202: object },
          body(object)
        ),
        operation(
          'delete',
          'deletecollection',
          `delete${prefix}Collection${scope}${kind}`,
          `delete collection of ${kind}`,
          listParameters,
          { 200: statusName }
        )
      ]
    },
    {
      path: `${collection}/{name}`,
      parameters: [name, ...placed],
      operations: [
        ...views(object, '', `the specified ${kind}`),
        operation(
          'delete',
          'delete',
          `delete${prefix}${scope}${kind}`,
          `delete ${withArticle(kind)}`,
          deleteParameters,
          { 200: statusName, 202: statusName },
          body(deleteOptionsName, forms, false)
        )
      ]
    }
  ]
  for (const sub of subresources) {
    const type = sub.name === 'scale' ? openApiName('autoscaling.v1.Scale') : object
    items.push({
      path: `${collection}/{name}/${sub.name}`,
      parameters: [name, ...placed],
      operations: views(type, upper(sub.name), `${sub.name} of the specified ${kind}`)
    })
  }
  if (!namespaced) return items.map(hoisted)
  const everywhere = listing(`list${prefix}${kind}ForAllNamespaces`)
  return [
    ...items.map(hoisted),
    {
      path: `${base}/${resource.resource}`,
      parameters: [...listParameters, ...pretty].sort(byName),
      operations: [{ ...everywhere, parameters: [] }]
    }
  ]
}
