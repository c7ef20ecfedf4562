import assert from 'node:assert/strict'
import { it } from 'node:test'
import { systemClock } from '../../util/clock.js'
import { credentialsFor } from './host-credentials.js'

const find = (names: string[], current?: string) => {
  const byName = new Map(names.map(name => [name, { token: name, headers: {} }]))
  const credentials = credentialsFor(
    { byName, current: current === undefined ? undefined : { token: current, headers: {} } },
    systemClock
  )
  return (host: string) => credentials(host)?.credentials.token
}

it('the credentials of a webhook are those of the user that names its host most exactly', async () => {
  const token = find(['a.b.svc:443', '*.b.svc:443', 'c.b.svc', '*.d.svc', '*'])
  assert.deepEqual(['a.b.svc:443', 'x.b.svc:443', 'c.b.svc:443', 'e.d.svc:443', 'e.d.svc:8443', 'other:1'].map(token), [
    'a.b.svc:443',
    '*.b.svc:443',
    '*.b.svc:443',
    '*.d.svc',
    '*',
    '*'
  ])
  assert.equal(find(['a:443'], 'me')('b:443'), 'me')
  assert.equal(find(['a:443'])('b:443'), undefined)
  assert.equal(
    await credentialsFor(
      { byName: new Map([['*', { token: 't', headers: {} }]]), current: undefined },
      systemClock
    )('x:1')!.authorization.read(),
    'Bearer t'
  )
})
