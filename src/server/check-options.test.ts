import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { UserError } from '../util/user-error.js'
import { createServer } from './server.js'

const problem = (options: object) => {
  try {
    createServer(options)
  } catch (error) {
    assert.ok(error instanceof UserError)
    return error.message
  }
  return undefined
}

describe('the options of a server', () => {
  it('may be undefined', () => assert.equal(problem({ securePort: undefined, kinds: undefined }), undefined))

  for (const [options, message] of [
    [{ securePrt: 1 }, 'unknown option "securePrt"; did you mean securePort?'],
    [{ 'secure-port': 1 }, 'unknown option "secure-port"; did you mean securePort?'],
    [JSON.parse('{"__proto__": 1}'), 'unknown option "__proto__"'],
    [{ securePort: '6443' }, 'the option securePort must be a number, not "6443"'],
    [{ securePort: Number.NaN }, 'the option securePort must be a number, not NaN'],
    [{ dataDir: 1 }, 'the option dataDir must be a string, not 1'],
    [{ anonymousAuth: 'false' }, 'the option anonymousAuth must be true or false, not "false"'],
    [{ authorizationMode: 'RBAC' }, 'the option authorizationMode must be a list of strings, not "RBAC"'],
    [{ authorizationMode: [1] }, 'the option authorizationMode must be a list of strings, not a list'],
    [{ tlsCurvePreferences: ['x'] }, 'the option tlsCurvePreferences must be a list of numbers, not a list'],
    [{ featureGates: { A: 'true' } }, 'the option featureGates must be an object whose values are true or false, not an object'],
    [{ featureGates: null }, 'the option featureGates must be an object whose values are true or false, not null'],
    [{ resolveService: { a: 1 } }, 'the option resolveService must be an object whose values are strings, not an object'],
    [{ kinds: {} }, 'the option kinds must be a list of objects, not an object'],
    [{ clock: [] }, 'the option clock must be an object, not a list'],
    [{ auditWrite: {} }, 'the option auditWrite must be a function, not an object']
  ] as const)
    it(`are refused: ${JSON.stringify(options)}`, () => assert.equal(problem(options), message))
})
