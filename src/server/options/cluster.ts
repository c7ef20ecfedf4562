import { ranges } from './number-ranges.js'
import { option } from './option.js'
import { integer, string, strings } from './value-types.js'

const file = <const F extends string>(flag: F, help: string) =>
  option({ flag, section: 'Misc', type: string, default: undefined, isPath: true, help })

/** The flags about connections that the server opens into the cluster. */
export const clusterOptions = {
  kubeletCertificateAuthority: file(
    'kubelet-certificate-authority',
    'File with the authorities that sign the serving certificates of kubelets. Without it, they are not verified.'
  ),
  kubeletClientCertificate: file(
    'kubelet-client-certificate',
    'Client certificate for connections to kubelets. It is read again when it changes.'
  ),
  kubeletClientKey: file('kubelet-client-key', 'Private key of --kubelet-client-certificate.'),
  kubeletPreferredAddressTypes: option({
    flag: 'kubelet-preferred-address-types',
    section: 'Misc',
    type: strings(text => text),
    default: undefined,
    defaultText: 'Hostname,InternalDNS,InternalIP,ExternalDNS,ExternalIP',
    help: 'The types of Node addresses by which kubelets are connected to, the preferred first.'
  }),
  egressSelectorConfigFile: option({
    flag: 'egress-selector-config-file',
    isPath: true,
    section: 'Egress selector',
    type: string,
    default: undefined,
    help: 'File with an EgressSelectorConfiguration: the proxies (HTTP CONNECT over TLS or a Unix socket) by which the server reaches the cluster, the control plane and etcd.'
  }),
  maxConnectionBytesPerSec: option({
    flag: 'max-connection-bytes-per-sec',
    section: 'Misc',
    type: integer('int', ranges.bytesPerSecond),
    default: 0,
    help: 'Most bytes a second in each direction of exec, attach, port-forward and upgraded connections to Pods; 0 for any number.'
  })
}
