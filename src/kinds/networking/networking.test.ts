import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RowClock } from '../../apimachinery/formats/table.js'
import { FieldErrors } from '../../apimachinery/validation/field.js'
import type { KindDefinition } from '../../registry/kind.js'
import type { StatusSubresource } from '../../registry/subresource.js'
import { ingress } from './ingress.js'
import { ingressClass } from './ingress-class.js'
import { ipAddress } from './ip-address.js'
import { networkPolicy } from './network-policy.js'
import { serviceCIDR } from './service-cidr.js'

const context: any = new RowClock(0)

function problems(kind: KindDefinition, object: any, old?: any): string[] {
  const errors = new FieldErrors()
  if (old) kind.strategy!.validateUpdate!(object, old, errors, context)
  else {
    kind.strategy!.validate?.(object, errors, context)
    kind.strategy!.validateCreate?.(object, errors, context)
  }
  return errors.list.map(e => `${e.field}: ${e.message}`)
}

const service = { service: { name: 's', port: { number: 80 } } }

describe('Ingress', () => {
  const withPath = (path: any) =>
    problems(ingress, { metadata: {}, spec: { rules: [{ http: { paths: [{ backend: service, ...path }] } }] } })

  it('warns of addresses in its status that should be written in another way', () => {
    const { warnings } = ingress.subresources!.status as StatusSubresource<any>
    const object = { status: { loadBalancer: { ingress: [{ ip: '192.168.0.1' }, { hostname: 'h' }, { ip: 'FE80::1' }] } } }
    assert.deepEqual(warnings!(object, object, context), [
      'status.loadBalancer.ingress[2]: IPv6 address "FE80::1" should be in RFC 5952 canonical format ("fe80::1")'
    ])
  })

  it('refuses ambiguous paths', () => {
    assert.deepEqual(withPath({ path: '/a', pathType: 'Prefix' }), [])
    assert.deepEqual(withPath({ pathType: 'ImplementationSpecific' }), [])
    const at = 'spec.rules[0].http.paths[0]'
    assert.deepEqual(withPath({ path: 'a', pathType: 'Exact' }), [`${at}.path: Invalid value: "a": must be an absolute path`])
    assert.deepEqual(withPath({ path: '/a/..', pathType: 'Exact' }), [
      `${at}.path: Invalid value: "/a/..": cannot end with '/..'`
    ])
    assert.deepEqual(withPath({ path: '/a', pathType: null }), [`${at}.pathType: Required value: pathType must be specified`])
  })

  it('names its class either in the spec or in the annotation', () => {
    const object = {
      metadata: { annotations: { 'kubernetes.io/ingress.class': 'a' } },
      spec: { ingressClassName: 'b', defaultBackend: service }
    }
    assert.deepEqual(problems(ingress, object), [
      'annotations.kubernetes.io/ingress.class: Invalid value: "a": must match `ingressClassName` when both are specified'
    ])
  })

  it('shows three hosts at most', () => {
    const hosts = ingress.table!.columns!.find(c => c.name === 'Hosts')!
    const shown = (...names: string[]) => hosts.value({ spec: { rules: names.map(host => ({ host })) } } as any, context)
    assert.deepEqual([shown(), shown('a', 'b'), shown('a', 'b', 'c', 'd', 'e')], ['*', 'a,b', 'a,b,c + 2 more...'])
  })
})

describe('IngressClass', () => {
  it('refers to cluster-scoped parameters by default', () => {
    const object: any = { metadata: {}, spec: { controller: 'a.b/c', parameters: { kind: 'K', name: 'n' } } }
    ingressClass.strategy!.default!(object, context)
    assert.equal(object.spec.parameters.scope, 'Cluster')
    assert.deepEqual(problems(ingressClass, object), [])
    object.spec.parameters.namespace = 'x'
    assert.deepEqual(problems(ingressClass, object), [
      "spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'"
    ])
  })
})

describe('NetworkPolicy', () => {
  it('applies to ingress by default, and to egress if it has egress rules', () => {
    const object: any = { metadata: {}, spec: { podSelector: {}, egress: [{ ports: [{ port: 53 }] }] } }
    networkPolicy.strategy!.default!(object, context)
    assert.deepEqual(object.spec.policyTypes, ['Ingress', 'Egress'])
    assert.equal(object.spec.egress[0].ports[0].protocol, 'TCP')
  })

  it('ends its ports after they begin', () => {
    const ports = [{ protocol: 'TCP', port: 5, endPort: 2 }]
    assert.deepEqual(problems(networkPolicy, { metadata: {}, spec: { podSelector: {}, ingress: [{ ports }] } }), [
      'spec.ingress[0].ports[0].endPort: Invalid value: 2: must be greater than or equal to `port`'
    ])
  })

  it('excepts only parts of its block', () => {
    const block = (cidr: string, except: string) =>
      problems(networkPolicy, {
        metadata: {},
        spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr, except: [except] } }] }] }
      })
    assert.deepEqual(block('10.0.0.0/8', '10.1.0.0/16'), [])
    for (const outside of ['10.0.0.0/8', '11.0.0.0/16', '2001:db8::/64']) {
      assert.deepEqual(block('10.0.0.0/8', outside), [
        `spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "${outside}": must be a strict subset of \`cidr\``
      ])
    }
  })
})

describe('IPAddress', () => {
  it('is named by the canonical form of its address', () => {
    const name = (text: string) => ipAddress.validateName!(text, false, {} as any, new FieldErrors())
    assert.deepEqual([name('10.0.0.1'), name('2001:db8::1')], [[], []])
    assert.deepEqual(name('2001:DB8:0::1'), ['must be in canonical form ("2001:db8::1")'])
    assert.deepEqual(name('x'), ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'])
  })
})

describe('ServiceCIDR', () => {
  const of = (...cidrs: string[]) => ({ metadata: {}, spec: { cidrs } })

  it('has one block of each family', () => {
    assert.deepEqual(problems(serviceCIDR, of('10.0.0.0/24', '2001:db8::/64')), [])
    assert.equal(problems(serviceCIDR, of('10.0.0.0/24', '10.1.0.0/24')).length, 1)
  })

  it('may get a second family later, but is otherwise immutable', () => {
    assert.deepEqual(problems(serviceCIDR, of('10.0.0.0/24', '2001:db8::/64'), of('10.0.0.0/24')), [])
    assert.equal(problems(serviceCIDR, of('10.1.0.0/24'), of('10.0.0.0/24')).length, 1)
    assert.equal(problems(serviceCIDR, of('10.0.0.0/24'), of('10.0.0.0/24', '2001:db8::/64')).length, 1)
  })
})
