/** Deletes bootstrap tokens that have expired. */

import type { Secret } from '../../apimachinery/api/generated/core-v1.js'
import * as refs from '../../apimachinery/api/resources.js'
import type { Client } from '../../registry/client.js'
import type { Services } from '../../registry/services.js'
import { remainingMs, tokenNamespace, tokenType } from '../../registry/tokens/bootstrap-tokens.js'
import type { Logger } from '../../util/logger.js'
import { Controller } from '../controller.js'

/** The longest wait until the next check, because Node's timers reach only 24 days. */
const dayMs = 24 * 60 * 60 * 1000

export function tokenCleaner({ registry, clock, queues }: Services, client: Client, log: Logger): Controller {
  const secrets = registry.of(refs.secrets)
  return new Controller({
    name: 'token-cleaner',
    queue: 'token_cleaner',
    watches: [{ resource: secrets, keyOf: key => (key.startsWith(`${tokenNamespace}/`) ? key : undefined) }],
    clock,
    queues,
    log,
    async reconcile(key) {
      const cached = secrets.cache.get(key)
      const secret: Secret | undefined = cached && secrets.parse(cached)
      if (secret?.type !== tokenType) return undefined
      const remaining = remainingMs(secret, clock.now())
      if (remaining > 0) return remaining === Number.POSITIVE_INFINITY ? undefined : Math.min(dayMs, Math.ceil(remaining))
      const { name = '', uid, deletionTimestamp } = secret.metadata
      if (deletionTimestamp == null) await client.delete(secrets, tokenNamespace, name, { preconditions: { uid } })
      return undefined
    }
  })
}
