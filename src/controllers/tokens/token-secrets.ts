/** Writes tokens into the Secrets of type service-account-token, and deletes the Secrets whose service account is gone. */

import type { Secret, ServiceAccount } from '../../apimachinery/api/generated/core-v1.js'
import * as refs from '../../apimachinery/api/resources.js'
import type { Client } from '../../registry/client.js'
import type { Services } from '../../registry/services.js'
import { accountAnnotations, accountOf, legacyClaims } from '../../registry/tokens/legacy-tokens.js'
import type { Logger } from '../../util/logger.js'
import { Controller } from '../controller.js'

const base64 = (text: string) => Buffer.from(text).toString('base64')

export function tokenSecretController(services: Services, client: Client, caBundle: string, log: Logger): Controller {
  const { registry, tokens, clock, queues } = services
  const secrets = registry.of(refs.secrets)
  const accounts = registry.of(refs.serviceAccounts)
  const authority = base64(caBundle)

  /** Enqueues the Secrets of a service account that was created, changed or deleted. */
  const lookAtSecretsOf = (key: string) => {
    const namespace = key.slice(0, key.indexOf('/'))
    const name = key.slice(key.indexOf('/') + 1)
    for (const cached of secrets.cache.range(`${namespace}/`))
      if (accountOf(secrets.parse(cached))?.name === name) controller.enqueue(`secret/${cached.key}`)
  }

  const fill = async (secret: Secret, account: ServiceAccount) => {
    const { namespace = '', name = '' } = secret.metadata
    const { name: accountName = '', uid = '' } = account.metadata
    const { data = {} } = secret
    if (data['ca.crt'] === authority && data.namespace && data.token) return
    const token = data.token || base64(await tokens.issueLegacy(legacyClaims(namespace, name, accountName, uid)))
    await client.update(secrets, namespace, name, object => {
      if (object.metadata.uid !== secret.metadata.uid) return
      const given = object.data ?? {}
      object.data = {
        ...given,
        'ca.crt': authority,
        namespace: given.namespace || base64(namespace),
        token: given.token || token
      }
      object.metadata.annotations = { ...object.metadata.annotations, ...accountAnnotations(accountName, uid) }
    })
  }

  const controller: Controller = new Controller({
    name: 'token-secrets',
    queue: 'serviceaccount_tokens_service',
    watches: [
      { resource: accounts, keyOf: key => `account/${key}` },
      { resource: secrets, keyOf: key => `secret/${key}` }
    ],
    clock,
    queues,
    log,
    async reconcile(key) {
      const path = key.slice(key.indexOf('/') + 1)
      if (key.startsWith('account/')) return lookAtSecretsOf(path)
      const cached = secrets.cache.get(path)
      const secret: Secret | undefined = cached && secrets.parse(cached)
      const wanted = secret && accountOf(secret)
      if (!secret || !wanted || secret.metadata.deletionTimestamp) return
      const { namespace = '', name = '', uid } = secret.metadata
      const found = accounts.get(namespace, wanted.name)
      const account: ServiceAccount | undefined = found && accounts.parse(found)
      if (account && (wanted.uid === undefined || wanted.uid === account.metadata.uid)) await fill(secret, account)
      else await client.delete(secrets, namespace, name, uid === undefined ? {} : { preconditions: { uid } })
    }
  })
  return controller
}
