/** Writes the tokens of an OpenID Connect user back into the kubeconfig, as kubectl does. */
import { readFile, stat } from 'node:fs/promises'
import { isMap, isSeq, parseDocument } from 'yaml'
import { writeFileAtomically } from '../../transport/certificates/pki-files.js'
import type { OidcTokens } from './oidc.js'

/** Comments and order of the file stay. A user that is gone meanwhile is passed over. */
export async function saveTokens(path: string, user: string, { idToken, refreshToken }: OidcTokens): Promise<void> {
  const document = parseDocument(await readFile(path, 'utf8'))
  const users = document.get('users')
  if (!isSeq(users)) return
  for (const item of users.items) {
    if (!isMap(item) || item.get('name') !== user) continue
    item.setIn(['user', 'auth-provider', 'config', 'id-token'], idToken)
    if (refreshToken !== undefined) item.setIn(['user', 'auth-provider', 'config', 'refresh-token'], refreshToken)
    const { mode } = await stat(path)
    return writeFileAtomically(path, document.toString(), mode & 0o777)
  }
}
