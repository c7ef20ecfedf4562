import { ranges } from '../../server/number-ranges.js'
import { type Flag, flag } from './flag.js'
import { integer, string, strings } from './value-types.js'

const file = (description: string): Flag<string | undefined> =>
  flag<string | undefined>({ section: 'Misc', type: string, default: undefined, description })

/** The flags about connections that the server opens into the cluster. */
export const clusterFlags = {
  'kubelet-certificate-authority': file(
    'File with the authorities that sign the serving certificates of kubelets. Without it, they are not verified.'
  ),
  'kubelet-client-certificate': file('Client certificate for connections to kubelets. It is read again when it changes.'),
  'kubelet-client-key': file('Private key of --kubelet-client-certificate.'),
  'kubelet-preferred-address-types': flag<readonly string[] | undefined>({
    section: 'Misc',
    type: strings(text => text),
    default: undefined,
    defaultText: 'Hostname,InternalDNS,InternalIP,ExternalDNS,ExternalIP',
    description: 'The types of Node addresses by which kubelets are connected to, the preferred first.'
  }),
  'egress-selector-config-file': flag<string | undefined>({
    section: 'Egress selector',
    type: string,
    default: undefined,
    description:
      'File with an EgressSelectorConfiguration: the proxies (HTTP CONNECT over TLS or a Unix socket) by which the server reaches the cluster, the control plane and etcd.'
  }),
  'max-connection-bytes-per-sec': flag({
    section: 'Misc',
    type: integer('int', ranges.bytesPerSecond),
    default: 0,
    description:
      'Most bytes a second in each direction of exec, attach, port-forward and upgraded connections to Pods; 0 for any number.'
  })
}
