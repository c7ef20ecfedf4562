/**
 * A server of webhooks whose answers are scripted. It listens on a port for each of the servers that are compared, so that it knows who calls. A webhook has
 * the URL `$HOOKS/$ID/NAME` and the bundle `$CA`; a request with `hooks: { NAME: behaviour }` says how the webhooks of its case answer from then on. One that
 * is not named allows everything, and converts by the name of the version alone. A behaviour is a list of answers, for each call since then; the last one is
 * given again. An answer is one of
 *
 *   { response }             parts of the AdmissionResponse or ConversionResponse beside the uid; `operations` in place of the patch: a JSON Patch
 *   { spec, metadata }       the fields of a converted object that differ
 *   { code, type, text }     these bytes
 *   { drops: true }          no answer: the connection is closed
 *   { hangs: true }          no answer until the caller gives up
 *
 * `unseen: true` beside `hooks` leaves the calls out of what is compared. Needs build/ (npm run build).
 */
import { createServer } from 'node:https'
import { loadOrCreatePki } from '../../../build/transport/certificates/pki.js'

export class HookServer {
  #listeners = []
  #ports = []
  /** By the ID of a case: { hooks, counts, calls }, the latter two for each caller. */
  #scripts = new Map()
  #bundle

  /** Listens for `count` callers. */
  static async start(count) {
    const hooks = new HookServer()
    const { serving } = await loadOrCreatePki({ directory: undefined, servingNames: ['127.0.0.1'], now: Date.now() })
    hooks.#bundle = Buffer.from(serving.trust).toString('base64')
    for (let caller = 0; caller < count; caller++) {
      const listener = createServer({ cert: serving.certificate, key: serving.key }, (request, response) =>
        hooks.#answer(caller, request, response)
      )
      await new Promise(resolve => listener.listen(0, '127.0.0.1', resolve))
      hooks.#listeners.push(listener)
      hooks.#ports.push(listener.address().port)
    }
    return hooks
  }

  /** The variables of the requests that a caller is sent. */
  variablesFor(caller) {
    return { HOOKS: `https://127.0.0.1:${this.#ports[caller]}`, CA: this.#bundle }
  }

  /** Forgets the calls of a case, and lets its webhooks answer otherwise. */
  script(id, hooks) {
    const each = make => this.#listeners.map(make)
    this.#scripts.set(id, { hooks, counts: each(() => new Map()), calls: each(() => []) })
  }

  /** What the webhooks of a case received from a caller since its last script: those that are called side by side in any order. */
  callsOf(id, caller) {
    return this.#scripts.get(id).calls[caller]
  }

  forget(id) {
    this.#scripts.delete(id)
  }

  close() {
    for (const listener of this.#listeners) {
      listener.close()
      listener.closeAllConnections()
    }
  }

  async #answer(caller, request, response) {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const review = JSON.parse(Buffer.concat(chunks).toString())
    const [, id, name] = request.url.split(/[/?]/)
    const { hooks = {}, counts, calls } = this.#scripts.get(id) ?? {}
    calls?.[caller].push({ name, review })
    const count = counts?.[caller].get(name) ?? 0
    counts?.[caller].set(name, count + 1)
    const answers = hooks[name] ?? [{}]
    const {
      drops,
      hangs,
      code = 200,
      type = 'application/json',
      text,
      ...answer
    } = answers[Math.min(count, answers.length - 1)] ?? {}
    if (hangs) return
    if (drops) return request.socket.destroy()
    response.writeHead(code, { 'content-type': type })
    response.end(
      text ?? JSON.stringify(review.kind === 'ConversionReview' ? converted(review, answer) : admitted(review, answer))
    )
  }
}

function admitted({ apiVersion, kind, request }, { response = {} }) {
  const { operations, ...parts } = response
  const patch = operations && { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(operations)).toString('base64') }
  return { apiVersion, kind, response: { uid: request.uid, allowed: true, ...patch, ...parts } }
}

function converted({ apiVersion, kind, request }, { response = {}, spec, metadata }) {
  const convertedObjects = request.objects.map(object => ({
    ...object,
    apiVersion: request.desiredAPIVersion,
    metadata: { ...object.metadata, ...metadata },
    ...(spec ? { spec: { ...object.spec, ...spec } } : {})
  }))
  return { apiVersion, kind, response: { uid: request.uid, result: { status: 'Success' }, convertedObjects, ...response } }
}
