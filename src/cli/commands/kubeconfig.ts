import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { flag } from '../../server/options/flag.js'
import { bool, string, stringArray } from '../../server/options/value-types.js'
import type { Credentials } from '../../transport/certificates/kubeconfig.js'
import { fileError, UserError } from '../../util/user-error.js'
import { flagsHelp } from '../flags/help.js'
import { parseFlags } from '../flags/parse.js'
import { DEFAULT_DATA_DIR } from '../serve-options.js'

const section = 'Kubeconfig'
export const kubeconfigFlags = {
  'data-dir': flag({ section, type: string, default: DEFAULT_DATA_DIR, help: 'Data folder of the server.' }),
  user: flag<string | undefined>({
    section,
    type: string,
    default: undefined,
    help: 'Name of a user. The kubeconfig has a client certificate for this name, which is valid for a year and cannot be withdrawn; roles say what the user may do.'
  }),
  group: flag<readonly string[]>({
    section,
    type: stringArray(),
    default: [],
    help: 'Group of the user. Repeat it for several. system:masters may do everything.'
  }),
  serviceaccount: flag<string | undefined>({
    section,
    type: string,
    default: undefined,
    help: 'Namespace and name of a ServiceAccount, such as team/builder. The kubeconfig has a token for it, which is valid for an hour. The server must be running.'
  }),
  help: flag({ section, type: bool, default: false, shorthand: 'h', help: 'Shows this help.' })
}

const help =
  (): string => `Prints a kubeconfig for the server that was started last on a data folder: the admin's, or one for somebody else.

Usage:
  binnacle kubeconfig [flags]
  binnacle kubeconfig --user alice --group devs > alice.kubeconfig
  binnacle kubeconfig --serviceaccount team/builder > builder.kubeconfig

${flagsHelp(kubeconfigFlags, [section], Math.min(process.stdout.columns ?? 100, 120))}`

/**
 * `binnacle kubeconfig`: prints the kubeconfig that the server wrote to its data folder at its start, with its actual address, or the same
 * one with other credentials.
 */
export const printKubeconfig = async (args: readonly string[]): Promise<void> => {
  const { values } = parseFlags(args, kubeconfigFlags)
  if (values.help) return void process.stdout.write(help())
  const { user, group, serviceaccount } = values
  if (user === '') throw new UserError('--user must not be empty')
  if (user !== undefined && serviceaccount !== undefined) throw new UserError('--user and --serviceaccount exclude each other')
  if (user === undefined && group.length > 0) throw new UserError('--group needs --user')
  const dataDir = values['data-dir'] ?? DEFAULT_DATA_DIR
  const path = join(dataDir, 'kubeconfig')
  const admin = await adminKubeconfig(path, dataDir)
  if (user !== undefined) process.stdout.write(await withCredentials(path, admin, await certificateFor(dataDir, user, group)))
  else if (serviceaccount !== undefined)
    process.stdout.write(await withCredentials(path, admin, { token: await tokenOf(path, serviceaccount) }))
  else process.stdout.write(admin)
}

async function adminKubeconfig(path: string, dataDir: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw fileError(path, error)
    throw new UserError(`${path}: no such file; has a server been started with --data-dir ${dataDir}?`, { cause: error })
  }
}

/** Signs a certificate with the authority of the data folder, whether or not the server is running. */
async function certificateFor(dataDir: string, user: string, groups: readonly string[]): Promise<Credentials> {
  const [{ certificateOf }, { parsePrivateKey, parseCertificates }, { issueUserCertificate }, { assertOwnFiles }] =
    await Promise.all([
      import('../../transport/certificates/kubeconfig.js'),
      import('../../transport/certificates/key-files.js'),
      import('../../transport/certificates/user-certificate.js'),
      import('../../util/file-owner.js')
    ])
  const folder = join(dataDir, 'pki')
  assertOwnFiles(folder, { what: `--data-dir ${dataDir}` })
  const read = async (name: string) => {
    const file = join(folder, name)
    const text = await readFile(file, 'utf8').catch(error => {
      throw fileError(file, error)
    })
    return { file, text }
  }
  const [certificate, key] = await Promise.all([read('ca.crt'), read('ca.key')])
  const [first = ''] = parseCertificates(certificate.file, certificate.text)
  const ca = { certificate: first, key: parsePrivateKey(key.file, key.text) }
  return certificateOf(issueUserCertificate(ca, user, groups, Date.now()))
}

/** Asks the running server for a token. */
async function tokenOf(kubeconfig: string, account: string): Promise<string> {
  const [{ connect }, { serviceAccountToken }] = await Promise.all([
    import('../../client/connect/connect.js'),
    import('../../client/credentials.js')
  ])
  const client = await connect({ kubeconfig })
  try {
    return await serviceAccountToken(client, account)
  } catch (error) {
    throw error instanceof UserError ? error : new UserError((error as Error).message, { cause: error })
  } finally {
    await client.close()
  }
}

/** Returns the kubeconfig of a data folder, which has one cluster and one user, with other credentials. */
export async function withCredentials(path: string, admin: string, credentials: Credentials): Promise<string> {
  const [{ parseKubeconfigFile }, { kubeconfigText }] = await Promise.all([
    import('../../transport/kubeconfig/kubeconfig-file.js'),
    import('../../transport/certificates/kubeconfig.js')
  ])
  const { clusters = [] } = parseKubeconfigFile(path, admin)
  const { server, 'certificate-authority-data': authority, 'tls-server-name': tlsServerName } = clusters[0]?.cluster ?? {}
  if (server === undefined || authority === undefined)
    throw new UserError(`${path}: names no server with its authority; start the server again, which writes the file`)
  const certificateAuthority = Buffer.from(authority, 'base64').toString()
  return kubeconfigText({ server, certificateAuthority, tlsServerName, ...credentials })
}
