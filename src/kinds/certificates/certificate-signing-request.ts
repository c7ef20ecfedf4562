import type { CertificateSigningRequest } from '../../apimachinery/api/generated/certificates-v1.js'
import { age } from '../../apimachinery/formats/table.js'
import { Path } from '../../apimachinery/validation/field.js'
import { anyName } from '../../apimachinery/validation/names.js'
import { validateObjectMeta } from '../../apimachinery/validation/object-meta.js'
import { defineKind } from '../../registry/kind.js'
import { humanDuration } from '../../util/duration.js'
import { builtinColumns } from '../columns.js'
import { keepDecisions, stampConditions, validateConditions, validateConditionsUpdate } from './conditions.js'
import { validateCertificate, validateRequest, validateUsages } from './request.js'
import { validateSignerName } from './signer-name.js'

const minExpirationSeconds = 600

export const certificateSigningRequest = defineKind<CertificateSigningRequest>({
  group: 'certificates.k8s.io',
  kind: 'CertificateSigningRequest',
  resource: 'certificatesigningrequests',
  shortNames: ['csr'],
  namespaced: false,
  // any name is good enough for the kind; the generic rules look at the name, and at generateName when all else is right
  validateName: anyName,
  versions: [{ name: 'v1', type: 'certificates.v1.CertificateSigningRequest' }],
  fieldSelectors: { fields: { 'spec.signerName': o => o.spec.signerName } },
  table: {
    columns: builtinColumns<CertificateSigningRequest>('certificates.k8s.io/certificatesigningrequests', {
      Name: o => o.metadata.name,
      Age: age,
      SignerName: o => o.spec.signerName || '<none>',
      Requestor: o => o.spec.username ?? '',
      RequestedDuration: o =>
        o.spec.expirationSeconds === undefined ? '<none>' : humanDuration(o.spec.expirationSeconds * 1000),
      Condition: shownCondition
    })
  },
  strategy: {
    // no field manager can own the user of the request, or the decision
    resetFields: {
      '': { 'f:spec': {}, 'f:status': {} },
      status: { 'f:spec': {}, 'f:status': { 'f:conditions': {} } },
      approval: { 'f:spec': {}, 'f:status': { 'f:certificate': {} } }
    },
    prepareForCreate(o, { user }) {
      const { request, signerName, expirationSeconds, usages } = o.spec
      const { name, uid, groups, extra } = user
      o.spec = {
        request,
        signerName,
        expirationSeconds,
        usages,
        username: name,
        uid: uid || undefined,
        groups: groups.length > 0 ? [...groups] : undefined,
        extra: copyOf(extra)
      }
      for (const key of Object.keys(o.spec) as (keyof typeof o.spec)[]) if (o.spec[key] === undefined) delete o.spec[key]
      o.status = {}
    },
    prepareForUpdate(o, old) {
      // the spec is immutable, and changes are silently dropped
      o.spec = old.spec
    },
    updateChecks: ['objectMeta', 'validate', 'validateUpdate', 'objectMetaUpdate'],
    validate({ spec, status }, errors) {
      const at = Path.of('spec')
      validateRequest(spec.request, at.child('request'), errors)
      validateUsages(spec.usages ?? [], at.child('usages'), errors)
      validateSignerName(spec.signerName, at.child('signerName'), errors)
      if (spec.expirationSeconds !== undefined && spec.expirationSeconds < minExpirationSeconds) {
        errors.invalid(
          at.child('expirationSeconds'),
          spec.expirationSeconds,
          `may not specify a duration less than ${minExpirationSeconds} seconds (10 minutes)`
        )
      }
      validateConditions(status.conditions ?? [], errors)
    },
    validateUpdate(o, old, errors, { subresource }) {
      validateConditionsUpdate(o, old, subresource === 'approval', errors)
    }
  },
  subresources: {
    status: {
      metadata: 'all',
      updateChecks: ['validateUpdate', 'objectMetaUpdate'],
      prepareForUpdate(o, old, { now }) {
        keepDecisions(o, old)
        stampConditions(o, old, now)
      },
      validateUpdate(o, old, errors) {
        validateObjectMeta(certificateSigningRequest, o, errors)
        validateConditions(o.status.conditions ?? [], errors)
        validateCertificate(o.status.certificate, errors)
        validateConditionsUpdate(o, old, false, errors)
        if (old.status.certificate && o.status.certificate !== old.status.certificate)
          errors.forbidden('status.certificate', 'updates may not modify existing certificate content')
      }
    },
    others: {
      approval: {
        kind: { group: 'certificates.k8s.io', version: 'v1', kind: 'CertificateSigningRequest' },
        type: 'certificates.v1.CertificateSigningRequest',
        verbs: ['get', 'patch', 'update'],
        prepareForUpdate(o, old, { now }) {
          o.spec = old.spec
          const { certificate } = old.status
          o.status = { ...o.status, certificate }
          if (certificate === undefined) delete o.status.certificate
          stampConditions(o, old, now)
        }
      }
    }
  }
})

const copyOf = (extra: Readonly<Record<string, readonly string[]>> | undefined) =>
  extra && Object.keys(extra).length > 0
    ? Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]]))
    : undefined

function shownCondition({ status }: CertificateSigningRequest): string {
  const has = (type: string) => status.conditions?.some(c => c.type === type) ?? false
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending'
  return `${decision}${has('Failed') ? ',Failed' : ''}${status.certificate ? ',Issued' : ''}`
}
