import assert from 'node:assert/strict'
import { it } from 'node:test'
import { admissionPlugins } from './plugin-list.js'
import { admissionPluginNames } from './plugin-names.js'

const names = (enableAdmissionPlugins?: string[], disableAdmissionPlugins?: string[], parts: object = {}) =>
  admissionPlugins({ policies: {}, webhooks: {}, settings: {}, ...parts } as never, {
    enableAdmissionPlugins,
    disableAdmissionPlugins
  }).map(({ name }) => name)

it("has kube-apiserver's plugins, in kube-apiserver's order", () => {
  const all = names(['AlwaysAdmit', 'NamespaceExists', 'AlwaysPullImages', 'AlwaysDeny'])
  assert.deepEqual(
    all,
    admissionPluginNames.filter(name => all.includes(name))
  )
  assert.ok(all.length > names().length)
})

it('runs some plugins only when they are enabled', () => {
  assert.ok(!names().includes('AlwaysPullImages'))
  assert.ok(names(['AlwaysPullImages']).includes('AlwaysPullImages'))
  const images = 'ImagePolicyWebhook'
  assert.ok(names([images], [], { imagePolicy: {} }).includes(images))
  assert.ok(!names([images]).includes(images))
  assert.ok(!names([], [], { imagePolicy: {} }).includes(images))
})

it('leaves out disabled plugins, and accepts names of plugins that do nothing without their feature gates', () => {
  assert.ok(names().includes('ServiceAccount'))
  assert.ok(!names([], ['ServiceAccount', 'PodGroupProtection']).includes('ServiceAccount'))
})

it('refuses to start when a plugin is enabled and disabled', () => {
  assert.deepEqual(names(['ServiceAccount', 'PodGroupProtection']), names())
  assert.throws(() => names(['Priority'], ['Priority']), /Priority: in --enable-admission-plugins and in --disable/)
})
