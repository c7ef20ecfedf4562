import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion
} from '../../apimachinery/api/generated/apiextensions-v1.js'
import { NewExpressions } from '../../apimachinery/cel/new-expressions.js'
import { ruleExpressions, typesOfSets, unrecognizedFormats } from '../../apimachinery/structural/definition/all-schemas.js'
import { schemaRules } from '../../apimachinery/structural/rules/schema-rules.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { plainText } from '../../apimachinery/validation/go-value.js'
import { isDns1123Subdomain, nameIsSubdomain } from '../../apimachinery/validation/names.js'
import { defineKind } from '../../registry/kind.js'
import { goQuote } from '../../util/go-format.js'
import { builtinColumns } from '../columns.js'
import { validateImmutable } from '../immutable.js'
import { defaultClientConfig } from '../webhook-client-config.js'
import { cleanupFinalizer, setDefinitionCondition } from './conditions.js'
import { validateCaBundleUpdate, validateConversion } from './conversion.js'
import { validateNameForms, validateNames } from './names.js'
import { approval, validateApproval } from './protected-group.js'
import { fromV1beta1 } from './stored-v1beta1.js'
import { validateVersions } from './versions.js'

const scopes = ['Cluster', 'Namespaced']

/** The kind of the definition itself. src/apiextensions serves the objects that it defines. */
export const customResourceDefinition = defineKind<CustomResourceDefinition>({
  group: 'apiextensions.k8s.io',
  kind: 'CustomResourceDefinition',
  resource: 'customresourcedefinitions',
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  namespaced: false,
  validateName: (name, prefix, { spec }) => [
    ...nameIsSubdomain(name, prefix),
    ...(name === `${spec.names.plural}.${spec.group}` ? [] : ['must be spec.names.plural+"."+spec.group'])
  ],
  versions: [{ name: 'v1', type: 'apiextensions.v1.CustomResourceDefinition' }],
  storage: {
    storedAs: { group: 'apiextensions.k8s.io', version: 'v1beta1' },
    storedForms: { 'apiextensions.k8s.io/v1beta1': fromV1beta1 },
    path: 'apiextensions.k8s.io/customresourcedefinitions'
  },
  table: {
    nullRows: true,
    columns: builtinColumns<CustomResourceDefinition>('apiextensions.k8s.io/customresourcedefinitions', {
      Scope: o => o.spec.scope,
      Versions: o => shownVersions(o.spec.versions ?? []),
      'Created At': o => o.metadata.creationTimestamp,
      Group: o => o.spec.group,
      Kind: o => o.spec.names.kind,
      ShortNames: o => (o.spec.names.shortNames ?? []).join(','),
      Established: o => (o.status.conditions ?? []).some(({ type, status }) => type === 'Established' && status === 'True')
    })
  },
  generation: true,
  strategy: {
    allowUnconditionalUpdate: false,
    default({ spec, status }) {
      const { names } = spec
      names.singular ||= names.kind.toLowerCase()
      if (!names.listKind && names.kind !== '') names.listKind = `${names.kind}List`
      if (names.singular === '') delete names.singular
      spec.conversion ??= { strategy: 'None' }
      if (spec.conversion.webhook?.clientConfig) defaultClientConfig(spec.conversion.webhook.clientConfig)
      if (!status.storedVersions?.length) addStoredVersion({ spec, status })
    },
    prepareForCreate(o) {
      o.status = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null }
      addStoredVersion(o)
    },
    prepareForUpdate: addStoredVersion,
    validate({ spec }, errors, _context, old) {
      const at = Path.of('spec')
      validateGroup(spec.group, at.child('group'), errors)
      if (spec.scope === '') errors.required(at.child('scope'))
      else if (!scopes.includes(spec.scope)) errors.notSupported(at.child('scope'), plainText(spec.scope), scopes)
      const rules = schemaRules(new NewExpressions(errors.minCompatibility, old && ruleExpressions(old.spec)))
      validateVersions(spec, at, errors, rules, () => validateNames(spec.names, at.child('names'), errors))
      const strategy = at.child('conversion', 'strategy')
      if (spec.preserveUnknownFields && spec.conversion!.strategy !== 'None')
        errors.invalid(strategy, spec.conversion!.strategy, 'must be None if spec.preserveUnknownFields is true')
      validateConversion(spec.conversion!, at.child('conversion'), errors)
    },
    validateCreate({ metadata, spec, status }, errors) {
      validateStoredVersions(spec, status, errors)
      validateApproval(metadata, spec.group, errors)
      validatePruning(spec, errors)
    },
    validateUpdate({ metadata, spec, status }, { metadata: oldMetadata, spec: old, status: oldStatus }, errors) {
      const established = oldStatus.conditions?.some(c => c.type === 'Established' && c.status === 'True') ?? false
      if (established) {
        validateCaBundleUpdate(spec.conversion, old.conversion, Path.of('spec', 'conversion'), errors)
        validateImmutable('spec.scope', spec.scope, old.scope, errors)
        validateImmutable('spec.names.kind', spec.names.kind, old.names.kind, errors)
      }
      validateImmutable('spec.group', spec.group, old.group, errors)
      validateImmutable('spec.names.plural', spec.names.plural, old.names.plural, errors)
      validateStoredVersions(spec, status, errors)
      if (approval(metadata) !== approval(oldMetadata)) validateApproval(metadata, spec.group, errors)
      if (!old.preserveUnknownFields) validatePruning(spec, errors)
    },
    warnings: ({ spec }, old) => {
      const known = new Set(old && unrecognizedFormats(old.spec))
      const formats = unrecognizedFormats(spec).filter(format => !known.has(format))
      const ofSets = old ? typesOfSets(old.spec) : []
      const sets = typesOfSets(spec).filter(type => !ofSets.includes(type))
      return [
        ...formats.map(format => `unrecognized format ${goQuote(format)}`),
        ...sets.map(
          type =>
            `x-kubernetes-list-type: set for items of type ${goQuote(type)} is not supported by server-side apply or CEL validation rules`
        )
      ]
    }
  },
  deletion: {
    // controllers/custom-resource-definitions.ts deletes its objects first
    heldWithoutDependents: true,
    isHeld: ({ metadata }) => metadata.deletionTimestamp === undefined,
    prepare({ metadata, status }, { now }) {
      if (status.conditions?.some(c => c.type === 'Terminating')) return
      metadata.finalizers = [...(metadata.finalizers ?? []), cleanupFinalizer]
      setDefinitionCondition(status, now, {
        type: 'Terminating',
        status: 'True',
        reason: 'InstanceDeletionPending',
        message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon'
      })
    }
  },
  subresources: {
    status: {
      columns: false,
      metadata: 'all',
      validateUpdate: ({ status }, _, errors) =>
        validateNameForms(status.acceptedNames, Path.of('status', 'acceptedNames'), errors)
    }
  }
})

/** "v1(storage),v1beta1": the versions that are served. */
function shownVersions(versions: readonly CustomResourceDefinitionVersion[]): string {
  const served = versions.filter(version => version.served)
  return served
    .map(({ name, storage }) => (storage ? `${name}(storage)` : name))
    .sort()
    .join(',')
}

function validatePruning({ preserveUnknownFields }: CustomResourceDefinition['spec'], errors: FieldErrors): void {
  if (!preserveUnknownFields) return
  const instead = 'set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead'
  errors.invalid('spec.preserveUnknownFields', true, `cannot set to true, ${instead}`)
}

type Definition = Pick<CustomResourceDefinition, 'spec' | 'status'>

/** Remembers the storage version, because objects stay stored in former storage versions. */
function addStoredVersion({ spec, status }: Definition): void {
  const version = spec.versions?.find(v => v.storage)
  const known = status.storedVersions ?? []
  if (version && !known.includes(version.name)) status.storedVersions = [...known, version.name]
}

function validateGroup(group: string, path: Path, errors: FieldErrors): void {
  const wrong = isDns1123Subdomain(group)
  if (group === '') errors.required(path)
  else if (wrong.length > 0) errors.invalid(path, group, wrong.join(','))
  else if (!group.includes('.')) errors.invalid(path, group, 'should be a domain with at least one dot')
}

function validateStoredVersions(
  { versions }: CustomResourceDefinition['spec'],
  { storedVersions: stored }: CustomResourceDefinition['status'],
  errors: FieldErrors
): void {
  const path = Path.of('status', 'storedVersions')
  if (!stored?.length) {
    errors.invalid(path, stored ?? null, 'must have at least one stored version')
    return
  }
  const known = new Set(versions?.map(v => v.name))
  const kept = new Set(stored)
  // of versions with one name, only the first finds it
  for (const { name, storage } of versions ?? [])
    if (!kept.delete(name) && storage) errors.invalid(path, stored, `must have the storage version ${name}`)
  stored.forEach((name, i) => {
    if (!known.has(name))
      errors.invalid(
        path.index(i),
        name,
        `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`
      )
  })
}
