import { scheduleError } from '../../kinds/batch/cron-schedule.js'
import { docsPage } from '../../util/docs-page.js'
import { ranges } from './number-ranges.js'
import { option } from './option.js'
import { bool, duration, InvalidValue, integer, oneOf, string, strings, type ValueType } from './value-types.js'

const etcdServers = strings(text => {
  if (text === '') throw new InvalidValue('must not be empty')
  return text
})

/** A time zone is that of the machine, unless the text names one. */
const schedule: ValueType<string | undefined> = {
  ...string,
  read(text) {
    const problem = text === '' ? undefined : scheduleError(text)
    if (problem !== undefined) throw new InvalidValue(`is no schedule such as "0 3 * * *": ${problem}`)
    return text || undefined
  }
}

/** The flags about where objects are stored. */
export const storageOptions = {
  dataDir: option({
    flag: 'data-dir',
    isPath: true,
    libraryDefault: 'none, and the server writes nothing to disk',
    section: 'Storage',
    type: string,
    default: undefined,
    defaultText: '".binnacle"',
    help: 'Folder for the data, the certificates and an admin kubeconfig. With --storage-backend=memory nothing is written unless this flag is given, and then only certificates and kubeconfig.'
  }),
  storageBackend: option({
    flag: 'storage-backend',
    section: 'Storage',
    type: oneOf(['lmdb', 'memory', 'etcd3'] as const),
    default: undefined,
    defaultText: '"lmdb", "etcd3" with --etcd-servers, or "memory" with --snapshot',
    help: 'Where objects are stored. "lmdb": in the data folder, safe against crashes. "memory": in memory only, lost when the server ends. "etcd3": in the etcd of --etcd-servers, which several servers may share.'
  }),
  snapshot: option({
    flag: 'snapshot',
    isPath: true,
    section: 'Storage',
    type: string,
    default: undefined,
    help: `Start in memory from a snapshot in this file, which "binnacle snapshot" or a program has saved: with its objects, resource versions and keys (${docsPage('testing')}). The file is not changed.`
  }),
  etcdServers: option({
    flag: 'etcd-servers',
    section: 'Storage',
    type: etcdServers,
    default: [],
    help: 'The etcd servers that store the objects (scheme://host:port), separated by commas.'
  }),
  etcdServersOverrides: option({
    flag: 'etcd-servers-overrides',
    section: 'Storage',
    type: etcdServers,
    default: [],
    help: 'Other etcd servers for single built-in resources, separated by commas: group/resource#servers, with semicolons between servers (/events#https://10.0.0.3:2379).'
  }),
  etcdPrefix: option({
    flag: 'etcd-prefix',
    section: 'Storage',
    type: string,
    default: '/registry',
    help: 'Prefix of all keys in etcd.'
  }),
  etcdCAFile: option({
    flag: 'etcd-cafile',
    isPath: 'as given',
    section: 'Storage',
    type: string,
    default: undefined,
    help: 'Authorities that verify the certificates of the etcd servers.'
  }),
  etcdCertFile: option({
    flag: 'etcd-certfile',
    isPath: 'as given',
    section: 'Storage',
    type: string,
    default: undefined,
    help: 'Client certificate for connections to etcd.'
  }),
  etcdKeyFile: option({
    flag: 'etcd-keyfile',
    isPath: 'as given',
    section: 'Storage',
    type: string,
    default: undefined,
    help: 'Private key of --etcd-certfile.'
  }),
  etcdCompactionInterval: option({
    flag: 'etcd-compaction-interval',
    section: 'Storage',
    type: duration,
    default: 300_000,
    defaultText: '5m0s',
    help: 'Interval between compactions of the history in etcd, and thus how long history is kept. 0 disables compaction by this server.'
  }),
  leaseReuseDurationSeconds: option({
    flag: 'lease-reuse-duration-seconds',
    section: 'Storage',
    type: integer('int', ranges.seconds),
    default: 60,
    help: 'Seconds that one lease of etcd serves new Events. Fewer seconds make more leases.'
  }),
  history: option({
    flag: 'history',
    section: 'Storage',
    type: duration,
    default: 0,
    defaultText: '0s',
    help: `How long former versions of objects are kept, with who wrote them when (${docsPage('history')}): 24h. 0 keeps none beyond the 5 minutes that watches need. With etcd, its compaction forgets earlier.`
  }),
  historySize: option({
    flag: 'history-size',
    section: 'Storage',
    type: integer('int64', ranges.historySize),
    default: 1024 ** 3,
    help: 'The most bytes that are written within the history. The oldest history is forgotten first.'
  }),
  backupSchedule: option({
    flag: 'backup-schedule',
    section: 'Storage',
    type: schedule,
    default: undefined,
    help: 'When to make backups of the data folder while the server runs, as the schedule of a CronJob: "0 3 * * *" for 3:00 each day, "@every 6h", "CRON_TZ=Europe/Rome 0 3 * * *". Needs --backup-folder or --backup-bucket, and --storage-backend=lmdb.'
  }),
  backupFolder: option({
    flag: 'backup-folder',
    isPath: true,
    section: 'Storage',
    type: string,
    default: undefined,
    help: 'Folder in which each scheduled backup is a folder of its own, for "binnacle restore". Keep it on another disk, and copy it to another machine.'
  }),
  backupBucket: option({
    flag: 'backup-bucket',
    section: 'Storage',
    type: string,
    default: undefined,
    help: 'Bucket of S3, or of a service that speaks its protocol, in which the scheduled backups are kept instead: "s3://bucket/folder". Needs the packages @aws-sdk/client-s3 and @aws-sdk/lib-storage, which find region, endpoint and credentials in AWS_* of the environment.'
  }),
  backupKeep: option({
    flag: 'backup-keep',
    section: 'Storage',
    type: integer('int', ranges.backups),
    default: 7,
    help: 'How many scheduled backups stay; older ones are removed after a new one has been made.'
  }),
  etcdHealthcheckTimeout: option({
    flag: 'etcd-healthcheck-timeout',
    section: 'Storage',
    type: duration,
    default: 2000,
    defaultText: '2s',
    help: 'How long /healthz and /livez wait for etcd.'
  }),
  etcdReadycheckTimeout: option({
    flag: 'etcd-readycheck-timeout',
    section: 'Storage',
    type: duration,
    default: 2000,
    defaultText: '2s',
    help: 'How long /readyz waits for etcd.'
  }),
  encryptionProviderConfig: option({
    flag: 'encryption-provider-config',
    isPath: true,
    section: 'Storage',
    type: string,
    default: undefined,
    help: `File that says which resources are stored encrypted, and how (${docsPage('encryption')}).`
  }),
  encryptionProviderConfigAutomaticReload: option({
    flag: 'encryption-provider-config-automatic-reload',
    section: 'Storage',
    type: bool,
    default: false,
    help: 'Reads the file of --encryption-provider-config again when it changes. The health of all KMS plugins is then one check, kms-providers.'
  })
}
