/** Opens the etcd store that a server's options ask for. */
import type { Connect } from '../../transport/egress/egress-selector.js'
import type { Logger } from '../../util/logger.js'
import { UserError } from '../../util/user-error.js'
import { type Store, StoreUnavailableError } from '../contract.js'
import { address, tlsCredentials } from './client.js'
import { openEtcdStore } from './store.js'

/** The options of a server that are about etcd. */
export interface EtcdOptions {
  readonly etcdServers?: readonly string[] | undefined
  readonly etcdPrefix?: string | undefined
  readonly etcdCAFile?: string | undefined
  readonly etcdCertFile?: string | undefined
  readonly etcdKeyFile?: string | undefined
  readonly leaseReuseDurationSeconds?: number | undefined
  readonly etcdCompactionInterval?: number | undefined
}

/** Checks the addresses and reads the files, without a connection. Rejects with a UserError. */
export async function checkEtcdOptions(options: EtcdOptions): Promise<void> {
  const { etcdServers = [], etcdCAFile: caFile, etcdCertFile: certFile, etcdKeyFile: keyFile } = options
  for (const server of etcdServers) address(server, caFile !== undefined)
  await tlsCredentials({ caFile, certFile, keyFile })
}

/** `streams`: see EtcdOptions of the store. */
export async function openConfiguredEtcd(
  options: EtcdOptions,
  log: Logger,
  leaseUsed?: (keys: number) => void,
  egress?: Connect,
  streams = true
): Promise<Store> {
  const servers = options.etcdServers ?? []
  if (servers.length === 0) throw new UserError('--storage-backend=etcd3 needs --etcd-servers')
  try {
    return await openEtcdStore({
      servers,
      prefix: options.etcdPrefix,
      caFile: options.etcdCAFile,
      certFile: options.etcdCertFile,
      keyFile: options.etcdKeyFile,
      reuseSeconds: options.leaseReuseDurationSeconds,
      leaseUsed,
      compactionInterval: options.etcdCompactionInterval,
      egress,
      streams,
      log
    })
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error
    throw new UserError(`--etcd-servers ${servers.join(',')}: ${error.message}`, { cause: error })
  }
}
