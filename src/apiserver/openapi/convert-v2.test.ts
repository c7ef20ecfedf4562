import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convertedV2, convertV2 } from './convert-v2.js'

const ref = (name: string) => ({ $ref: `#/definitions/${name}` })
const refV3 = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const schemaOf = (schema: object): any => (convertV2({ definitions: { A: schema } }) as any).components.schemas.A

test('a document without paths has empty components', () => {
  // the form is that of kube-aggregator's own test
  const v2 = { swagger: '2.0', info: { title: 'Kubernetes', version: 'unversioned' } }
  assert.equal(convertedV2(v2), '{"openapi":"3.0.0","info":{"title":"Kubernetes","version":"unversioned"},"components":{}}')
  for (const other of [null, [], 'x', 3]) assert.deepEqual(convertV2(other), { openapi: '3.0.0', info: null, components: {} })
})

test('references become those of v3, with allOf around those that have siblings', () => {
  assert.deepEqual(schemaOf(ref('B')), refV3('B'))
  assert.deepEqual(schemaOf({ ...ref('B'), description: 'd', default: {} }), {
    description: 'd',
    default: {},
    allOf: [refV3('B')]
  })
  assert.deepEqual(
    schemaOf({
      properties: { a: { items: { ...ref('B'), default: {} } }, b: { additionalProperties: ref('B') }, c: { items: [ref('B')] } },
      additionalItems: ref('B')
    }),
    {
      properties: {
        a: { items: { default: {}, allOf: [refV3('B')] } },
        b: { additionalProperties: refV3('B') },
        c: { items: [refV3('B')] }
      },
      additionalItems: refV3('B')
    }
  )
  // kube-aggregator does not look into these
  assert.deepEqual(schemaOf({ allOf: [ref('B')], patternProperties: { a: { ...ref('B'), title: 't' } } }), {
    allOf: [ref('B')],
    patternProperties: { a: { title: 't', allOf: [ref('B')] } }
  })
})

test('fields of schemas come in the order of Go, without empty ones', () => {
  const schema = {
    'x-b': { z: 1, a: 2 },
    const: 'c',
    additionalProperties: false,
    enum: [],
    uniqueItems: false,
    maximum: 0,
    type: ['string'],
    description: '<d>',
    nullable: true
  }
  assert.equal(
    JSON.stringify(schemaOf(schema)),
    '{"description":"<d>","type":"string","nullable":true,"maximum":0,"additionalProperties":false,"const":"c","x-b":{"a":2,"z":1}}'
  )
  assert.match(convertedV2({ definitions: { A: schema } }), /\\u003cd\\u003e/)
  const hostile = schemaOf(JSON.parse('{"properties":{"__proto__":{"type":"string"}},"__proto__":1}'))
  assert.equal(JSON.stringify(hostile), '{"properties":{"__proto__":{"type":"string"}},"__proto__":1}')
})

test('operations: the parameter "body" becomes the request body, with a content for each media type', () => {
  const schema = ref('A')
  const converted: any = convertV2({
    paths: {
      'x-p': 1,
      '/b': {
        post: {
          consumes: ['b/b', 'a/a'],
          produces: ['c/c'],
          schemes: ['https'],
          parameters: [
            { name: 'body', in: 'body', required: true, schema },
            { name: 'q', in: 'query', type: 'integer', uniqueItems: true, enum: [1] },
            { $ref: '#/parameters/p' }
          ],
          responses: { 201: { description: 'Created', schema, headers: {} }, default: { $ref: '#/responses/r' } },
          deprecated: true,
          'x-kubernetes-action': 'post'
        },
        parameters: [{ name: 'n', in: 'path', required: true, type: 'string' }]
      },
      '/a': { get: { responses: { 200: { description: 'OK', schema } } } }
    }
  }).paths
  assert.deepEqual(Object.keys(converted), ['/a', '/b', 'x-p'])
  const content = { schema: refV3('A') }
  // without media types there is no place for the schema
  assert.deepEqual(converted['/a'], { get: { responses: { 200: { description: 'OK' } } } })
  assert.deepEqual(converted['/b'], {
    post: {
      parameters: [
        { name: 'q', in: 'query', schema: { type: 'integer', uniqueItems: true } },
        { $ref: '#/components/parameters/p', schema: { type: '' } }
      ],
      requestBody: { content: { 'a/a': content, 'b/b': content } },
      responses: { default: { $ref: '#/components/responses/r' }, 201: { description: 'Created', content: { 'c/c': content } } },
      deprecated: true,
      'x-kubernetes-action': 'post'
    },
    parameters: [{ name: 'n', in: 'path', required: true, schema: { type: 'string' } }]
  })
})

test('security schemes and responses become components', () => {
  const { components }: any = convertV2({
    produces: ['a/a'],
    responses: { r: { description: 'd', schema: { type: 'object' } } },
    securityDefinitions: {
      oauth: { type: 'oauth2', flow: 'accessCode', authorizationUrl: 'a', tokenUrl: 't', scopes: { r: 'read' } },
      token: { type: 'apiKey', name: 'authorization', in: 'header', description: 'd' }
    }
  })
  assert.deepEqual(components, {
    securitySchemes: {
      oauth: { type: 'oauth2', flows: { accessCode: { authorizationUrl: 'a', tokenUrl: 't', scopes: { r: 'read' } } } },
      token: { type: 'apiKey', description: 'd', name: 'authorization', in: 'header' }
    },
    responses: { r: { description: 'd', content: { 'a/a': { schema: { type: 'object' } } } } }
  })
})
