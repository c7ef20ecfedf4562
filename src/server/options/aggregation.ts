/** Flags about extension API servers, which APIServices register. */
import { option } from './option.js'
import { bool, string } from './value-types.js'

export const aggregationOptions = {
  proxyClientCertFile: option({
    flag: 'proxy-client-cert-file',
    isPath: 'as given',
    section: 'Misc',
    type: string,
    default: undefined,
    help: 'Client certificate by which extension API servers know this server. Without it and without --requestheader-client-ca-file, the server makes one and publishes its authority.'
  }),
  proxyClientKeyFile: option({
    flag: 'proxy-client-key-file',
    isPath: 'as given',
    section: 'Misc',
    type: string,
    default: undefined,
    help: 'Private key of --proxy-client-cert-file.'
  }),
  enableAggregatorRouting: option({
    flag: 'enable-aggregator-routing',
    section: 'Misc',
    type: bool,
    default: false,
    help: 'Accepted with either value: requests to extension API servers always go to ready endpoints of their Services, because cluster IPs may not be routed to where this server runs.'
  }),
  aggregatorRejectForwardingRedirect: option({
    flag: 'aggregator-reject-forwarding-redirect',
    section: 'Misc',
    type: bool,
    default: true,
    help: 'Answers 502 instead of the redirects that extension API servers send.'
  })
}
