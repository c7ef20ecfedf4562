/** Signs kube-public/cluster-info with every bootstrap token meant for signing, so that its holder can trust the cluster. */

import { createHmac } from 'node:crypto'
import type { ConfigMap, Secret } from '../../apimachinery/api/generated/core-v1.js'
import * as refs from '../../apimachinery/api/resources.js'
import type { Client } from '../../registry/client.js'
import type { Services } from '../../registry/services.js'
import {
  isUsableFor,
  remainingMs,
  tokenData,
  tokenNamespace,
  tokenPrefix,
  tokenType
} from '../../registry/tokens/bootstrap-tokens.js'
import { equalJson } from '../../util/json.js'
import type { Logger } from '../../util/logger.js'
import { Controller } from '../controller.js'

const namespace = 'kube-public'
const name = 'cluster-info'
const content = 'kubeconfig'
const signaturePrefix = 'jws-kubeconfig-'

export function bootstrapSigner({ registry, clock, queues }: Services, client: Client, log: Logger): Controller {
  const secrets = registry.of(refs.secrets)
  const configMaps = registry.of(refs.configMaps)
  const tokens = `${tokenNamespace}/${tokenPrefix}`
  const key = `${namespace}/${name}`

  const signatures = (text: string): Record<string, string> => {
    const found: Record<string, string> = {}
    for (const cached of secrets.cache.range(tokens)) {
      const secret: Secret = secrets.parse(cached)
      const id = cached.name.slice(tokenPrefix.length)
      if (!isForSigning(secret, id, clock.now())) continue
      found[signaturePrefix + id] = signature(text, id, tokenData(secret, 'token-secret'))
    }
    return found
  }

  return new Controller({
    name: 'bootstrap-signer',
    queue: 'bootstrap_signer_queue',
    watches: [
      { resource: configMaps, keyOf: changed => (changed === key ? key : undefined) },
      { resource: secrets, keyOf: changed => (changed.startsWith(tokens) ? key : undefined) }
    ],
    clock,
    queues,
    log,
    async reconcile() {
      const cached = configMaps.get(namespace, name)
      const data = signed(cached && configMaps.parse(cached), signatures)
      if (data)
        await client.update(configMaps, namespace, name, object => (object.data = signed(object, signatures) ?? object.data))
    }
  })
}

/** Returns the data with the right signatures; undefined when they are right already, or there is nothing to sign. */
function signed(
  info: ConfigMap | undefined,
  signatures: (text: string) => Record<string, string>
): Record<string, string> | undefined {
  const data = info?.data ?? {}
  if (!Object.hasOwn(data, content)) return undefined
  const unsigned = Object.entries(data).filter(([key]) => !key.startsWith(signaturePrefix))
  const wanted = { ...Object.fromEntries(unsigned), ...signatures(data[content]!) }
  return equalJson(wanted, data) ? undefined : wanted
}

function isForSigning(secret: Secret, id: string, now: number): boolean {
  return (
    secret.type === tokenType &&
    /^[a-z0-9]{6}$/.test(id) &&
    tokenData(secret, 'token-id') === id &&
    tokenData(secret, 'token-secret') !== '' &&
    remainingMs(secret, now) > 0 &&
    isUsableFor(secret, 'signing')
  )
}

/** Returns a JSON Web Signature with detached content: the reader has the text. */
export function signature(text: string, id: string, secret: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'HS256', kid: id })).toString('base64url')
  const payload = Buffer.from(text).toString('base64url')
  return `${header}..${createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url')}`
}
