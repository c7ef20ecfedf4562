/**
 * Random texts where a request has a list inside one text. A strict reader, which knows no more than the grammar, says what each of them is.
 * HOSTILE_TEXTS: how many of each, HOSTILE_SEED: others.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { maxAcceptCharacters, parseAccept } from '../../apimachinery/formats/accept.js'
import { parseFieldSelector } from '../../apimachinery/selectors/fields.js'
import { parseRequirements } from '../../apimachinery/selectors/label-parser.js'
import { maxCharacters, maxTerms, SelectorError } from '../../apimachinery/selectors/limits.js'
import { scheduleError } from '../../kinds/batch/cron-schedule.js'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'
import { HostileTexts } from '../hostile-text.js'

const count = Number(process.env.HOSTILE_TEXTS ?? 150)
const seed = Number(process.env.HOSTILE_SEED ?? 1)
const user = { name: 'admin', groups: ['system:masters'] }
const large = 600_000

const words = {
  labels: [
    'a',
    'b.c/d',
    '-',
    '=',
    '==',
    '!',
    '!=',
    ' in ',
    'in',
    ' notin ',
    '(',
    ')',
    '(a,b)',
    ',',
    ' ',
    '\t',
    '>',
    '<',
    '1',
    'é',
    '__proto__'
  ],
  fields: ['a', 'metadata.name', '=', '==', '!', '!=', ',', '\\', '\\,', '\\=', ' ', '1', 'é', '__proto__'],
  accept: ['application/json', 'a/b', '*/*', '*', ';', 'q=', '0.5', '=', 'as=Table', 'v=v1', 'g=meta.k8s.io', ',', ' ', '"', '/'],
  schedule: ['*', '1', '59', '60', '-', '/', ',', ' ', '@every ', '1h', 'TZ=', 'UTC', 'mon', 'jan', '?', '@daily']
}

const texts = (of: keyof typeof words) => {
  const hostile = new HostileTexts(seed)
  return Array.from({ length: count }, () => hostile.make(words[of], large))
}
const outcome = <T>(parse: () => T): T | undefined => {
  try {
    return parse()
  } catch (error) {
    if (error instanceof SelectorError) return undefined
    throw error
  }
}

/** Whether a text has a requirement between all commas that are in no set, as labels.Parse reads it. */
function isLabelSelector(text: string): boolean {
  const name = '[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?'
  const prefix = String.raw`[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*`
  const key = `(?!(?:[^/]{254,})/)(?:${prefix}/)?${name}`
  const value = `(?:${name})?`
  const blank = '[ \\t\\r\\n]*'
  const requirement = [
    `!${blank}${key}`,
    `${key}(?:${blank}(?:==|!=|=)${blank}${value})?`,
    `${key}${blank}[<>]${blank}[-+]?[0-9]{1,19}`,
    `${key}[ \\t\\r\\n]+(?:in|notin)${blank}\\((?:${blank}${value}${blank},)*${blank}${value}${blank}\\)`
  ].join('|')
  return new RegExp(`^${blank}(?:(?:${requirement})(?:${blank},${blank}(?:${requirement}))*)?${blank}$`).test(text)
}

/** Splits at what no backslash stands before, character by character. */
function fieldTerms(text: string): string[] {
  const terms = ['']
  for (let i = 0; i < text.length; i++) {
    if (text[i] === ',') terms.push('')
    else terms[terms.length - 1] += text[i] === '\\' ? `\\${text[++i] ?? ''}` : text[i]!
  }
  return terms
}

describe('hostile texts', () => {
  let server: BinnacleServer
  before(async () => {
    server = createServer({ listen: false, log: silentLogger })
    await server.start()
  })
  after(() => server.stop())

  /** Sends a request, and expects one of the statuses. */
  async function expectStatus(url: string, statuses: readonly number[], request: object = {}): Promise<void> {
    const { status, body } = await server.inject({ url, user, ...request })
    assert.ok(statuses.includes(status), `${url.slice(0, 300)}: ${status} ${body.subarray(0, 300)}`)
  }

  it('are label selectors or not, and never larger than one may be', async () => {
    let read = 0
    for (const text of texts('labels')) {
      const requirements = outcome(() => parseRequirements(text))
      if (requirements) read++
      const terms = requirements?.reduce((sum, { values }) => sum + Math.max(1, values.length), 0) ?? 0
      assert.ok(terms <= maxTerms)
      if (text.length > maxCharacters || text.split(',').length > maxTerms) assert.equal(requirements, undefined)
      else if (text.length < 200) assert.equal(requirements !== undefined, isLabelSelector(text), JSON.stringify(text))
      await expectStatus(`/api/v1/pods?labelSelector=${encodeURIComponent(text)}`, [requirements ? 200 : 400])
    }
    assert.ok(read > count / 20, String(read))
  })

  it('are field selectors or not', async () => {
    let read = 0
    for (const text of texts('fields')) {
      const requirements = outcome(() => parseFieldSelector(text))
      if (requirements) read++
      if (text.length > maxCharacters || text.split(',').length > maxTerms) assert.equal(requirements, undefined)
      else if (requirements) assert.ok(requirements.length <= fieldTerms(text).filter(term => term !== '').length)
      else
        assert.ok(
          fieldTerms(text).some(term => !/^(?:(?:[^\\=!]|\\.|!(?!=))*(?:!=|==|=)(?:[^\\=,]|\\[\\,=])*)?$/s.test(term)),
          text
        )
      await expectStatus(`/api/v1/pods?fieldSelector=${encodeURIComponent(text)}`, requirements ? [200, 400] : [400])
      const review = { spec: { resourceAttributes: { verb: 'list', resource: 'pods', fieldSelector: { rawSelector: text } } } }
      const url = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
      await expectStatus(url, text === '' ? [422] : [201], { method: 'POST', body: review })
    }
    assert.ok(read > count / 20, String(read))
  })

  it('are media types that are accepted, or 406', async () => {
    for (const text of texts('accept')) {
      assert.ok(parseAccept(text).length <= Math.min(text.length, maxAcceptCharacters) / 2 + 1)
      await expectStatus('/api/v1/pods', [200, 406], { headers: { accept: text } })
    }
  })

  it('are schedules, or not', () => {
    for (const text of texts('schedule')) {
      const problem = scheduleError(text)
      if (problem !== undefined) continue
      assert.match(text.trim().replace(/^(?:CRON_)?TZ=\S*\s*/, ''), /^(?:@.*|[^\s@]+(?:\s+[^\s@]+){4})$/, text.slice(0, 100))
      assert.ok(text.length < 17_000)
    }
  })
})
