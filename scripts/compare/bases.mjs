/** Valid objects to start from: the samples, and what the recorded scenarios create. */
import fs from 'node:fs'
import { sample } from './samples.mjs'

const folder = new URL('../../test/conformance/scenarios/', import.meta.url)
const isObject = value => value !== null && typeof value === 'object' && !Array.isArray(value)
const plain = body => (isObject(body) && isObject(body.metadata) ? body : undefined)

/** Returns the bodies of all scenarios, as they are in their files. */
export async function scenarioBodies() {
  const scenarios = await Promise.all(fs.readdirSync(folder).map(async file => (await import(new URL(file, folder))).default))
  return scenarios.flatMap(({ steps }) =>
    steps.map(({ path, method, body }) => ({ path, method, body })).filter(s => isObject(s.body))
  )
}

/** Returns the objects that scenarios post for a kind, each with a different shape. */
export function basesOf(kind, bodies) {
  const prefix = kind.group === '' ? `/api/${kind.version}/` : `/apis/${kind.group}/${kind.version}/`
  const found = new Map()
  for (const { path, method = 'POST', body } of bodies) {
    const rest = path?.split('?')[0]
    if (method !== 'POST' || !rest?.startsWith(prefix) || rest.split('/').at(-1) !== kind.resource || !plain(body)) continue
    const object = {
      apiVersion: kind.group === '' ? kind.version : `${kind.group}/${kind.version}`,
      kind: kind.kind,
      ...structuredClone(body)
    }
    found.set(shapeOf(object), object)
  }
  return [sample(kind), ...found.values()]
}

/** Describes which fields an object has. */
const shapeOf = value =>
  Array.isArray(value)
    ? `[${[...new Set(value.map(shapeOf))].join()}]`
    : isObject(value)
      ? `{${Object.entries(value)
          .map(([key, item]) => `${key}${shapeOf(item)}`)
          .sort()
          .join()}}`
      : ''
