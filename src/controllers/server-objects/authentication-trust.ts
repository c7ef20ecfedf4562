/**
 * Publishes in kube-system/extension-apiserver-authentication whom this server trusts, so that extension API servers trust the same
 * client certificates and the same authenticating proxy. Several servers add theirs, and expired authorities leave.
 */

import type { ConfigMap } from '../../apimachinery/api/generated/core-v1.js'
import * as refs from '../../apimachinery/api/resources.js'
import type { RequestHeaderOptions } from '../../auth/authentication/request-header.js'
import type { Client } from '../../registry/client.js'
import type { Services } from '../../registry/services.js'
import { pemCertificates } from '../../transport/certificates/key-files.js'
import { parsedCertificate } from '../../transport/certificates/parsed.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import { Controller } from '../controller.js'

export interface Trust {
  /** PEM of the authorities of client certificates. */
  readonly clientCAs: readonly string[]
  readonly requestHeader: RequestHeaderOptions | undefined
  /** Whether the headers with UIDs are published. */
  readonly uids: boolean
}

const namespace = 'kube-system'
const name = 'extension-apiserver-authentication'
const key = `${namespace}/${name}`

/**
 * How often the ConfigMap is checked: another server may have written its own authorities, and a certificate may have expired.
 */
const intervalMs = 60_000

export function authenticationTrust(services: Services, client: Client, published: Omit<Trust, 'uids'>, log: Logger): Part {
  const { registry, clock, queues, features } = services
  const trust = { ...published, uids: features.enabled('RemoteRequestHeaderUID') }
  const configMaps = registry.of(refs.configMaps)
  const controller = new Controller({
    name: 'cluster_authentication_trust_controller',
    watches: [{ resource: configMaps, keyOf: found => (found === key ? key : undefined) }],
    clock,
    queues,
    log,
    async reconcile() {
      await publish()
      return intervalMs
    }
  })
  const publish = async () => {
    const present = configMaps.read(namespace, name)
    if (!present) {
      await client.ensure(configMaps, namespace, { metadata: { name }, data: withTrust({}, trust, clock.now()) } as never)
      return
    }
    const data = present.data ?? {}
    const wanted = withTrust(data, trust, clock.now())
    if (Object.keys(wanted).every(field => wanted[field] === data[field])) return
    await client.update<ConfigMap>(configMaps, namespace, name, object => {
      object.data = { ...object.data, ...withTrust(object.data ?? {}, trust, clock.now()) }
    })
  }
  return {
    name: controller.name,
    async start() {
      await controller.start()
      controller.enqueue(key)
    },
    stop: () => controller.stop()
  }
}

type Data = Readonly<Record<string, string>>

/** The fields of the ConfigMap: what it has already, and what this server adds. */
function withTrust(present: Data, { clientCAs, requestHeader, uids }: Trust, now: number): Record<string, string> {
  const certificates = (field: string, own: readonly string[]) => bundle(present[field] ?? '', own, now)
  const names = (field: string, own: readonly string[]) => {
    const all = new Set([...listIn(present[field]), ...own])
    return JSON.stringify([...all])
  }
  const data: Record<string, string> = { 'client-ca-file': certificates('client-ca-file', clientCAs) }
  if (!requestHeader && !present['requestheader-client-ca-file']) return data
  const own = requestHeader
  return {
    ...data,
    'requestheader-client-ca-file': certificates('requestheader-client-ca-file', own?.authorities ?? []),
    'requestheader-allowed-names': names('requestheader-allowed-names', own?.allowedNames ?? []),
    'requestheader-username-headers': names('requestheader-username-headers', own?.usernameHeaders ?? []),
    'requestheader-group-headers': names('requestheader-group-headers', own?.groupHeaders ?? []),
    'requestheader-extra-headers-prefix': names('requestheader-extra-headers-prefix', own?.extraHeaderPrefixes ?? []),
    ...(uids && (present['requestheader-uid-headers'] !== undefined || own?.uidHeaders.length)
      ? { 'requestheader-uid-headers': names('requestheader-uid-headers', own?.uidHeaders ?? []) }
      : {})
  }
}

function listIn(text: string | undefined): string[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(list) ? list.filter(item => typeof item === 'string') : []
  } catch {
    return []
  }
}

/** Joins certificates, each once and without those that have expired. */
function bundle(present: string, own: readonly string[], now: number): string {
  const found = new Map<string, string>()
  for (const pem of [...pemCertificates(present), ...own]) {
    try {
      const certificate = parsedCertificate(pem)
      if (Date.parse(certificate.validTo) > now) found.set(certificate.fingerprint256, pem)
    } catch {
      // a text that is no certificate is removed as well
    }
  }
  return [...found.values()].map(pem => `${pem.trim()}\n`).join('')
}
