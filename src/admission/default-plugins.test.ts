import assert from 'node:assert/strict'
import { it } from 'node:test'
import { admissionPlugins, defaultPlugins } from './default-plugins.js'
import { admissionPluginNames } from './plugin-names.js'

const names = (...args: Parameters<typeof admissionPlugins>) => admissionPlugins(...args).map(({ name }) => name)

it('has the plugins under their names and in their order', () => {
  assert.deepEqual(
    names(),
    defaultPlugins.map(({ name }) => name)
  )
  assert.deepEqual(
    names(),
    admissionPluginNames.filter(name => names().includes(name))
  )
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
