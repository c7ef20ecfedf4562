/** Sequences of writes by several managers to custom resources and built-in kinds, see ../applies/sequence.mjs. */
import { builtinKinds, versionsOf } from '../applies/builtin-kinds.mjs'
import { customKinds, definitionOf, groupOf, kindOf } from '../applies/custom-kinds.mjs'
import { normal, sequenceOf } from '../applies/sequence.mjs'

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

export const picks = { normal }

export async function area({ random, send, options }) {
  const chosen = ([name]) => !options.kind || options.kind.includes(name)
  const wanted = Object.entries(customKinds).filter(chosen)
  const kinds = Object.entries(builtinKinds)
    .filter(chosen)
    .map(([, versions]) => ({ name: versions[0].name, strategic: true, versions: versionsOf(versions) }))
  const customs = []
  for (const [name, kind] of wanted) customs.push(await defined(name, kind, send))
  kinds.push(...customs)
  return {
    eachResource: true,
    generate: () => sequenceOf(random.pick(random.chance(0.5) && customs.length > 0 ? customs : kinds), random),
    cleanup: wanted.map(([name, kind]) => ({
      method: 'DELETE',
      path: `${definitions}/${definitionOf(name, kind).metadata.name}`
    }))
  }
}

/** Makes a custom kind on both servers. */
async function defined(name, kind, send) {
  const definition = definitionOf(name, kind)
  const group = groupOf(name)
  for (const { status, body } of await send({ path: definitions, body: definition }))
    if (status !== 201) throw new Error(`${name}: ${body}`)
  const versions = {}
  for (const [version, given] of Object.entries(kind.versions)) {
    const collection = `/apis/${group}/${version}/namespaces/$NS/${name}s`
    versions[version] = { ...given, apiVersion: `${group}/${version}`, kind: kindOf(name), collection, path: `${collection}/$ID` }
    await served(collection, send)
  }
  return { versions }
}

async function served(path, send) {
  for (let tries = 0; tries < 100; tries++) {
    if ((await send({ path })).every(answer => answer.status === 200)) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error(`${path} is not served`)
}
