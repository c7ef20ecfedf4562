import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { element, sequence } from './der.js'
import { generalNameTag } from './general-names.js'
import { obeys, readNameConstraints } from './name-constraints.js'

type Name = readonly [tag: number, text: string]
const { dns, email, uri, ip } = generalNameTag
const bytes = (...numbers: number[]) => String.fromCharCode(...numbers)
const subtree = ([tag, text]: Name) => sequence(element(tag, Buffer.from(text, 'latin1')))
const encode = (permitted: readonly Name[], excluded: readonly Name[]) =>
  sequence(
    ...(permitted.length > 0 ? [element(0xa0, ...permitted.map(subtree))] : []),
    ...(excluded.length > 0 ? [element(0xa1, ...excluded.map(subtree))] : [])
  )
const named = (names: readonly Name[]) => names.map(([tag, text]) => ({ tag, content: Buffer.from(text, 'latin1') }))
const permits = (permitted: readonly Name[], ...names: Name[]) => obeys(named(names), readNameConstraints(encode(permitted, [])))
const excludes = (excluded: readonly Name[], ...names: Name[]) => !obeys(named(names), readNameConstraints(encode([], excluded)))

const v6 = (last: number) => bytes(...new Array(15).fill(0), last)

describe('constraints of names', () => {
  for (const [tag, constraint, name, good] of [
    [dns, 'a.b', 'a.b', true],
    [dns, 'a.b', 'A.B', true],
    [dns, 'A.B', 'x.a.b', true],
    [dns, 'a.b', 'x.y.a.b', true],
    [dns, 'a.b', 'xa.b', false],
    [dns, 'a.b', 'b', false],
    [dns, '.a.b', 'x.a.b', true],
    [dns, '.a.b', 'a.b', false],
    [dns, '', 'anything', true],
    [dns, 'a.b', '*.a.b', true],
    [dns, 'x.a.b', '*.a.b', false],
    [dns, 'a.b', 'me@a.b', false],
    [dns, 'a.b', 'x.me@a.b', false],
    [dns, 'me@a.b', 'x.me@a.b', true],
    [dns, 'me@a.b', 'Me@a.b', true],
    [dns, 'me@a.b', 'a.b', false],
    [email, 'a.b', 'me@a.b', true],
    [email, 'a.b', 'me@A.B', true],
    [email, 'a.b', 'me@c.b', false],
    [email, '.a.b', 'me@x.a.b', true],
    [email, '.a.b', 'me@a.b', false],
    [email, 'me@a.b', 'me@a.b', true],
    [email, 'me@a.b', 'me@A.b', true],
    [email, 'me@a.b', 'Me@a.b', false],
    [email, 'me@a.b', 'you@a.b', false],
    [email, 'me@a.b', 'me@x.a.b', false],
    [uri, 'a.b', 'https://a.b/c', true],
    [uri, 'a.b', 'https://A.B:80', true],
    [uri, 'a.b', 'https://c.b/', false],
    [uri, 'a.b', 'https://10.0.0.1/', false],
    [uri, 'a.b', 'mailto:x', false],
    [ip, bytes(10, 0, 0, 0, 255, 0, 0, 0), bytes(10, 1, 2, 3), true],
    [ip, bytes(10, 0, 0, 0, 255, 0, 0, 0), bytes(11, 1, 2, 3), false],
    [ip, bytes(10, 0, 0, 0, 0, 0, 0, 0), bytes(11, 1, 2, 3), true],
    [ip, bytes(10, 0, 0, 4, 255, 255, 255, 254), bytes(10, 0, 0, 5), true],
    [ip, bytes(10, 0, 0, 4, 255, 255, 255, 254), bytes(10, 0, 0, 6), false],
    [ip, bytes(10, 0, 0, 0, 255, 0, 0, 0), v6(1), false],
    [ip, v6(0) + bytes(...new Array(15).fill(255), 254), v6(1), true],
    [ip, v6(0) + bytes(...new Array(15).fill(255), 254), v6(2), false]
  ] as const)
    it(`${good ? 'contain' : 'do not contain'} names: ${JSON.stringify([constraint, name])}`, () => {
      assert.equal(permits([[tag, constraint]], [tag, name]), good)
      // a wildcard may stand for what is excluded, and what is no domain can obey no constraint
      const isDoubtful = (tag === dns && name === '*.a.b') || (tag === uri && /10|mailto/.test(name))
      assert.equal(excludes([[tag, constraint]], [tag, name]), good || isDoubtful)
    })

  it('concern the names of their kind only', () => {
    assert.equal(permits([[dns, 'a.b']], [email, 'me@c.d'], [ip, bytes(1, 2, 3, 4)], [uri, 'https://c.d']), true)
    assert.equal(permits([[dns, 'a.b']], [dns, 'a.b'], [dns, 'c.d']), false)
    assert.equal(
      permits(
        [
          [dns, 'a.b'],
          [dns, 'c.d']
        ],
        [dns, 'a.b'],
        [dns, 'c.d']
      ),
      true
    )
    assert.equal(
      permits(
        [
          [ip, bytes(1, 0, 0, 0, 255, 0, 0, 0)],
          [ip, bytes(2, 0, 0, 0, 255, 0, 0, 0)]
        ],
        [ip, bytes(2, 1, 1, 1)]
      ),
      true
    )
    assert.equal(permits([[dns, 'a.b']]), true)
  })

  it('of which one excludes what another permits exclude', () => {
    const both = readNameConstraints(encode([[dns, 'a.b']], [[dns, 'x.a.b']]))
    assert.equal(obeys(named([[dns, 'y.a.b']]), both), true)
    assert.equal(obeys(named([[dns, 'x.a.b']]), both), false)
    assert.equal(obeys(named([[dns, '*.a.b']]), both), false)
    assert.equal(obeys(named([[dns, '*.y.a.b']]), both), true)
  })

  it('are not obeyed by names that cannot be compared', () => {
    for (const name of [
      [dns, 'a..b'],
      [dns, `${'a.'.repeat(512)}b`],
      [email, 'nobody'],
      [email, 'a..b@c']
    ] as const)
      assert.equal(excludes([[ip, bytes(1, 0, 0, 0, 255, 0, 0, 0)]], name), true, name[1])
    assert.equal(excludes([[ip, bytes(1, 0, 0, 0, 255, 0, 0, 0)]], [dns, 'a'.repeat(1024)]), false)
  })

  it('are compared only so often', () => {
    const ranges = Array.from({ length: 500 }, (_, i) => [ip, bytes(10, i >> 8, i & 255, 0, 255, 255, 255, 0)] as const)
    const names = (count: number) => Array.from({ length: count }, () => [ip, bytes(11, 0, 0, 1)] as const)
    assert.equal(excludes(ranges, ...names(500)), false)
    assert.equal(excludes(ranges, ...names(501)), true)
    const within = (count: number) => Array.from({ length: count }, () => [ip, bytes(10, 0, 0, 1)] as const)
    assert.equal(permits(ranges, ...within(500)), true)
    assert.equal(permits(ranges, ...within(501)), false)
    const text = (count: number) => Array.from({ length: count }, () => [dns, 'a.b'] as const)
    assert.equal(permits([[dns, 'a.b']], ...text(1000)), true)
  })

  it('may be of kinds that are not read', () => {
    assert.equal(readNameConstraints(encode([[0x88, 'x']], [])).hasOthers, true)
    assert.equal(
      readNameConstraints(
        encode(
          [
            [dns, 'x'],
            [email, 'x'],
            [uri, 'x'],
            [ip, bytes(0, 0, 0, 0, 0, 0, 0, 0)]
          ],
          []
        )
      ).hasOthers,
      false
    )
    assert.equal(
      readNameConstraints(
        encode(
          [],
          [
            [0x82, 'x'],
            [0xa4, '']
          ]
        )
      ).hasOthers,
      true
    )
  })

  const twice = (text: string) => Buffer.from(text, 'latin1')
  for (const [what, value] of [
    ['nothing', sequence()],
    ['empty lists', sequence(element(0xa0), element(0xa1))],
    ['something else', sequence(element(0xa2, subtree([dns, 'a'])))],
    ['more behind them', sequence(element(0xa0, subtree([dns, 'a'])), element(0xa2))],
    ['bytes behind them', Buffer.concat([encode([[dns, 'a']], []), Buffer.of(0)])],
    ['a list twice', sequence(element(0xa0, subtree([dns, 'a'])), element(0xa0, subtree([dns, 'a'])))],
    ['a mailbox that begins with a dot', encode([[email, '.a@b']], [])],
    ['an address of two bytes', encode([[ip, bytes(1, 2, 255, 255)]], [])],
    ['an empty subtree', sequence(element(0xa0, sequence()))],
    ['half an address', encode([[ip, bytes(1, 2, 3, 4)]], [])],
    ['a mask with holes', encode([[ip, bytes(1, 2, 3, 4, 255, 0, 255, 0)]], [])],
    ['a mask with a hole in a byte', encode([[ip, bytes(1, 2, 3, 4, 255, 0b10100000, 0, 0)]], [])],
    ['a domain beyond ASCII', encode([[dns, 'é']], [])],
    ['a domain with an empty label', encode([[dns, 'a..b']], [])],
    ['a domain of a dot', encode([[dns, '.']], [])],
    ['a domain with two dots before it', encode([[dns, '..a']], [])],
    ['a broken mailbox', encode([[email, 'a..b@c']], [])],
    ['an address as the host of a URI', encode([[uri, '10.0.0.1']], [])],
    ['an address of IPv6 as the host of a URI', encode([[uri, '[::1]']], [])],
    ['text', twice('text')]
  ] as const)
    it(`are malformed with ${what}`, () => assert.throws(() => readNameConstraints(value)))

  for (const constraint of [
    [uri, '10.0.1'],
    [uri, '1.2.3.4.5'],
    [dns, '10.0.0.1'],
    [dns, 'a:b'],
    [email, '"a b"@c'],
    [0x88, '\xe9 .'],
    [email, '.a'],
    [uri, '.a']
  ] as const)
    it(`may be odd: ${constraint[1]}`, () => assert.doesNotThrow(() => readNameConstraints(encode([constraint], []))))
})
