/** Sends the requests of cases to the servers that are compared, and reduces what they answer to what is compared. */
import { comparable, jsonOf, withoutGeneratedName } from './answer.mjs'
import { fill } from './fill.mjs'
import { replace } from './replace.mjs'

export class Player {
  #servers
  #hooks

  /** `hooks`: a HookServer with a port for each server, if the cases need one. */
  constructor(servers, hooks) {
    this.#servers = servers
    this.#hooks = hooks
  }

  #variablesFor(server, variables) {
    return { ...variables, ...this.#hooks?.variablesFor(server) }
  }

  /**
   * Sends a request to all servers, or only one. kube-apiserver closes the connection when a request makes it panic: its answer is then undefined.
   * `bodies` has a body for each server; `over`: see replace().
   */
  send(request, variables, only) {
    if (request.hooks) this.#hooks.script(variables.ID, fill(request.hooks, variables))
    return Promise.all(
      this.#servers.map((server, i) => {
        if (only !== undefined && i !== only) return undefined
        const { method, path, headers, body, bodies, over } = fill(request, this.#variablesFor(i, variables))
        const sent = { path, headers, ...(method ? { method } : {}), body: bodies ? bodies[i] : body }
        const answer = over ? replace(server, sent) : server.send(sent)
        return answer.catch(error => (error.code === 'ECONNRESET' ? undefined : Promise.reject(error)))
      })
    )
  }

  /** Resolves with the answers to a request as { status, text, … }, or with undefined if a server gave none. */
  async answers(request, variables) {
    const answers = await this.send(request, variables)
    return answers.includes(undefined) ? undefined : answers.map((answer, i) => this.#reduced(answer, i, request, variables))
  }

  #reduced(answer, i, { pick, hooks, unseen, body: sent }, variables) {
    const named = this.#variablesFor(i, variables)
    const { host } = this.#servers[i]
    const reduced = comparable(answer, host, named)
    reduced.text = withoutGeneratedName(reduced.text, sent)
    const body = pick && jsonOf(reduced)
    const shown = body ? pick(body) : reduced.text
    if (!hooks || unseen) return body ? { ...reduced, text: JSON.stringify(shown) ?? '' } : reduced
    const text = JSON.stringify(this.#hooks.callsOf(variables.ID, i))
    const calls = jsonOf(comparable({ status: 200, headers: {}, body: text }, host, named))
    return { ...reduced, text: JSON.stringify({ answer: shown, calls: calls.map(call => callShown(call, pick)).sort(byName) }) }
  }

  /** Ends a case: its webhooks allow everything from then on. */
  forget(variables) {
    this.#hooks?.forget(variables.ID)
  }
}

/** Webhooks that validate are called side by side. */
const byName = (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

function callShown({ name, review }, pick) {
  const { object, oldObject } = review.request ?? {}
  for (const shown of [object, oldObject, review.request]) if (shown) pick(shown)
  return { name, review }
}
