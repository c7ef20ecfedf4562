/** Plays a scenario in a namespace of its own, and returns what the controllers have made of each step. */
import { isDeepStrictEqual } from 'node:util'
import { rootOf, stateOf } from './state.mjs'

const pause = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds))

/**
 * @param scenario its steps, each with a name and what it asks for: `create` (a manifest or several), `patch` ([apiVersion, resource, name,
 *   strategic patch, subresource?]), `remove` ([apiVersion, resource, name, DeleteOptions?]), and `seconds` to wait before looking
 * @param quietMs for how long nothing may change before a state counts as the result of a step
 */
export async function play(scenario, client, ns, quietMs) {
  await send(client, '/api/v1/namespaces', { metadata: { name: ns } })
  const account = { path: `/api/v1/namespaces/${ns}/serviceaccounts/default` }
  while ((await client.send(account, {})).status === 404) await pause(50)
  const states = {}
  try {
    for (const step of scenario) {
      await ask(client, ns, step)
      if (step.seconds) await pause(step.seconds * 1000)
      states[step.name] = await settled(client, ns, quietMs)
    }
  } finally {
    await client.send({ method: 'DELETE', path: `/api/v1/namespaces/${ns}` }, {})
  }
  return states
}

async function ask(client, ns, { create = [], patch, remove }) {
  for (const manifest of [create].flat()) {
    const { apiVersion, kind } = manifest
    await send(client, pathOf(apiVersion, resourceOf(kind), ns), manifest)
  }
  if (patch) {
    const [apiVersion, resource, name, body, subresource] = patch
    const path = `${pathOf(apiVersion, resource, ns)}/${name}${subresource ? `/${subresource}` : ''}`
    await send(client, path, body, { method: 'PATCH', headers: { 'Content-Type': 'application/strategic-merge-patch+json' } })
  }
  if (remove) {
    const [apiVersion, resource, name, options = {}] = remove
    await send(client, `${pathOf(apiVersion, resource, ns)}/${name}`, options, { method: 'DELETE' })
  }
}

const clusterResources = new Set([
  'priorityclasses',
  'storageclasses',
  'persistentvolumes',
  'csidrivers',
  'deviceclasses',
  'resourceslices',
  'nodes'
])

const pathOf = (apiVersion, resource, ns) =>
  `${rootOf(apiVersion)}${clusterResources.has(resource) ? '' : `/namespaces/${ns}`}/${resource}`

function resourceOf(kind) {
  const plural = kind.toLowerCase()
  if (plural === 'endpoints') return plural
  if (plural.endsWith('s')) return `${plural}es`
  return plural.endsWith('y') ? `${plural.slice(0, -1)}ies` : `${plural}s`
}

async function send(client, path, body, options = {}) {
  const { status, body: answer } = await client.send({ path, body, ...options }, {})
  if (status >= 300 && !(status === 409 && answer.reason === 'AlreadyExists'))
    throw new Error(`${path}: ${answer.message ?? status}`)
}

async function settled(client, ns, quietMs) {
  const deadline = Date.now() + 120_000
  let last = await stateOf(client, ns)
  for (let since = Date.now(); Date.now() - since < quietMs && Date.now() < deadline; ) {
    await pause(quietMs / 5)
    const state = await stateOf(client, ns)
    if (!isDeepStrictEqual(state, last)) since = Date.now()
    last = state
  }
  return last
}
