import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'
import { yamlOf } from './go-yaml.js'
import { encodeV3Document } from './v3-protobuf.js'

const server = createServer({ log: silentLogger })
before(() => server.start())
after(() => server.stop())
const user = { name: 'admin', groups: ['system:masters'] }
const get = (accept: string, url = '/openapi/v3/version') => server.inject({ url, user, headers: accept ? { accept } : {} })
const subtype = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf'

test('a v3 document has the form that the client wants', async () => {
  const said = async (accept: string) => {
    const { status, headers, body } = await get(accept)
    return `${status} ${headers['content-type'] ?? ''} ${body.length > 0}`
  }
  for (const accept of ['', '*/*', 'application/*', 'application/json', 'text/html, */*;q=0.1'])
    assert.equal(await said(accept), '200 application/json true', accept)
  for (const accept of [
    subtype,
    'application/com.github.proto-openapi.spec.v3@v1.0+protobuf',
    `application/json;q=0.1,${subtype};q=0.5`
  ])
    assert.equal(await said(accept), `200 ${subtype} true`, accept)
  for (const accept of ['text/html', 'application/yaml']) assert.equal(await said(accept), '406  false')
  assert.equal(await said('bad'), '200  false')
})

test('both forms have one address and one tag', async () => {
  const [json, protobuf] = [await get(''), await get(subtype)]
  assert.equal(json.headers.etag, protobuf.headers.etag)
  assert.ok(encodeV3Document(JSON.parse(String(json.body))).equals(protobuf.body))
})

/** A document with everything that the encoder knows. */
const document = {
  openapi: '3.0.0',
  info: { title: 'T', description: 'd', version: '1' },
  paths: {
    '/a/{b}': {
      parameters: [{ name: 'b', in: 'path', required: true, description: 'p', schema: { type: 'string', uniqueItems: true } }],
      get: {
        tags: ['t'],
        description: 'g',
        operationId: 'o',
        parameters: [{ name: 'q', in: 'query', schema: { type: 'integer' } }],
        responses: {
          '200': { description: 'OK', content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } } },
          default: { description: 'other' }
        },
        'x-kubernetes-action': 'list',
        deprecated: true
      },
      post: {
        requestBody: { description: 'b', required: true, content: { '*/*': { schema: { $ref: '#/components/schemas/A' } } } },
        responses: { '401': { description: 'no' } }
      },
      delete: { responses: { '200': { description: 'OK' } } },
      put: { responses: { '200': { description: 'OK' } } },
      patch: { responses: { '200': { description: 'OK' } } },
      head: { responses: { '200': { description: 'OK' } } },
      options: { responses: { '200': { description: 'OK' } } }
    }
  },
  components: {
    schemas: {
      A: {
        type: 'object',
        title: 't',
        description: 'A',
        required: ['a', 'b'],
        nullable: true,
        properties: {
          a: { type: 'string', default: '', maxLength: 300, minLength: 1, pattern: '^a$', format: 'f', enum: ['x', '*', ''] },
          b: {
            type: 'number',
            default: 1.5,
            maximum: 10,
            minimum: -2.5,
            exclusiveMaximum: true,
            exclusiveMinimum: true,
            multipleOf: 0.5
          },
          c: { type: 'boolean', default: true },
          d: { default: {}, allOf: [{ $ref: '#/components/schemas/B' }] },
          e: {
            type: 'array',
            items: { type: 'string' },
            maxItems: 5,
            minItems: 2,
            uniqueItems: true,
            'x-kubernetes-list-type': 'atomic'
          },
          f: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 3, minProperties: 1 },
          g: { type: 'object', additionalProperties: true },
          h: {
            oneOf: [{ type: 'string' }],
            anyOf: [{ type: 'integer' }],
            not: { type: 'null' },
            'x-kubernetes-int-or-string': true
          }
        },
        'x-kubernetes-group-version-kind': [{ group: '', kind: 'A', version: 'v1' }]
      },
      B: { type: 'object' }
    },
    securitySchemes: { BearerToken: { type: 'apiKey', description: 's', name: 'authorization', in: 'header' } }
  }
}

/** What kube-apiserver's library (kube-openapi, ToV3ProtoBinary) makes of it. */
const expected =
  'CgUzLjAuMBIJCgFUEgFkMgExIuwCCukCCgYvYS97Yn0S3gIilwEKAXQaAWcqAW8yGgoYCgFxEgVxdWVyeVIMCgrKAQdpbnRlZ2VyQk4KCQoHCgVvdGhlchJB' +
  'CgMyMDASOgo4CgJPSxoyCjAKEGFwcGxpY2F0aW9uL2pzb24SHAoaEhgKFiMvY29tcG9uZW50cy9zY2hlbWFzL0FQAWoeChN4LWt1YmVybmV0ZXMtYWN0aW9u' +
  'EgcSBWxpc3QKKhFCDxINCgMyMDASBgoECgJPSzJBOi4KLAoBYhIlCiMKAyovKhIcChoSGAoWIy9jb21wb25lbnRzL3NjaGVtYXMvQRgBQg8SDQoDNDAxEgYK' +
  'BAoCbm86EUIPEg0KAzIwMBIGCgQKAk9LQhFCDxINCgMyMDASBgoECgJPS0oRQg8SDQoDMjAwEgYKBAoCT0tSEUIPEg0KAzIwMBIGCgQKAk9LaiAKHgoBYhIE' +
  'cGF0aBoBcCABUg4KDKABAcoBBnN0cmluZyrmBAqsBAqXBAoBQRKRBAqOBAgBSgF0ugEBYboBAWLKAQZvYmplY3T6AaQDCj0KAWESOAo2eKwCgAEBigEDXmEk' +
  'wgEEEgJ4CsIBBhIEJyonCsIBBRIDIiIKygEGc3RyaW5nigICGgCaAgFmCjsKAWISNgo0UQAAAAAAAOA/WQAAAAAAACRAYAFpAAAAAAAABMBwAcoBBm51bWJl' +
  'cooCCQkAAAAAAAD4PwoWCgFjEhEKD8oBB2Jvb2xlYW6KAgIQAQonCgFkEiIKINIBGhIYChYjL2NvbXBvbmVudHMvc2NoZW1hcy9CigIACk4KAWUSSQpHkAEF' +
  'mAECoAEBygEFYXJyYXnyAQ0KCwoJygEGc3RyaW5nogIjChZ4LWt1YmVybmV0ZXMtbGlzdC10eXBlEgkSB2F0b21pYwoKJgoBZhIhCh+oAQOwAQHKAQZvYmpl' +
  'Y3SCAg0KCwoJygEGc3RyaW5nChUKAWcSEAoOygEGb2JqZWN0ggICEAEKVgoBaBJRCk/aAQsKCcoBBnN0cmluZ+IBDAoKygEHaW50ZWdlcuoBB8oBBG51bGyi' +
  'AiUKGngta3ViZXJuZXRlcy1pbnQtb3Itc3RyaW5nEgcSBXRydWUKkgIBQaICSQofeC1rdWJlcm5ldGVzLWdyb3VwLXZlcnNpb24ta2luZBImEiQtIGdyb3Vw' +
  'OiAiIgogIGtpbmQ6IEEKICB2ZXJzaW9uOiB2MQoKEAoBQhILCgnKAQZvYmplY3Q6NQozCgtCZWFyZXJUb2tlbhIkCiIKBmFwaUtleRIBcxoNYXV0aG9yaXph' +
  'dGlvbiIGaGVhZGVy'

test('documents are encoded as by kube-apiserver', () => {
  assert.equal(encodeV3Document(document).toString('base64'), expected)
})

test('values of any kind are written as YAML of go-yaml', () => {
  assert.equal(yamlOf('atomic'), 'atomic\n')
  assert.equal(yamlOf('*'), "'*'\n")
  assert.equal(yamlOf(''), '""\n')
  assert.equal(yamlOf('true'), '"true"\n')
  assert.equal(yamlOf('y'), '"y"\n')
  assert.equal(yamlOf('1'), '"1"\n')
  assert.equal(yamlOf([{ group: '', version: 'v1' }]), '- group: ""\n  version: v1\n')
})
