/** The ways in which a mutation of a stored object is written. */
import { apply, json, merge, strategic } from '../patch-types.mjs'
import { exactJson } from '../values.mjs'
import { at, mutated } from './visits.mjs'

const pointer = path => path.map(key => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** What servers put in by themselves, and what a client that replaces an object leaves to them. */
export function sendable(object) {
  const copy = structuredClone(object)
  for (const key of ['managedFields', 'creationTimestamp', 'generation', 'uid', 'selfLink']) delete copy.metadata[key]
  return copy
}

const dryRun = ({ validation, strict }) => `dryRun=All${validation || strict ? `&fieldValidation=${validation ?? 'Strict'}` : ''}`

export function create({ collection, object, path }, mutation) {
  const body = mutated(object, path, mutation)
  return body && { method: 'POST', path: `${collection}?${dryRun(mutation)}`, bodies: same(exactJson(body)) }
}

/** Replaces what the servers have. `stored` holds the object of each, `written` what it was made of. */
export function put({ url, stored, path }, mutation) {
  const bodies = stored.map(object => mutated(sendable(object), path, mutation))
  if (bodies.includes(undefined)) return undefined
  return { method: 'PUT', path: `${url}?${dryRun(mutation)}`, bodies: bodies.map(exactJson) }
}

export function mergePatch({ url, stored, path }, mutation) {
  const bodies = stored.map(object => nested(object, path, mutation, undefined))
  return {
    method: 'PATCH',
    path: `${url}?${dryRun(mutation)}`,
    headers: { 'content-type': merge },
    bodies: bodies.map(exactJson)
  }
}

export function strategicPatch({ url, stored, path, schemas, follow }, mutation) {
  const bodies = stored.map(object => nested(object, path, mutation, { schemas, follow }))
  return {
    method: 'PATCH',
    path: `${url}?${dryRun(mutation)}`,
    headers: { 'content-type': strategic },
    bodies: bodies.map(exactJson)
  }
}

export function jsonPatch({ url, stored, path }, mutation) {
  if (at(stored[0], path.slice(0, -1)) === undefined) return undefined
  const operation = mutation.remove
    ? { op: 'remove', path: pointer(path) }
    : { op: 'add', path: pointer(path), value: mutation.value }
  return {
    method: 'PATCH',
    path: `${url}?${dryRun(mutation)}`,
    headers: { 'content-type': json },
    bodies: same(exactJson([operation]))
  }
}

export function applyPatch({ url, written, path }, mutation) {
  const body = mutated(written, path, mutation)
  return (
    body && {
      method: 'PATCH',
      path: `${url}?${dryRun(mutation)}&fieldManager=other&force=true`,
      headers: { 'content-type': apply },
      bodies: same(exactJson(body))
    }
  )
}

const same = body => [body, body]

/** A patch of one field. A list is given whole, but in strategic patches of those that have a key. */
function nested(object, path, mutation, types) {
  const value = mutation.remove ? null : mutation.value
  let patch = value
  for (let i = path.length - 1; i >= 0; i--) {
    if (typeof path[i] !== 'number') {
      patch = { [path[i]]: patch }
      continue
    }
    const listPath = path.slice(0, i)
    const key =
      types?.follow(types.schemas[i])['x-kubernetes-patch-merge-key'] ?? types?.schemas[i]['x-kubernetes-patch-merge-key']
    const item = at(object, path.slice(0, i + 1))
    if (key && item?.[key] !== undefined && patch !== null && typeof patch === 'object') patch = [{ [key]: item[key], ...patch }]
    else patch = at(mutated(object, path, mutation) ?? object, listPath) ?? [value]
  }
  return patch
}
