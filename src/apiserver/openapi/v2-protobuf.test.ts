import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeV2Document } from './v2-protobuf.js'

/** A document with everything that the encoder knows. */
const document = {
  swagger: '2.0',
  info: { title: 'T', version: 'v1' },
  paths: {
    '/a/{b}': {
      get: {
        tags: ['t'],
        description: 'g',
        operationId: 'o',
        produces: ['application/json'],
        consumes: ['*/*'],
        schemes: ['https'],
        parameters: [{ type: 'integer', name: 'q', in: 'query', description: 'd', uniqueItems: true }],
        responses: { '200': { description: 'OK', schema: { $ref: '#/definitions/A' } }, '401': { description: 'no' } },
        'x-kubernetes-action': 'list'
      },
      post: {
        parameters: [{ name: 'body', in: 'body', required: true, description: 'b', schema: { $ref: '#/definitions/A' } }],
        responses: { '200': { description: 'OK' } }
      },
      put: { responses: { '200': { description: 'OK' } } },
      delete: { responses: { '200': { description: 'OK' } } },
      options: { responses: { '200': { description: 'OK' } } },
      head: { responses: { '200': { description: 'OK' } } },
      patch: { responses: { '200': { description: 'OK' } } },
      parameters: [{ name: 'b', in: 'path', required: true, type: 'string', uniqueItems: true }, { $ref: '#/parameters/p' }]
    }
  },
  definitions: {
    A: {
      description: 'A',
      type: 'object',
      required: ['a', 'b'],
      properties: {
        a: { type: 'string', format: 'f', default: '', enum: ['x', ''] },
        b: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'atomic' },
        c: { type: 'object', additionalProperties: { type: 'integer' } },
        d: {}
      },
      'x-kubernetes-group-version-kind': [{ group: '', kind: 'A', version: 'v1' }]
    }
  },
  parameters: { p: { type: 'boolean', name: 'pretty', in: 'query', uniqueItems: true } },
  security: [{ BearerToken: [] }],
  securityDefinitions: { BearerToken: { description: 's', type: 'apiKey', name: 'authorization', in: 'header' } }
}

/** What kube-apiserver's library (kube-openapi, ToProtoBinary) makes of it. */
const expected =
  'CgMyLjASBwoBVBICdjFC/AIS+QIKBi9hL3tifRLuAhKdAQoBdBoBZyoBbzIQYXBwbGljYXRpb24vanNvbjoDKi8qQh8KHRIbGhkSBXF1ZXJ5GgFkIgFxMgdpbnRl' +
  'Z2VyoAEBSjMKIgoDMjAwEhsKGQoCT0sSEwoRCg8jL2RlZmluaXRpb25zL0EKDQoDNDAxEgYKBAoCbm9SBWh0dHBzah4KE3gta3ViZXJuZXRlcy1hY3Rpb24SBxIF' +
  'bGlzdAoaEUoPCg0KAzIwMBIGCgQKAk9LIjtCKAomCiQKAWISBGJvZHkaBGJvZHkgASoRCg8jL2RlZmluaXRpb25zL0FKDwoNCgMyMDASBgoECgJPSyoRSg8KDQoD' +
  'MjAwEgYKBAoCT0syEUoPCg0KAzIwMBIGCgQKAk9LOhFKDwoNCgMyMDASBgoECgJPS0IRSg8KDQoDMjAwEgYKBAoCT0tKHAoaEhgiFggBEgRwYXRoIgFiKgZzdHJp' +
  'bmeYAQFKEhIQCg4jL3BhcmFtZXRlcnMvcEqLAgqIAgoBQRKCAiIBQZoBAWGaAQFisgEICgZvYmplY3TKAZwBCikKAWESJBIBZioFEgMiIgqiAQQSAngKogEFEgMi' +
  'IgqyAQgKBnN0cmluZwpFCgFiEkCyAQcKBWFycmF5ugENCguyAQgKBnN0cmluZ/oBIwoWeC1rdWJlcm5ldGVzLWxpc3QtdHlwZRIJEgdhdG9taWMKCiEKAWMSHKoB' +
  'DgoMsgEJCgdpbnRlZ2VysgEICgZvYmplY3QKBQoBZBIA+gFJCh94LWt1YmVybmV0ZXMtZ3JvdXAtdmVyc2lvbi1raW5kEiYSJC0gZ3JvdXA6ICIiCiAga2luZDog' +
  'QQogIHZlcnNpb246IHYxClImCiQKAXASHxIdGhsSBXF1ZXJ5IgZwcmV0dHkyB2Jvb2xlYW6gAQFiEQoPCgtCZWFyZXJUb2tlbhIAajUKMwoLQmVhcmVyVG9rZW4S' +
  'JBIiCgZhcGlLZXkSDWF1dGhvcml6YXRpb24aBmhlYWRlciIBcw=='

test('documents are encoded as by kube-apiserver', () => {
  assert.equal(encodeV2Document(document).toString('base64'), expected)
})
