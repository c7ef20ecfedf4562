/** Flags about extension API servers, which APIServices register. */
import { flag } from './flag.js'
import { bool, string } from './value-types.js'

export const aggregationFlags = {
  'proxy-client-cert-file': flag({
    section: 'Misc',
    type: string,
    default: undefined,
    description:
      'Client certificate by which extension API servers know this server. Without it and without --requestheader-client-ca-file, the server makes one and publishes its authority.'
  }),
  'proxy-client-key-file': flag({
    section: 'Misc',
    type: string,
    default: undefined,
    description: 'Private key of --proxy-client-cert-file.'
  }),
  'enable-aggregator-routing': flag({
    section: 'Misc',
    type: bool,
    default: false,
    description:
      'Accepted with either value: requests to extension API servers always go to ready endpoints of their Services, because cluster IPs may not be routed to where this server runs.'
  }),
  'aggregator-reject-forwarding-redirect': flag({
    section: 'Misc',
    type: bool,
    default: true,
    description: 'Answers 502 instead of the redirects that extension API servers send.'
  })
}
