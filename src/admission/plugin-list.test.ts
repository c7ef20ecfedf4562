import assert from 'node:assert/strict'
import { it } from 'node:test'
import { admissionPlugins } from './plugin-list.js'
import { admissionPluginNames } from './plugin-names.js'

const names = (enableAdmissionPlugins?: string[], disableAdmissionPlugins?: string[]) =>
  admissionPlugins({ policies: {}, webhooks: {} } as never, { enableAdmissionPlugins, disableAdmissionPlugins }).map(
    ({ name }) => name
  )

it('has the plugins under their names and in their order', () => {
  const all = names(['AlwaysAdmit', 'NamespaceExists', 'AlwaysPullImages', 'AlwaysDeny'])
  assert.deepEqual(
    all,
    admissionPluginNames.filter(name => all.includes(name))
  )
  assert.ok(all.length > names().length)
})

it('runs some only when they are asked for', () => {
  assert.ok(!names().includes('AlwaysPullImages'))
  assert.ok(names(['AlwaysPullImages']).includes('AlwaysPullImages'))
})

it('leaves out plugins that are switched off, also those that do not exist yet', () => {
  assert.ok(names().includes('ServiceAccount'))
  assert.ok(!names([], ['ServiceAccount', 'ImagePolicyWebhook']).includes('ServiceAccount'))
})

it('does not start without a plugin that was asked for', () => {
  assert.deepEqual(names(['ServiceAccount']), names())
  assert.throws(() => names(['ImagePolicyWebhook']), /ImagePolicyWebhook: not supported yet/)
  assert.throws(() => names(['Priority'], ['Priority']), /Priority: in --enable-admission-plugins and in --disable/)
})
