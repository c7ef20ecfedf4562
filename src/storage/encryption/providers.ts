/** Makes the transformers that a configuration asks for. */
import { ConfigError } from '../../apimachinery/config/read-config.js'
import type { Clock } from '../../util/clock.js'
import { goQuote } from '../../util/go-format.js'
import { parseUrl } from '../../util/go-url.js'
import type { Logger } from '../../util/logger.js'
import type { Randomness } from '../../util/randomness.js'
import { AesCbc, AesGcm } from './aes.js'
import type { KeysConfiguration, KmsConfiguration, ProviderConfiguration, ResourceConfiguration } from './configuration.js'
import { anyOfAll, type GroupResource, groupResourceText, parseGroupResource } from './group-resource.js'
import { identity } from './identity.js'
import type { KmsProvider } from './kms/provider.js'
import type { KmsCounts, TransformationCounts } from './metrics.js'
import { Secretbox } from './secretbox.js'
import { type PrefixTransformer, PrefixTransformers, type Transformer } from './transformer.js'
import { decodeKey } from './validation.js'

export interface ProviderParts {
  readonly counts: TransformationCounts & KmsCounts
  readonly clock: Clock
  readonly random: Randomness
  readonly log: Logger
  /** Called when values have become readable that could not be decrypted before. */
  readable(): void
}

/** The transformers of a configuration. */
export interface Providers {
  /** The transformers by `resource.group`; both parts may be `*`. */
  readonly byResource: ReadonlyMap<string, Transformer>
  /** The KMS providers in the order of the configuration. */
  readonly kms: readonly KmsProvider[]
  /** Milliseconds that the check of all KMS plugins may take. */
  readonly kmsTimeout: number
}

/** Makes the transformers of a valid configuration, and asks each KMS plugin for its status. Rejects with a ConfigError. */
export async function makeProviders(all: readonly ResourceConfiguration[], parts: ProviderParts): Promise<Providers> {
  const entries = new Map<string, PrefixTransformer[]>()
  const kms: KmsProvider[] = []
  let kmsTimeout = 0
  try {
    for (const { resources, providers } of all) {
      const transformers: PrefixTransformer[] = []
      for (const provider of providers) {
        if (provider.kms) {
          const made = await kmsProvider(provider.kms, parts)
          kms.push(made)
          kmsTimeout += provider.kms.timeout
          transformers.push({ prefix: `k8s:enc:kms:v2:${provider.kms.name}:`, transformer: made })
          await made.start()
        } else transformers.push(localProvider(provider, parts))
      }
      for (const name of resources) {
        const resource = parseGroupResource(name)
        for (const mask of [{ group: resource.group, resource: '*' }, anyOfAll])
          if (entries.has(keyOf(mask)))
            throw new ConfigError(`resource ${goQuote(shown(resource))} is masked by earlier rule ${goQuote(shown(mask))}`)
        entries.set(keyOf(resource), [...(entries.get(keyOf(resource)) ?? []), ...transformers])
      }
    }
  } catch (error) {
    for (const provider of kms) provider.stop()
    throw error
  }
  const made = [...entries].map(
    ([key, list]) => [key, new PrefixTransformers(list, 'no matching prefix found', parts.counts)] as const
  )
  return { byResource: new Map(made), kms, kmsTimeout }
}

export const keyOf = ({ group, resource }: GroupResource): string => `${resource}.${group}`

const shown = (resource: GroupResource) =>
  resource.group === '' && resource.resource === '*' ? '*.' : groupResourceText(resource)

function localProvider({ aesgcm, aescbc, secretbox }: ProviderConfiguration, { counts }: ProviderParts): PrefixTransformer {
  const keyed = (name: string, title: string, { keys }: KeysConfiguration, make: (key: Buffer) => Transformer) => ({
    prefix: `k8s:enc:${name}:v1:`,
    transformer: new PrefixTransformers(
      keys.map(({ name, secret }) => ({ prefix: `${name}:`, transformer: make(decodeKey(secret)!) })),
      `no matching key was found for the provided ${title} transformer`,
      counts
    )
  })
  if (aesgcm) return keyed('aesgcm', 'AES', aesgcm, key => new AesGcm(key))
  if (aescbc) return keyed('aescbc', 'AES', aescbc, key => new AesCbc(key))
  if (secretbox) return keyed('secretbox', 'Secretbox', secretbox, key => new Secretbox(key))
  return { prefix: '', transformer: identity }
}

const v1IsOff =
  'KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.'

async function kmsProvider(
  { apiVersion, name, endpoint, timeout }: KmsConfiguration,
  parts: ProviderParts
): Promise<KmsProvider> {
  if (apiVersion === 'v1') throw new ConfigError(v1IsOff)
  const { counts, clock, random, log, readable } = parts
  // this loads gRPC
  const [{ KmsClient }, { KmsProvider }] = await Promise.all([import('./kms/client.js'), import('./kms/provider.js')])
  const service = new KmsClient({
    socket: socketOf(endpoint),
    timeoutMs: timeout,
    called: (method, code, seconds) => counts.called(name, method, code, seconds)
  })
  return new KmsProvider({ name, service, clock, random, counts, log, readable })
}

/** Returns the path of the socket; `@name` for an abstract one. */
function socketOf(endpoint: string): string {
  const path = decodeURIComponent(parseUrl(endpoint).rawPath)
  return path.startsWith('/@') ? path.slice(1) : path
}
