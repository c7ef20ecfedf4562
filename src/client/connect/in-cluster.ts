/** How a Pod reaches its cluster (https://kubernetes.io/docs/tasks/run-application/access-api-from-pod/). */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../util/clock.js'
import { RereadFile } from '../../util/reread-file.js'
import { hostAndPort } from '../../util/url-parts.js'
import { fileError, UserError } from '../../util/user-error.js'
import type { ClusterAccess } from './access.js'
import { tokenFileCredentials } from './file-credentials.js'

const defaultFolder = '/var/run/secrets/kubernetes.io/serviceaccount'

export interface InClusterParts {
  readonly env: NodeJS.ProcessEnv
  readonly clock: Clock
  /** Where the files of the ServiceAccount lie. */
  readonly folder?: string | undefined
}

/** Whether the process runs in a Pod with a ServiceAccount. */
export const isInCluster = ({ env, folder = defaultFolder }: InClusterParts): boolean =>
  Boolean(env.KUBERNETES_SERVICE_HOST && env.KUBERNETES_SERVICE_PORT) && existsSync(join(folder, 'token'))

/** Rejects with a UserError outside of a Pod. */
export async function inClusterAccess({ env, clock, folder = defaultFolder }: InClusterParts): Promise<ClusterAccess> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env
  if (!host || !port)
    throw new UserError('this is no Pod: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not both in the environment')
  const caPath = join(folder, 'ca.crt')
  const ca = await readFile(caPath, 'utf8').catch(error => {
    throw fileError(caPath, error)
  })
  const namespace = await readFile(join(folder, 'namespace'), 'utf8').catch(() => 'default')
  const token = new RereadFile('the token', join(folder, 'token'), clock)
  await token.read()
  return {
    server: new URL(`https://${hostAndPort(host, Number(port))}`),
    ca,
    serverName: undefined,
    insecure: false,
    proxy: undefined,
    compress: true,
    namespace: namespace.trim() || 'default',
    credentials: tokenFileCredentials(token, async () => undefined),
    headers: {}
  }
}
