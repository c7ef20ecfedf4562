import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { Metrics } from '../../util/instruments/metrics.js'
import { UserError } from '../../util/user-error.js'
import { loadEgressSelections } from './configuration.js'
import { openEgressSelector } from './egress-selector.js'

const directory = mkdtempSync(join(tmpdir(), 'binnacle-egress-'))
after(() => rmSync(directory, { recursive: true }))

const path = join(directory, 'egress.yaml')
const head = 'apiVersion: apiserver.k8s.io/v1beta1\nkind: EgressSelectorConfiguration\negressSelections:\n'
const written = (text: string) => {
  writeFileSync(path, text)
  return path
}
const selection = (name: string, connection: object) => `- ${JSON.stringify({ name, connection })}\n`
const http = (transport?: object) => ({ proxyProtocol: 'HTTPConnect', ...(transport && { transport }) })

// as kube-apiserver 1.36.2 words them
describe('the file of an egress selector', () => {
  for (const [why, text, message] of [
    ['nothing', '', "failed to read egress selector config: Object 'Kind' is missing in ''"],
    [
      'an unknown field',
      `${head}- foo: cluster`,
      'failed to read egress selector config: strict decoding error: unknown field "egressSelections[0].foo"'
    ],
    [
      'another version',
      'apiVersion: apiserver.k8s.io/v1\nkind: EgressSelectorConfiguration',
      'failed to read egress selector config: no kind "EgressSelectorConfiguration" is registered for version "apiserver.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"'
    ],
    [
      'two transports',
      head +
        selection(
          'cluster',
          http({ tcp: { url: 'https://a:1', tlsConfig: { clientCert: '/x', clientKey: '/y' } }, uds: { udsName: 'b' } })
        ),
      'failed to validate egress selector configuration: service.connection.tcp: Invalid value: {"URL":"https://a:1","TLSConfig":{"CABundle":"","ClientKey":"/y","ClientCert":"/x","TLSServerName":""}}: TCP and UDS cannot both be set'
    ],
    [
      'another URL',
      head + selection('cluster', http({ tcp: { url: 'ftp://a:1' } })),
      'failed to validate egress selector configuration: service.connection.url: Invalid value: "ftp://a:1": supported connection protocols are http:// and https://'
    ],
    [
      'many mistakes',
      head +
        selection('cluster', { proxyProtocol: 'Foo' }) +
        selection('x', { proxyProtocol: 'Direct', transport: {} }) +
        selection('X', http()) +
        selection('etcd', http({})) +
        selection('Etcd', { proxyProtocol: 'GRPC', transport: {} }) +
        selection('controlplane', http({ tcp: { url: 'https://a:1', tlsConfig: { caBundle: '/z', clientCert: '/x' } } })),
      `failed to validate egress selector configuration: [${[
        'service.connection.protocol: Unsupported value: "Foo": supported values: "Direct", "HTTPConnect", "GRPC"',
        'service.connection.transport: Invalid value: "direct": config must be absent for direct connect',
        'service.connection.transport: Required value: transport must be set for HTTPConnect',
        'service.connection.tcp: Required value: One of TCP or UDS must be set',
        'service.connection.uds: Required value: UDS must be set with GRPC',
        'service.connection.tlsConfig.caBundle: Invalid value: "/z": TLS config ca bundle does not exist',
        'service.connection.tlsConfig.clientCert: Invalid value: "/x": TLS client cert does not exist',
        'service.connection.tlsConfig.clientKey: Invalid value: "nil": Using TLS requires requires clientKey',
        'service.connection: Unsupported value: "x": supported values: "cluster", "controlplane", "etcd"',
        'service.connection[2]: Duplicate value: "x"',
        'service.connection[4]: Duplicate value: "etcd"'
      ].join(', ')}]`
    ]
  ] as const)
    it(`is refused for ${why}`, () => assert.throws(() => loadEgressSelections(written(text)), { message }))

  it('is refused when it is not there', () =>
    assert.throws(() => loadEgressSelections(`${directory}/none`), {
      message: `egress-selector-config-file ${directory}/none does not exist`
    }))

  it('may ask for nothing that this server cannot do', () => {
    const open = (connection: object) => openEgressSelector(written(head + selection('cluster', connection)), new Metrics())
    assert.throws(() => open(http({ tcp: { url: 'http://127.0.0.1:1' } })), UserError)
    assert.deepEqual(open({ proxyProtocol: 'Direct' }), { networks: new Set(['cluster']) })
  })
})
