/** The transport of clients in the server's own process: requests go to the handler, without a connection. */

import type { Handler } from '../../apimachinery/request/message.js'
import type { KindNames, Transport } from '../../client/transport.js'
import { builtinKinds } from '../../kinds/index.js'
import { unlessAborted } from '../../util/unless-aborted.js'
import { inject } from './inject.js'
import { injectStream } from './inject-stream.js'
import { injectWebSocket } from './inject-web-socket.js'

/** `handler` returns the server's present handler, and throws while the server does not run. */
export function inProcess(handler: () => Handler): Transport {
  return {
    get isOpen() {
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
      const answer = inject(handler(), request)
      return signal ? unlessAborted(answer, signal) : answer
    },
    open: async (request, signal) => injectStream(handler(), request, signal),
    webSocket: async (request, protocols, signal) => injectWebSocket(handler(), request, protocols, signal)
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
