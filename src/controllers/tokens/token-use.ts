/** Records in each token's Secret the day of its last use, so that administrators can find unused tokens (KEP-2799). */

import type { Secret } from '../../apimachinery/api/generated/core-v1.js'
import * as refs from '../../apimachinery/api/resources.js'
import { StatusError } from '../../apimachinery/status/status.js'
import { Client, systemUser } from '../../registry/client.js'
import type { Services } from '../../registry/services.js'
import { lastUsedLabel } from '../../registry/tokens/legacy-tokens.js'
import { noAdmission } from '../../registry/write/admission.js'
import type { Logger } from '../../util/logger.js'

/** Never rejects, because a failed write must not fail the request that carries the token. */
export async function markTokenUsed({ metadata }: Secret, day: string, services: Services, log: Logger): Promise<void> {
  const client = new Client(services, noAdmission, { user: systemUser('system:apiserver'), manager: 'kube-apiserver' })
  try {
    await client.update(services.registry.of(refs.secrets), metadata.namespace!, metadata.name!, object => {
      if (object.metadata.uid === metadata.uid) object.metadata.labels = { ...object.metadata.labels, [lastUsedLabel]: day }
    })
  } catch (error) {
    if (!(error instanceof StatusError)) log.error(`recording the use of a token: ${error}`)
  }
}
