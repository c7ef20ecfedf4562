/** Makes the listener of a server from its options. */

import type { Handler } from '../apimachinery/request/message.js'
import type { ListenerOptions } from '../apiserver/http/listener.js'
import { ListenerPart } from '../apiserver/http/listener-part.js'
import { bindAddressOf } from './defaults.js'
import type { Foundation } from './foundation.js'
import type { ServerOptions } from './options.js'
import { tlsSettings } from './tls-settings.js'

type Needs = Pick<Foundation, 'pki' | 'metrics' | 'certificateFor' | 'requestHeader'>

/**
 * Makes the listener. `others` says how it shares connections with other processes. Throws a UserError for unknown TLS settings.
 */
export function serverListener(
  options: ServerOptions,
  handler: Handler,
  { pki, metrics, certificateFor, requestHeader }: Needs,
  others: Pick<ListenerOptions, 'handedOver' | 'spread'>
): ListenerPart {
  const handshakeErrors = metrics
    .counter({ name: 'apiserver_tls_handshake_errors_total', help: 'TLS handshakes that failed.', stage: 'ALPHA' })
    .of()
  return new ListenerPart(handler, {
    address: bindAddressOf(options),
    port: options.securePort ?? 0,
    sharesPort: options.permitPortSharing ?? false,
    ...others,
    unref: options.unref ?? false,
    certificate: pki.serving.certificate,
    key: pki.serving.key,
    tls: tlsSettings(options),
    certificateFor,
    http2: {
      disabled: options.disableHttp2Serving ?? false,
      maxStreams: options.http2MaxStreamsPerConnection ?? 0,
      goawayChance: options.goawayChance ?? 0
    },
    handshakeFailed: () => handshakeErrors.add(),
    clientCAs: [...pki.clientCAs, ...(requestHeader?.authorities ?? [])]
  })
}
