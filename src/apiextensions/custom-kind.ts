/** Makes the KindDefinition of one version of a custom resource from its CustomResourceDefinition. */
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '../apimachinery/api/generated/apiextensions-v1.js'
import { isQualifiedName } from '../apimachinery/validation/names.js'
import { standardFinalizers } from '../apimachinery/validation/object-meta.js'
import type { KindDefinition, KubeObject } from '../registry/kind.js'
import type { DeletionStrategy, Strategy } from '../registry/strategy.js'
import { compareText, goQuote } from '../util/go-format.js'
import { compareVersions } from '../util/version-order.js'
import { customColumns } from './columns.js'
import type { DefinedVersion } from './defined-version.js'
import { customScale, validateScaleFields } from './scale.js'
import { annotatedIndexes, selectableFields } from './selectable-fields.js'

/** The parts of a definition's state that may change without changing the resources that it serves. */
export interface DefinitionLife {
  terminating: boolean
}

/**
 * The functions of an own kind. They see objects in the version of the request; `validate` runs on every write, after the
 * schema's own validation.
 */
export interface StrategyHooks
  extends Pick<Strategy<any>, 'default' | 'prepareForCreate' | 'prepareForUpdate' | 'validate' | 'validateUpdate' | 'warnings'> {
  readonly afterDelete?: DeletionStrategy<any>['after']
}

export interface CustomKindParts {
  readonly version: DefinedVersion
  readonly hooks?: StrategyHooks | undefined
  readonly life: DefinitionLife
}

/** `version` is one of the definition's versions. */
export function customKind(
  definition: CustomResourceDefinition,
  version: CustomResourceDefinitionVersion,
  { version: own, life, hooks = {} }: CustomKindParts
): KindDefinition {
  const { spec, status } = definition
  const { group } = spec
  const names = status.acceptedNames
  const schema = () => own.schema
  const hasStatus = version.subresources?.status !== undefined
  const scale = version.subresources?.scale
  /**
   * Whether the object is of this kind. An object of another kind is refused; until then it gets no defaults and no validation of
   * its values.
   */
  const fits = ({ kind = names.kind }: KubeObject) => kind === names.kind
  const deprecation = version.deprecated ? (version.deprecationWarning ?? deprecationWarning(spec, version.name)) : undefined
  return {
    group,
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    resource: spec.names.plural,
    singular: names.singular ?? '',
    ...(names.shortNames ? { shortNames: names.shortNames } : {}),
    ...(names.categories ? { categories: names.categories } : {}),
    namespaced: spec.scope === 'Namespaced',
    custom: { schema: own.declared },
    versions: [{ name: version.name, type: version.name, ...(deprecation === undefined ? {} : { deprecation }) }],
    storage: {
      path: `${group}/${spec.names.plural}`,
      storedAs: { group, version: spec.versions!.find(v => v.storage)!.name }
    },
    fieldSelectors: { fields: selectableFields(version.selectableFields) },
    indexes: selectableFields(annotatedIndexes(definition).map(jsonPath => ({ jsonPath }))),
    table: { columns: customColumns(version.additionalPrinterColumns) },
    generation: { of: ({ metadata: _, ...rest }: KubeObject) => rest },
    strategy: {
      allowUnconditionalUpdate: false,
      whyUncreatable: () => (life.terminating ? 'create not allowed while custom resource definition is terminating' : undefined),
      default(object, context) {
        if (!fits(object)) return
        schema().default(object)
        hooks.default?.(object, context)
      },
      defaultApplied(object, context) {
        if (!fits(object)) return
        schema().default(object, { keepNulls: true })
        hooks.default?.(object, context)
      },
      dropUnread(object) {
        schema().default(object)
      },
      readAgain(document) {
        const object = own.type.fromStore(document)
        schema().default(object as unknown as KubeObject)
        return object
      },
      prepareForCreate(object, context) {
        if (hasStatus) delete object.status
        return hooks.prepareForCreate?.(object, context)
      },
      // kube-apiserver sets defaults whenever it reads from its store, and therefore also on objects that it has just written
      ...(hasStatus ? { defaultStored: object => schema().default(object), isStoredLess: object => 'status' in object } : {}),
      ...(hooks.prepareForUpdate ? { prepareForUpdate: hooks.prepareForUpdate } : {}),
      validateCreate(object, errors, context) {
        errors.floats = context.origin.floats
        schema().validate(object, undefined, errors, () => scale && validateScaleFields(scale, object, errors), fits(object))
        schema().validateRules(object, undefined, errors, text => context.warn(text))
        hooks.validate?.(object, errors, context)
      },
      validateUpdate(object, old, errors, context) {
        errors.floats = context.origin.floats
        schema().validate(object, old, errors, () => scale && validateScaleFields(scale, object, errors), fits(object))
        schema().validateRules(object, old, errors, text => context.warn(text))
        hooks.validateUpdate?.(object, old, errors, context)
        hooks.validate?.(object, errors, context)
      },
      warnings: (object, old, context) => [
        ...finalizerWarnings(object.metadata.finalizers, old?.metadata.finalizers),
        ...(hooks.warnings?.(object, old, context) ?? [])
      ]
    },
    ...(hooks.afterDelete ? { deletion: { after: hooks.afterDelete } } : {}),
    subresources: {
      ...(hasStatus
        ? {
            status: {
              metadata: 'none',
              validateUpdate(object, old, errors, context) {
                errors.floats = context.origin.floats
                schema().validateStatus(
                  object,
                  old,
                  errors,
                  () => scale && validateScaleFields(scale, object, errors, 'status'),
                  fits(object)
                )
                schema().validateRules(object, old, errors, text => context.warn(text))
              }
            }
          }
        : {}),
      ...(scale ? { scale: customScale(scale, spec) } : {})
    }
  }
}

/** Makes the warning for a deprecated version. Names the newest served version that is not deprecated, if that is newer. */
function deprecationWarning({ group, names, versions }: CustomResourceDefinition['spec'], deprecated: string): string {
  const text = `${group}/${deprecated} ${names.kind} is deprecated`
  const [better] = versions!
    .filter(v => v.served && !v.deprecated && compareVersions(v.name, deprecated) < 0)
    .map(v => v.name)
    .sort(compareVersions)
  return better === undefined ? text : `${text}; use ${group}/${better} ${names.kind}`
}

/** Warns of finalizers without a domain: those of custom resources may have any name, but should be qualified. */
function finalizerWarnings(finalizers: readonly string[] = [], old: readonly string[] = []): string[] {
  const before = new Set(old)
  const added = [...new Set(finalizers)].filter(f => !before.has(f)).sort(compareText)
  return added.flatMap(finalizer => {
    const at = `metadata.finalizers: ${goQuote(finalizer)}`
    const warnings = isQualifiedName(finalizer).map(why => `${at}: ${why}`)
    if (!finalizer.includes('/') && !standardFinalizers.has(finalizer)) {
      const path = finalizer.includes('.') ? ' including a path (/)' : ''
      warnings.push(
        `${at}: prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`
      )
    }
    return warnings
  })
}
