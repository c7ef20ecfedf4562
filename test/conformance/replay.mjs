/** Plays one scenario against a server. README.md beside this file says what a scenario is. */
import { comparable } from './answer.mjs'
import { at, randomName } from './variables.mjs'

const wait = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds))

/** Resolves with what the server answered, by the id of the step. */
export async function play(scenario, client) {
  const vars = { id: randomName('r') }
  const streams = {}
  const answers = {}
  if (scenario.namespace !== false) vars.ns = await makeNamespace(scenario, client)
  let unnamed = 0
  for (const step of scenario.steps) {
    if (step.sleep) {
      await wait(step.sleep)
      continue
    }
    if (step.when && !step.when(vars)) continue
    const id = step.id ?? `step-${++unnamed}`
    try {
      answers[id] = comparable(step, await answerTo(step, client, vars, streams), vars)
    } catch (error) {
      answers[id] = { error: error.message }
    }
  }
  for (const stream of Object.values(streams)) stream.close()
  const left = [...(vars.ns ? [`/api/v1/namespaces/${vars.ns}`] : []), ...(scenario.cleanup ?? [])]
  for (const path of left) await client.send({ method: 'DELETE', path }, vars).catch(() => {})
  return answers
}

async function makeNamespace(scenario, client) {
  const name = randomName('n')
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
  const { status } = await client.send({ path: '/api/v1/namespaces', body }, {})
  if (status !== 201) throw new Error(`the namespace of the scenario cannot be made: ${status}`)
  // Pods need it. Without kube-controller-manager nobody makes it, and only some scenarios mind.
  for (let tries = 0; tries < 50 && scenario.serviceAccount !== false; tries++) {
    const account = await client.send({ path: `/api/v1/namespaces/${name}/serviceaccounts/default` }, {})
    if (account.status === 200) break
    await wait(100)
  }
  return name
}

async function answerTo(step, client, vars, streams) {
  if (step.watch) {
    const stream = client.watch(step, vars)
    streams[step.watch] = stream
    return Promise.race([
      stream.response,
      wait(5000).then(() => {
        throw new Error('no answer in time')
      })
    ])
  }
  if (step.events) return { events: await streams[step.events].take(step.count ?? 1, step.timeoutMs) }
  if (step.closed) {
    const events = await streams[step.closed].take(Number.POSITIVE_INFINITY, step.timeoutMs ?? 5000)
    return { closed: streams[step.closed].ended, events }
  }
  return request(step, client, vars)
}

/** Sends a request, again and again where the step waits for something. */
async function request(step, client, vars) {
  const deadline = Date.now() + (step.timeoutMs ?? 15_000)
  let answer = await client.send(step, vars)
  while (step.until && !holds(step.until, answer, vars) && Date.now() <= deadline) {
    await wait(150)
    answer = await client.send(step, vars)
  }
  for (const [name, path] of Object.entries(step.capture ?? {})) {
    const value = at(answer.body, path)
    if (value !== undefined) vars[name] = value
  }
  return answer
}

/** A condition looks into an answer that may not have what it looks for yet. */
function holds(condition, answer, vars) {
  try {
    return condition(answer, vars)
  } catch {
    return false
  }
}
