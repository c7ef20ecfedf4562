/** Plays a scenario with other kinds than its own: paths, bodies, patches and selectors are translated step by step. */
import { fitName, nameFor } from './names.mjs'
import { formatPath, parsePath } from './request-path.mjs'

const isObject = value => value !== null && typeof value === 'object' && !Array.isArray(value)
export const keyOf = ({ group, resource }) => `${group}/${resource}`
const apiVersionOf = ({ group, version }) => (group === '' ? version : `${group}/${version}`)
export const pathOf = step => (typeof step.path === 'string' ? parsePath(step.path) : undefined)

/** `mapped` has, by group and resource of the scenario, { kind, siblings: its versions, sourceKind, sample, fields }. */
export class Transposition {
  #random
  #mapped
  /** Some scenarios take another version of the kind for each request. */
  #mixed
  /** The paths of objects in no namespace, which are deleted in the end. */
  left = []

  constructor(scenario, random, mapped) {
    this.#random = random
    this.#mapped = mapped
    this.#mixed = random.chance(0.3)
    for (const step of scenario.steps) {
      const path = pathOf(step)
      const target = path && mapped.get(keyOf(path))
      if (target?.fields && isObject(step.body) && this.#isWhole(step, path)) target.fields.learn(step.body)
    }
  }

  /** What is played in place of what. */
  get title() {
    return [...this.#mapped].map(([source, { kind }]) => `${source} as ${apiVersionOf(kind)} ${kind.resource}`).join(', ')
  }

  /** The same step with the other kinds. */
  step(step) {
    const path = pathOf(step)
    const target = path && this.#mapped.get(keyOf(path))
    const kind = target && this.#version(target)
    const result = { ...step }
    if (target) {
      result.path = formatPath({
        ...path,
        group: kind.group,
        version: kind.version,
        resource: kind.resource,
        name: nameFor(kind.resource, path.name),
        query: this.#query(path.query, target)
      })
    }
    if (target && path.namespace === undefined) this.#note(step, path, kind)
    if (typeof step.body === 'function') result.body = vars => this.#body(step.body(vars), step, path, target, kind)
    else if (step.body !== undefined) result.body = this.#body(structuredClone(step.body), step, path, target, kind)
    if (typeof step.raw === 'string') result.raw = this.#raw(step.raw)
    return result
  }

  #note(step, path, kind) {
    const name = path.name ?? step.body?.metadata?.name
    if (step.body === undefined || step.method === 'DELETE' || typeof name !== 'string') return
    const object = { ...path, group: kind.group, version: kind.version, resource: kind.resource, rest: '', query: '' }
    this.left.push(formatPath({ ...object, name: nameFor(kind.resource, name) }))
  }

  /** Creates the sample with the metadata of a step whose translation was refused, so that later steps find an object. */
  plain(step) {
    const path = pathOf(step)
    const target = path && this.#mapped.get(keyOf(path))
    if (!target?.sample || path.name !== undefined || !isObject(step.body) || (step.method ?? 'POST') !== 'POST') return undefined
    const body = { ...structuredClone(target.sample), metadata: { ...step.body.metadata } }
    body.metadata.name = nameFor(target.kind.resource, body.metadata.name)
    fitName(target.kind.resource, body)
    return {
      ...step,
      path: formatPath({ ...path, ...target.kind, name: undefined, query: '' }),
      headers: {},
      body,
      capture: step.capture
    }
  }

  #version({ kind, siblings }) {
    return this.#mixed ? this.#random.pick(siblings) : kind
  }

  /** Field selectors name fields of the other kind, or stay. */
  #query(query, { fields }) {
    if (!fields || !query.includes('fieldSelector=')) return query
    return query.replace(/(fieldSelector=)([^&]*)/, (_, start, selector) => {
      const translated = decodeURIComponent(selector.replace(/%(?![\da-f]{2})/gi, '%25')).replace(/[a-z][\w.]+(?=!?=)/gi, name =>
        fields.dotted(name)
      )
      return start + encodeURIComponent(translated).replace(/%24%7B(\w+)%7D/g, (_, name) => `\${${name}}`)
    })
  }

  #isWhole(step, path) {
    const type = this.#type(step)
    return !path.rest && (type.includes('apply-patch') || (step.method !== 'PATCH' && step.method !== 'DELETE'))
  }

  #type(step) {
    return Object.entries(step.headers ?? {}).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  }

  #body(body, step, path, target, kind) {
    if (!target) return this.#mentions(body)
    const other = isObject(body) && body.kind !== undefined && target.sourceKind !== undefined && body.kind !== target.sourceKind
    if (Array.isArray(body)) return target.fields ? target.fields.operations(body) : body
    if (!isObject(body) || other || step.method === 'DELETE') return this.#mentions(body)
    const own = {}
    if ('apiVersion' in body) own.apiVersion = body.apiVersion === apiVersionOf(path) ? apiVersionOf(kind) : body.apiVersion
    if ('kind' in body) own.kind = body.kind === undefined ? undefined : kind.kind
    if ('metadata' in body) own.metadata = this.#metadata(body.metadata, kind)
    if (!target.fields) return { ...body, ...own }
    const { apiVersion, kind: _, ...content } = this.#isWhole(step, path) ? target.fields.object(body) : target.fields.patch(body)
    const result = { ...own, ...content }
    if (isObject(result.metadata)) fitName(kind.resource, result)
    return result
  }

  #metadata(metadata, kind) {
    if (!isObject(metadata)) return metadata
    const mentioned = this.#mentions(metadata)
    return 'name' in mentioned ? { ...mentioned, name: nameFor(kind.resource, mentioned.name) } : mentioned
  }

  /** Rules, references and policies name the other kind, too. */
  #mentions(value) {
    if (Array.isArray(value)) return value.map(item => this.#mentions(item))
    if (!isObject(value)) return value
    const result = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#mentions(item)]))
    if (Array.isArray(result.resources) && Array.isArray(result.apiGroups))
      for (const [key, { kind }] of this.#mapped) {
        const [group, resource] = [key.slice(0, key.lastIndexOf('/')), key.slice(key.lastIndexOf('/') + 1)]
        if (
          !result.apiGroups.includes(group) ||
          !result.resources.some(r => typeof r === 'string' && r.split('/')[0] === resource)
        )
          continue
        result.apiGroups = result.apiGroups.map(g => (g === group ? kind.group : g))
        result.resources = result.resources.map(r =>
          typeof r === 'string' ? r.replace(new RegExp(`^${resource}(?=/|$)`), kind.resource) : r
        )
        if (result.apiVersions) result.apiVersions = result.apiVersions.map(v => (v === '*' ? v : kind.version))
      }
    for (const { kind, sourceKind } of this.#mapped.values())
      if (typeof result.kind === 'string' && result.kind === sourceKind && 'name' in result) {
        result.kind = kind.kind
        if ('apiVersion' in result) result.apiVersion = apiVersionOf(kind)
        break
      }
    return result
  }

  #raw(raw) {
    let result = raw
    for (const [key, { kind, sourceKind }] of this.#mapped) {
      if (!sourceKind || !new RegExp(`\\b${sourceKind}\\b`).test(result)) continue
      const group = key.slice(0, key.lastIndexOf('/'))
      result = result.replace(new RegExp(`\\b${sourceKind}\\b`, 'g'), kind.kind)
      const version =
        group === ''
          ? /(apiVersion"?: ?"?)v\d\w*/g
          : new RegExp(`(apiVersion"?: ?"?)${group.replaceAll('.', '\\.')}/v\\d\\w*`, 'g')
      result = result.replace(version, (_, start) => start + apiVersionOf(kind))
    }
    return result
  }
}
