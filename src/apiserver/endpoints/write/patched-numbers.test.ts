/** Numbers in patches that JavaScript would write in another way, and values that are no sets of fields. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../../server/server.js'
import { silentLogger } from '../../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters'] }
const server = createServer({ log: silentLogger, storageBackend: 'memory' })
const pods = '/api/v1/namespaces/default/podtemplates'
const kind = '"kind":"PodTemplate","apiVersion":"v1"'

async function send(method: string, url: string, body: string, type = 'application/json') {
  const { status, json } = await server.inject({ method, url, user, body, headers: { 'content-type': type } })
  return { status, body: json() }
}
const patch = (type: string, body: string) => send('PATCH', `${pods}/t?dryRun=All&fieldManager=m`, body, `application/${type}`)
const grace = (number: string) => `{"template":{"spec":{"terminationGracePeriodSeconds":${number}}}}`
const operation = (number: string) => `[{"op":"add","path":"/template/spec/terminationGracePeriodSeconds","value":${number}}]`

before(async () => {
  await server.start()
  const made = await send('POST', pods, '{"metadata":{"name":"t"},"template":{"spec":{"containers":[{"name":"c","image":"i"}]}}}')
  assert.equal(made.status, 201)
})
after(() => server.stop())

for (const [type, write] of [
  ['json-patch+json', operation],
  ['merge-patch+json', grace]
] as const)
  test(`an integer is quoted as it is written in a ${type}`, async () => {
    for (const number of ['1.0', '1e2', '-0.5e1', '18446744073709551616']) {
      const { status, body } = await patch(type, write(number))
      assert.equal(status, 422)
      const why = `cannot unmarshal number ${number} into Go struct field PodSpec.template.spec.terminationGracePeriodSeconds of type int64`
      assert.ok(body.message.endsWith(`: json: ${why}`), body.message)
      assert.equal(/\\"terminationGracePeriodSeconds\\":([^,}]+)/.exec(body.message)?.[1], number)
    }
    assert.equal((await patch(type, write('20'))).status, 200)
  })

test('a quantity keeps the digits of a number beyond 64 bits, but for patches that are applied to values', async () => {
  const quotas = '/api/v1/namespaces/default/resourcequotas'
  assert.equal((await send('POST', quotas, '{"metadata":{"name":"q"},"spec":{"hard":{}}}')).status, 201)
  const hard = (number: string) => `{"spec":{"hard":{"a/b":${number}}}}`
  for (const [type, body, kept] of [
    ['json-patch+json', '[{"op":"add","path":"/spec/hard","value":{"a/b":9223372036854775808}}]', '9223372036854775808'],
    ['merge-patch+json', hard('9223372036854775808'), '9223372036854775808'],
    ['strategic-merge-patch+json', hard('9223372036854775808'), '9223372036854776k']
  ] as const) {
    const { status, body: answer } = await send('PATCH', `${quotas}/q?dryRun=All`, body, `application/${type}`)
    assert.deepEqual([status, answer.spec?.hard['a/b']], [200, kept], answer.message)
  }
})

test('a number that no double can hold', async () => {
  const cannot = (target: string) => `json: cannot unmarshal number 1e400 into Go ${target} of type float64`
  for (const [type, text, message] of [
    ['json-patch+json', operation('1e400'), `error decoding patch: ${cannot('struct field jsonPatchOp.value')}`],
    ['merge-patch+json', grace('1e400'), `error decoding patch: ${cannot('value')}`],
    ['strategic-merge-patch+json', grace('1e400'), cannot('value')]
  ] as const) {
    const { status, body } = await patch(type, text)
    assert.deepEqual([status, body.message], [400, message])
  }
  const { body } = await patch('apply-patch+yaml', `{${kind},"metadata":{"name":"t"},${grace('1e400').slice(1)}`)
  assert.match(body.message, /terminationGracePeriodSeconds: expected numeric \(int or float\), got string/)
})

test('managedFields whose fields are no set are ignored', async () => {
  for (const fields of ['""', '1', '[]']) {
    const entry = `{"manager":"a","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":${fields}}`
    const made = await send(
      'POST',
      '/api/v1/namespaces/default/configmaps?dryRun=All',
      `{"metadata":{"name":"u","managedFields":[${entry}]}}`
    )
    assert.deepEqual([made.status, made.body.metadata.managedFields], [201, undefined])
    const { status, body } = await patch('merge-patch+json', `{"metadata":{"managedFields":[{"fieldsV1":${fields}}]}}`)
    assert.deepEqual([status, body.metadata.managedFields.length], [200, 1])
  }
})

test('a set of fields within an object that is no map: an update is not tracked, an apply is refused', async () => {
  const core = '/api/v1/namespaces/default'
  await send('POST', `${core}/serviceaccounts`, '{"metadata":{"name":"default"}}')
  const container = '"containers":[{"name":"c","image":"i"}]'
  const made = await send('POST', `${core}/pods?fieldManager=a`, `{"metadata":{"name":"p"},"spec":{${container}}}`)
  assert.equal(made.status, 201, made.body.message)
  const volumes = (fields: string) =>
    `"volumes":[{"name":"v","ephemeral":{"volumeClaimTemplate":{"metadata":{"managedFields":[{"fieldsV1":${fields}}]},"spec":{}}}}]`
  for (const subresource of ['resize', 'ephemeralcontainers']) {
    const write = (type: string, body: string) =>
      send('PATCH', `${core}/pods/p/${subresource}?dryRun=All&fieldManager=b`, body, `application/${type}`)
    const managers = async (fields: string) =>
      (await write('merge-patch+json', `{"spec":{${volumes(fields)}}}`)).body.metadata.managedFields.map(
        (entry: any) => entry.manager
      )
    for (const [fields, shown] of [
      ['"x"', 'x'],
      ['[null]', '[<nil>]'],
      ['true', 'true']
    ] as const) {
      assert.deepEqual(await managers(fields), ['a'])
      const applied = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{${container},${volumes(fields)}}}`
      const { status, body } = await write('apply-patch+yaml', applied)
      assert.equal(status, 500)
      assert.ok(body.message.endsWith(`metadata.managedFields[0].fieldsV1: expected map, got &{${shown}}`), body.message)
    }
    assert.deepEqual(await managers('{"f:a":{}}'), ['a', 'b'])
  }
})
