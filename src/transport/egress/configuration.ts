/** Reads the file of --egress-selector-config-file, with kube-apiserver's words. */
import { existsSync, readFileSync } from 'node:fs'
import { type ConfigKind, readConfig } from '../../apimachinery/config/read-config.js'
import { list, named, pointer, string, struct, typeMeta } from '../../apimachinery/config/types.js'
import { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { aggregateText, goQuote } from '../../util/go-format.js'
import { UserError } from '../../util/user-error.js'

export interface TlsConfig {
  readonly caBundle?: string
  readonly clientKey?: string
  readonly clientCert?: string
  readonly tlsServerName?: string
}

interface Tcp {
  readonly url?: string
  readonly tlsConfig?: TlsConfig
}

export interface Transport {
  readonly tcp?: Tcp
  readonly uds?: { readonly udsName?: string }
}

export interface EgressSelection {
  readonly name?: string
  readonly connection: { readonly proxyProtocol?: string; readonly transport?: Transport }
}

const typeOf = (version: string) => {
  const tls = struct(`${version}.TLSConfig`, { caBundle: string, clientKey: string, clientCert: string, tlsServerName: string })
  const tcp = struct(`${version}.TCPTransport`, { url: string, tlsConfig: pointer(tls) })
  const uds = struct(`${version}.UDSTransport`, { udsName: string })
  const transport = struct(`${version}.Transport`, { tcp: pointer(tcp), uds: pointer(uds) })
  const connection = struct(`${version}.Connection`, {
    proxyProtocol: named(`${version}.ProtocolType`),
    transport: pointer(transport)
  })
  const selection = struct(`${version}.EgressSelection`, { name: string, connection })
  return struct(`${version}.EgressSelectorConfiguration`, { ...typeMeta, egressSelections: list(selection) })
}

const kind: ConfigKind = {
  kind: 'EgressSelectorConfiguration',
  versions: { 'apiserver.k8s.io/v1beta1': typeOf('v1beta1'), 'apiserver.k8s.io/v1alpha1': typeOf('v1alpha1') }
}

const protocols = ['Direct', 'HTTPConnect', 'GRPC']
const names = ['cluster', 'controlplane', 'etcd']

/** Throws a UserError for a file that is missing or not valid. */
export function loadEgressSelections(path: string): readonly EgressSelection[] {
  const failed = (what: string, why: string) => new UserError(`failed to ${what}: ${why}`)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new UserError(`egress-selector-config-file ${path} does not exist`)
    const why = `unable to read egress selector configuration from ${goQuote(path)} [${(error as Error).message}]`
    throw failed('read egress selector config', why)
  }
  let selections: readonly EgressSelection[]
  try {
    if (text === '') throw new Error("Object 'Kind' is missing in ''")
    selections = readConfig(text, kind).object.egressSelections ?? []
  } catch (error) {
    throw failed('read egress selector config', (error as Error).message)
  }
  const errors = new FieldErrors()
  for (const { connection } of selections) validateConnection(connection, errors)
  validateNames(selections, errors)
  if (errors.any)
    throw failed(
      'validate egress selector configuration',
      aggregateText(errors.list.map(({ field, message }) => `${field}: ${message}`))
    )
  return selections
}

/** The path that all errors name: kube-apiserver does not say which selection is wrong. */
const at = Path.of('service', 'connection')

function validateConnection({ proxyProtocol = '', transport }: EgressSelection['connection'], errors: FieldErrors): void {
  if (proxyProtocol === 'HTTPConnect') validateHttpConnect(transport, errors)
  else if (proxyProtocol === 'GRPC') validateGrpc(transport, errors)
  else if (proxyProtocol !== 'Direct') errors.notSupported(at.child('protocol'), proxyProtocol, protocols)
  else if (transport) errors.invalid(at.child('transport'), 'direct', 'config must be absent for direct connect')
}

function validateHttpConnect(transport: Transport | undefined, errors: FieldErrors): void {
  if (!transport) return errors.required(at.child('transport'), 'transport must be set for HTTPConnect')
  const { tcp, uds } = transport
  if (tcp && uds) errors.invalid(at.child('tcp'), internalForm(tcp), 'TCP and UDS cannot both be set')
  else if (tcp) validateTcp(tcp, errors)
  else if (uds) validateUds(uds, errors)
  else errors.required(at.child('tcp'), 'One of TCP or UDS must be set')
}

function validateGrpc(transport: Transport | undefined, errors: FieldErrors): void {
  if (!transport) errors.required(at.child('transport'), 'transport must be set for GRPC')
  else if (transport.uds) validateUds(transport.uds, errors)
  else errors.required(at.child('uds'), 'UDS must be set with GRPC')
}

function validateUds({ udsName = '' }: NonNullable<Transport['uds']>, errors: FieldErrors): void {
  if (udsName === '') errors.invalid(at.child('udsName'), 'nil', 'must be present for UDS connections')
}

function validateTcp({ url = '', tlsConfig }: Tcp, errors: FieldErrors): void {
  if (url.startsWith('http://')) {
    if (tlsConfig) errors.invalid(at.child('tlsConfig'), 'nil', 'config must not be present when using HTTP')
  } else if (!url.startsWith('https://'))
    errors.invalid(at.child('url'), url, 'supported connection protocols are http:// and https://')
  else if (!tlsConfig) errors.required(at.child('tlsConfig'), 'TLSConfig must be present when using HTTPS')
  else validateTls(tlsConfig, errors)
}

function validateTls({ caBundle, clientCert, clientKey }: TlsConfig, errors: FieldErrors): void {
  const place = at.child('tlsConfig')
  const check = (name: string, path: string | undefined, what: string) => {
    if (path && !existsSync(path)) errors.invalid(place.child(name), path, `TLS ${what} does not exist`)
  }
  check('caBundle', caBundle, 'config ca bundle')
  if (!clientCert) errors.invalid(place.child('clientCert'), 'nil', 'Using TLS requires clientCert')
  check('clientCert', clientCert, 'client cert')
  if (!clientKey) errors.invalid(place.child('clientKey'), 'nil', 'Using TLS requires requires clientKey')
  check('clientKey', clientKey, 'client key')
}

/** The form in which kube-apiserver prints its internal type in errors. */
function internalForm({ url = '', tlsConfig: tls }: Tcp): object {
  const TLSConfig = tls && {
    CABundle: tls.caBundle ?? '',
    ClientKey: tls.clientKey ?? '',
    ClientCert: tls.clientCert ?? '',
    TLSServerName: tls.tlsServerName ?? ''
  }
  return { URL: url, TLSConfig: TLSConfig ?? null }
}

function validateNames(selections: readonly EgressSelection[], errors: FieldErrors): void {
  const seen = new Set<string>()
  for (const [i, { name = '' }] of selections.entries()) {
    const canonical = name.toLowerCase()
    if (seen.has(canonical)) errors.duplicate(at.index(i), canonical)
    else if (!names.includes(canonical)) errors.notSupported(at, canonical, names)
    seen.add(canonical)
  }
}
