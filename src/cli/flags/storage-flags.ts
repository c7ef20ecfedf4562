import { ranges } from '../../server/number-ranges.js'
import { flag } from './flag.js'
import { bool, duration, InvalidValue, integer, oneOf, string, strings } from './value-types.js'

const etcdServers = strings(text => {
  if (text === '') throw new InvalidValue('must not be empty')
  return text
})

/** The flags about where objects are stored. */
export const storageFlags = {
  'data-dir': flag({
    section: 'Storage',
    type: string,
    default: undefined,
    defaultText: '".binnacle"',
    description:
      'Folder for the data, the certificates and an admin kubeconfig. With --storage-backend=memory nothing is written unless this flag is given, and then only certificates and kubeconfig.'
  }),
  'storage-backend': flag<'lmdb' | 'memory' | 'etcd3' | undefined>({
    section: 'Storage',
    type: oneOf(['lmdb', 'memory', 'etcd3'] as const),
    default: undefined,
    defaultText: '"lmdb", or "etcd3" with --etcd-servers',
    description:
      'Where objects are stored. "lmdb": in the data folder, safe against crashes. "memory": in memory only, lost when the server ends. "etcd3": in the etcd of --etcd-servers, which several servers may share.'
  }),
  'etcd-servers': flag({
    section: 'Storage',
    type: etcdServers,
    default: [],
    description: 'The etcd servers that store the objects (scheme://host:port), separated by commas.'
  }),
  'etcd-servers-overrides': flag({
    section: 'Storage',
    type: etcdServers,
    default: [],
    description:
      'Other etcd servers for single built-in resources, separated by commas: group/resource#servers, with semicolons between servers (/events#https://10.0.0.3:2379).'
  }),
  'etcd-prefix': flag({
    section: 'Storage',
    type: string,
    default: '/registry',
    description: 'Prefix of all keys in etcd.'
  }),
  'etcd-cafile': flag({
    section: 'Storage',
    type: string,
    default: undefined,
    description: 'Authorities that verify the certificates of the etcd servers.'
  }),
  'etcd-certfile': flag({
    section: 'Storage',
    type: string,
    default: undefined,
    description: 'Client certificate for connections to etcd.'
  }),
  'etcd-keyfile': flag({ section: 'Storage', type: string, default: undefined, description: 'Private key of --etcd-certfile.' }),
  'etcd-compaction-interval': flag({
    section: 'Storage',
    type: duration,
    default: 300_000,
    defaultText: '5m0s',
    description:
      'Interval between compactions of the history in etcd, and thus how long history is kept. 0 disables compaction by this server.'
  }),
  'etcd-db-metric-poll-interval': flag({
    section: 'Storage',
    type: duration,
    default: 30_000,
    defaultText: '30s',
    description:
      'Interval between questions for the size of the store, for the hidden metric apiserver_storage_db_total_size_in_bytes. 0 for never.'
  }),
  'lease-reuse-duration-seconds': flag({
    section: 'Storage',
    type: integer('int', ranges.seconds),
    default: 60,
    description: 'Seconds that one lease of etcd serves new Events. Fewer seconds make more leases.'
  }),
  'etcd-healthcheck-timeout': flag({
    section: 'Storage',
    type: duration,
    default: 2000,
    defaultText: '2s',
    description: 'How long /healthz and /livez wait for etcd.'
  }),
  'etcd-readycheck-timeout': flag({
    section: 'Storage',
    type: duration,
    default: 2000,
    defaultText: '2s',
    description: 'How long /readyz waits for etcd.'
  }),
  'encryption-provider-config': flag({
    section: 'Storage',
    type: string,
    default: undefined,
    description: 'File that says which resources are stored encrypted, and how (docs/encryption.md).'
  }),
  'encryption-provider-config-automatic-reload': flag({
    section: 'Storage',
    type: bool,
    default: false,
    description:
      'Reads the file of --encryption-provider-config again when it changes. The health of all KMS plugins is then one check, kms-providers.'
  })
}
