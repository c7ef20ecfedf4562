/** The transport of clients in the server's own process: requests go to the handler, without a connection. */

import type { Handler } from '../../apimachinery/request/message.js'
import type { KindNames, Transport } from '../../client/transport.js'
import { builtinKinds } from '../../kinds/index.js'
import { unlessAborted } from '../../util/unless-aborted.js'
import { inject } from './inject.js'
import { injectStream } from './inject-stream.js'
import { injectWebSocket } from './inject-web-socket.js'

/** `handler` returns the server's present handler, and throws while the server does not run. Requests wait for the end of `starting`, if there is one. */
export function inProcess(handler: () => Handler, starting: () => Promise<void> | undefined = () => undefined): Transport {
  return {
    get isOpen() {
      if (starting()) return true
      try {
        handler()
        return true
      } catch {
        return false
      }
    },
    known: (apiVersion, kind) => builtin.get(`${apiVersion} ${kind}`),
    // a server that does not run makes the promise reject
    send: async (request, signal) => {
      const start = starting()
      if (start) await start
      const answer = inject(handler(), request)
      return signal ? unlessAborted(answer, signal) : answer
    },
    async open(request, signal) {
      await starting()
      return injectStream(handler(), request, signal)
    },
    async webSocket(request, protocols, signal) {
      await starting()
      return injectWebSocket(handler(), request, protocols, signal)
    }
  }
}

const builtin: ReadonlyMap<string, KindNames> = new Map(
  builtinKinds.flatMap(({ group, kind, resource, namespaced, versions }) =>
    versions.map(({ name }) => {
      const apiVersion = group === '' ? name : `${group}/${name}`
      return [`${apiVersion} ${kind}`, { apiVersion, kind, resource, namespaced }] as const
    })
  )
)
