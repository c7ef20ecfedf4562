/** Notes on the Secrets of tokens when they were last used, so that the unused can be found. */

import type { Secret } from '../../api/generated/core-v1.js'
import * as refs from '../../api/resources.js'
import { Client, systemUser } from '../../registry/client.js'
import type { Services } from '../../registry/services.js'
import { lastUsedLabel } from '../../registry/tokens/legacy-tokens.js'
import { noAdmission } from '../../registry/write/admission.js'
import { StatusError } from '../../status/status.js'
import type { Logger } from '../../util/logger.js'

/** Never rejects: whether the note can be written is no concern of the request that comes with the token. */
export async function markTokenUsed({ metadata }: Secret, day: string, services: Services, log: Logger): Promise<void> {
  const client = new Client(services, noAdmission, { user: systemUser('system:apiserver'), manager: 'kube-apiserver' })
  try {
    await client.update(services.registry.of(refs.secrets), metadata.namespace!, metadata.name!, object => {
      if (object.metadata.uid === metadata.uid) object.metadata.labels = { ...object.metadata.labels, [lastUsedLabel]: day }
    })
  } catch (error) {
    if (!(error instanceof StatusError)) log.error(`noting the use of a token: ${error}`)
  }
}
