import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { portless } from '../testing/portless.js'
import { definitionTypes, typesFromClient } from './definition-types.js'
import { build, errorsOf } from './testing/tsc.js'

const schema = {
  description: 'A widget\nof the house. */',
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: { type: 'string' },
    spec: {
      type: 'object',
      required: ['size', 'parts'],
      properties: {
        size: { type: 'integer', description: 'How large it is.' },
        level: { type: 'string', enum: ['low', "o'clock"], default: 'low' },
        port: { 'x-kubernetes-int-or-string': true },
        parts: {
          type: 'array',
          items: { type: 'object', properties: { name: { type: 'string' }, 'max-weight': { type: 'number' } } }
        },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        note: { type: 'string', nullable: true },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
      }
    },
    status: { type: 'object', properties: { ready: { type: 'boolean' } } }
  }
}
const definition = (kind: string, group = 'example.com') => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${kind.toLowerCase()}s.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind, plural: `${kind.toLowerCase()}s` },
    versions: [
      { name: 'v1beta1', served: true, storage: false, schema: { openAPIV3Schema: { type: 'object' } } },
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, subresources: { status: {} } },
      { name: 'v0', served: false, storage: false, schema: { openAPIV3Schema: { type: 'object' } } }
    ]
  }
})

describe('types for definitions of others', () => {
  test('have the fields, enums, docs and a constant for clients', () => {
    const text = definitionTypes([{ kind: 'Namespace' }, definition('Widget')])
    assert.ok(
      text.includes(`/**
 * A widget
 * of the house. *\\/
 */
export interface Widget {
  apiVersion: 'example.com/v1'
  kind: 'Widget'
  metadata: NamespacedMetadata
  spec: WidgetSpec
  status?: WidgetStatus | undefined
}

export interface WidgetSpec {
  /** How large it is. */
  size: number
  level: 'low' | 'o\\'clock'
  port?: number | string | undefined
  parts: WidgetSpecParts[]
  labels?: Record<string, string> | undefined
  note?: string | null | undefined
  free?: Record<string, unknown> | undefined
}

export interface WidgetSpecParts {
  name?: string | undefined
  'max-weight'?: number | undefined
}`),
      text
    )
    assert.match(
      text,
      /export interface WidgetDraft {\n {2}apiVersion\?: 'example.com\/v1' \| undefined\n.*\n {2}metadata: NewMetadata\n {2}spec: WidgetSpecDraft/
    )
    assert.match(text, /export interface WidgetSpecDraft {[^}]*level\?: 'low'[^}]*parts: WidgetSpecParts\[\]/)
    assert.match(text, /export const widget: KindRef<Widget, WidgetTypes> = { apiVersion: 'example.com\/v1', kind: 'Widget' }/)
    assert.match(text, /export const widgetV1beta1: KindRef<WidgetV1beta1, WidgetV1beta1Types>/)
    assert.match(text, /Pick<OwnSubresources<Widget>, 'status'>/)
    assert.doesNotMatch(text, /v0/)
  })

  test('two groups may have a kind of the same name', () => {
    const text = definitionTypes([
      { kind: 'List', items: [definition('HTTPRoute'), definition('HTTPRoute', 'other.example.org')] }
    ])
    assert.match(text, /const httpRoute: KindRef<HTTPRoute,/)
    assert.match(text, /const otherExampleOrgHTTPRoute: KindRef<OtherExampleOrgHTTPRoute,.*'other.example.org\/v1'/)
  })

  test('texts in a definition stay texts', () => {
    const evil = definition('Evil')
    evil.spec.versions[1]!.schema = {
      openAPIV3Schema: {
        type: 'object',
        properties: { "a'\n": { enum: ["'; evil()\n//", '\u2028'], description: '*/ evil() /*' } }
      }
    } as never
    const text = definitionTypes([evil])
    assert.match(text, /'a\\'\\n'\?: '\\'; evil\(\)\\n\/\/' \| '\\u2028'/)
    assert.doesNotMatch(text, /\*\/ evil/)
    assert.throws(() => definitionTypes([definition('A{}')]), /has no group, no kind or no versions/)
    assert.throws(() => definitionTypes([]), /there is no CustomResourceDefinition/)
  })

  test('compile, and clients take and return them', () => {
    const module = definitionTypes([definition('Widget')]).replace("'binnacle/client'", `'${build}client/index.js'`)
    const program = `import type { KubeClient } from '${build}index.js'
import { type WidgetSpec, widget, widgetV1beta1 } from './widgets.mjs'
declare const client: KubeClient
const widgets = client.of(widget)
const made = await widgets.create({ metadata: { name: 'a' }, spec: { size: 1, parts: [{ name: 'wheel' }] } })
const spec: WidgetSpec = made.spec
const level: 'low' | "o'clock" = spec.level
await widgets.update(made)
await widgets.patch('a', { spec: { note: null, level: null } })
await widgets.apply({ metadata: { name: 'a' }, spec: { level } })
await widgets.subresource('status').patch('a', { status: { ready: true } })
await client.of(widgetV1beta1).get('a')
// @ts-expect-error without its size
await widgets.create({ metadata: { name: 'a' }, spec: { parts: [] } })
// @ts-expect-error another level
await widgets.patch('a', { spec: { level: 'high' } })
// @ts-expect-error it has no scale
widgets.subresource('scale')
`
    assert.equal(errorsOf({ 'widgets.mts': module, 'program.mts': program }), '')
  })

  test('come from a server as well', async t => {
    const server = await portless(t)
    await server.apply([definition('Widget'), definition('Gadget', 'other.example.org')])
    const text = await typesFromClient(server.client(), { groups: ['example.com'] })
    assert.match(text, /export const widget: KindRef/)
    assert.doesNotMatch(text, /Gadget/)
  })
})
