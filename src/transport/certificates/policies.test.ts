import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type PolicyFields, policiesAgree } from './policies.js'

const any = '551d2000'
/** What a certificate says: nothing but this. */
const says = ({
  policies = [] as string[],
  ...more
}: Partial<Omit<PolicyFields, 'policies'>> & { policies?: string[] } = {}): PolicyFields => ({
  policies: new Set(policies),
  mappings: [],
  requireExplicit: Infinity,
  inhibitMapping: Infinity,
  inhibitAny: Infinity,
  isSelfIssued: false,
  ...more
})
/** Whether a chain agrees: the certificates from the first below the trusted authority down to the client's. */
const agree = (...below: PolicyFields[]) => policiesAgree([...below.reverse(), says()])

const a = says({ policies: ['a'] })
const anything = says({ policies: [any] })
const none = says()
const demanding = (more: Parameters<typeof says>[0] = {}) => says({ policies: ['a'], requireExplicit: 0, ...more })

describe('the policies of a chain', () => {
  for (const [what, chain, good] of [
    ['nobody demands any', [none, none], true],
    ['nobody demands any, and they differ', [a, says({ policies: ['b'] })], true],
    ['an authority demands one that goes down', [demanding(), a], true],
    ['an authority demands one that the client lacks', [demanding(), none], false],
    ['an authority demands one, and the client has another', [demanding(), says({ policies: ['b'] })], false],
    ['an authority demands one, and the client has any', [demanding(), anything], true],
    ['an authority has any, and demands one', [demanding({ policies: [any] }), a], true],
    ['an authority has any and demands one that the client lacks', [demanding({ policies: [any] }), none], false],
    ['an authority demands one and has none', [demanding({ policies: [] }), a], false],
    ['a middle authority has none', [demanding(), none, a], false],
    ['a middle authority has any', [demanding(), anything, a], true],
    ['the client demands one', [a, demanding()], true],
    ['the client demands one that nobody has', [none, demanding()], false],
    ['the client demands one below, which is nobody', [none, says({ policies: ['a'], requireExplicit: 1 })], true],
    ['one is demanded after one authority', [demanding({ requireExplicit: 1 }), none], false],
    ['one is demanded after two authorities', [says({ requireExplicit: 2 }), none], true],
    ['one is demanded after two authorities, and there are', [says({ requireExplicit: 2 }), none, none], false],
    ['one is demanded after three authorities', [says({ requireExplicit: 3 }), none, none], true],
    ['those issued to themselves do not count', [says({ requireExplicit: 2 }), says({ isSelfIssued: true }), none], true],
    ['a smaller number counts', [says({ requireExplicit: 5 }), says({ requireExplicit: 0 }), none], false],
    ['a later number that is larger does not count', [demanding(), says({ policies: ['a'], requireExplicit: 5 }), none], false],
    ['a policy stands for another', [demanding({ mappings: [['a', 'b']] }), says({ policies: ['b'] })], true],
    ['a policy stands for another, and the client has the first', [demanding({ mappings: [['a', 'b']] }), a], false],
    [
      'a policy stands for two others',
      [
        demanding({
          mappings: [
            ['a', 'b'],
            ['a', 'c']
          ]
        }),
        says({ policies: ['c'] })
      ],
      true
    ],
    ['a policy that nobody has stands for another', [demanding({ mappings: [['x', 'b']] }), says({ policies: ['b'] })], false],
    [
      'any stands for all, and one of them for another',
      [demanding({ policies: [any], mappings: [['x', 'b']] }), says({ policies: ['b'] })],
      true
    ],
    [
      'policies must not stand for others',
      [demanding({ inhibitMapping: 0 }), says({ policies: ['a'], mappings: [['a', 'b']] }), says({ policies: ['b'] })],
      false
    ],
    [
      'policies must not stand for others, which ends them',
      [demanding({ inhibitMapping: 0 }), says({ policies: ['a'], mappings: [['a', 'b']] }), a],
      false
    ],
    [
      'policies must not stand for others after one authority',
      [demanding({ inhibitMapping: 1 }), says({ policies: ['a'], mappings: [['a', 'b']] }), says({ policies: ['b'] })],
      true
    ],
    [
      'policies must not stand for others after one authority, issued to itself',
      [
        demanding({ inhibitMapping: 1 }),
        says({ policies: ['a'], isSelfIssued: true }),
        says({ policies: ['a'], mappings: [['a', 'b']] }),
        says({ policies: ['b'] })
      ],
      true
    ],
    [
      'policies must not stand for others after one authority, and there was one',
      [demanding({ inhibitMapping: 1 }), a, says({ policies: ['a'], mappings: [['a', 'b']] }), says({ policies: ['b'] })],
      false
    ],
    ['any stands for another', [says({ policies: [any], mappings: [[any, 'b']] }), says({ policies: ['b'] })], false],
    ['another stands for any', [says({ policies: ['a'], mappings: [['a', any]] }), a], false],
    ['any must not count', [demanding({ inhibitAny: 0 }), anything], false],
    ['any must not count, and is not needed', [demanding({ inhibitAny: 0 }), says({ policies: ['a', any] })], true],
    ['any must not count after one authority', [demanding({ inhibitAny: 1 }), anything], true],
    ['any must not count after one authority, and there was one', [demanding({ inhibitAny: 1 }), anything, anything], false],
    [
      'any must not count, but for an authority issued to itself',
      [demanding({ inhibitAny: 0 }), says({ policies: [any], isSelfIssued: true }), a],
      true
    ],
    [
      'any must not count, also for a client issued to itself',
      [demanding({ inhibitAny: 0 }), says({ policies: [any], isSelfIssued: true })],
      false
    ]
  ] as const)
    it(`${good ? 'agree' : 'disagree'} when ${what}`, () => assert.equal(agree(...chain), good))

  it('do not matter for a certificate that is trusted itself', () =>
    assert.equal(policiesAgree([demanding({ policies: [] })]), true))
})
